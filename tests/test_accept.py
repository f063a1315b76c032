from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from builders import KEYWORD, cell_key, check, corpus, measured, run_of, unmeasured, waived

from gate.accept import Change, acceptable, acceptances, write
from gate.baselines import baseline_path, read_baseline, render_baseline
from gate.cli import root
from gate.data import data_path
from gate.errors import GateError, NotMeasured, UsageError
from gate.files import write_atomic
from gate.methodology import methodology_hash
from gate.records import Verdict
from gate.report.json import to_json

PASSED = Verdict("PASS", 0, (check("pass"),), (measured(0.9),))
JUDGED = corpus({"q1": {"a": 1}, "q2": {"b": 1}})
FOUND = {"q1": ["a", "x"], "q2": ["b", "x"]}
LOST = {"q1": ["a", "x"], "q2": ["x", "y"]}
P5, R5 = str(cell_key("P@5")), str(cell_key("R@5"))
LEAK = str(cell_key("Forbidden@10"))


def results(
    folder: Path,
    answers: Mapping[str, Sequence[str]],
    scores: Mapping[str, float],
    *,
    verdict: Verdict = PASSED,
    store: str = "reference",
    digest: str = "f" * 64,
) -> Path:
    """A results folder as a run leaves it."""
    methodology = {"corpus": digest, "depth": "2"}
    header: dict[str, Any] = {
        "store": store,
        "corpus": "seeded",
        "tier": "smoke",
        "arm": "cpu-hash",
        "methodology": methodology,
        "methodology_hash": methodology_hash(methodology),
        "scores": dict(scores),
    }
    path = baseline_path(folder / "baseline", store, "seeded", "smoke", "cpu-hash")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(render_baseline([run_of(answers, KEYWORD)], JUDGED.topics, JUDGED, header, 2), encoding="utf-8")
    (folder / "verdict.json").write_text(to_json(verdict), encoding="utf-8")
    (folder / "manifest.json").write_text(
        json.dumps({"environment": {"commit": "c0ffee", "dirty": False}}), encoding="utf-8"
    )
    return folder


def accept(*arguments: object) -> int:
    """`gate accept`, its errors left to the test."""
    code: int = root.main(["accept", *map(str, arguments)], prog_name="gate", standalone_mode=False)
    return code


def header_of(path: Path) -> dict[str, Any]:
    header: dict[str, Any] = json.loads(path.read_text(encoding="utf-8").split("\n")[0])
    return header


@pytest.mark.parametrize(
    ("verdict", "slug", "code"),
    [
        (replace(PASSED, planted="reversed-ranking", narrowed=("--plant reversed-ranking",)), "accept-planted", 3),
        (replace(PASSED, narrowed=("--mode keyword",)), "accept-narrowed", 3),
        (replace(PASSED, verdict="INTERRUPTED", exit_code=130), "accept-partial", 2),
        (replace(PASSED, cells=(measured(0.9), unmeasured("it hung", cell_key("P@5")))), "accept-unmeasured", 2),
        (replace(PASSED, cells=(measured(0.9), waived(None, cell_key("P@5")))), "accept-unmeasured", 2),
        (replace(PASSED, cells=()), "accept-unmeasured", 2),
        (replace(PASSED, checks=(check("not measured", source="plan", check_id="noisy x"),)), "accept-incomplete", 2),
        (
            replace(PASSED, checks=(check("not measured", "warn", source="plan", check_id="store x"),)),
            "accept-incomplete",
            2,
        ),
    ],
)
def test_what_was_not_measured_whole_is_refused(tmp_path: Path, verdict: Verdict, slug: str, code: int) -> None:
    with pytest.raises(GateError) as caught:
        acceptable(verdict, tmp_path)
    assert (caught.value.slug, int(caught.value.exit_code)) == (slug, code)


@pytest.mark.parametrize(
    "verdict",
    [
        PASSED,
        replace(PASSED, verdict="REGRESSION", exit_code=1, checks=(check("fail"),)),
        replace(PASSED, verdict="NOT_MEASURED", exit_code=2, checks=(check("not measured", source="baseline"),)),
        replace(PASSED, checks=(check("not measured", source="plan", check_id="dead budget budgets.yml:3 x"),)),
        replace(PASSED, cells=(measured(0.9), waived(0.2, cell_key("P@5")))),
    ],
)
def test_a_whole_run_is_acceptable_whatever_its_verdict(tmp_path: Path, verdict: Verdict) -> None:
    acceptable(verdict, tmp_path)


@pytest.mark.parametrize(
    ("cell", "before", "after", "down"),
    [
        (R5, 0.9, 0.8, True),
        (R5, 0.8, 0.9, False),
        (LEAK, 0.0, 0.1, True),
        (LEAK, 0.1, 0.0, False),
        (str(cell_key("Duplicates")), 0.0, 2.0, True),
        (str(cell_key("Refused")), 1.0, 0.9, True),
        (R5, None, 0.1, False),
        (R5, 0.1, None, True),
        (str(cell_key("Retired@5")), 0.9, 0.8, True),
    ],
)
def test_what_goes_down(cell: str, before: float | None, after: float | None, down: bool) -> None:
    assert Change(cell, before, after).goes_down == down


def test_a_first_baseline_says_who_why_when_and_on_what(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = results(tmp_path / "run", FOUND, {R5: 1.0})
    code = accept(run, "--reason", "first run, reviewed", "--by", "the search team", "--baselines", tmp_path / "kept")
    path = baseline_path(tmp_path / "kept", "reference", "seeded", "smoke", "cpu-hash")
    header = header_of(path)
    assert code == 0
    assert (header["who"], header["why"], header["commit"]) == ("the search team", "first run, reviewed", "c0ffee")
    assert len(header["date"]) == len("2026-11-30")
    assert read_baseline(path).runs == read_baseline(next((run / "baseline").rglob("*.jsonl"))).runs
    assert "new; 2 topics in 1 run" in capsys.readouterr().out


def test_the_diff_comes_first_and_what_goes_down_before_the_rest(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    accept(results(tmp_path / "a", FOUND, {P5: 0.5, R5: 1.0}), "--reason", "first", "--baselines", tmp_path / "kept")
    capsys.readouterr()
    accept(results(tmp_path / "b", LOST, {P5: 0.6, R5: 0.5}), "--reason", "second", "--baselines", tmp_path / "kept")
    told = capsys.readouterr().out
    order = [
        "2 changed scores",
        "judged documents stand elsewhere in 1 ranking",
        "worse (1):",
        f"{R5}: 1.000 -> 0.500",
        "better or new (1):",
        f"{P5}: 0.500 -> 0.600",
        "Wrote",
    ]
    at = [told.index(part) for part in order]
    assert at == sorted(at)


def test_every_score_that_goes_down_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    many = {str(cell_key(part=f"s{n}")): 1.0 for n in range(100)}
    accept(results(tmp_path / "a", FOUND, many), "--reason", "first", "--baselines", tmp_path / "kept")
    capsys.readouterr()
    run = results(tmp_path / "b", LOST, dict.fromkeys(many, 0.5))
    accept(run, "--reason", "second", "--baselines", tmp_path / "kept")
    assert capsys.readouterr().out.count("1.000 -> 0.500") == 100


def test_accepting_again_changes_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = results(tmp_path / "run", FOUND, {R5: 1.0})
    accept(run, "--reason", "first", "--baselines", tmp_path / "kept")
    path = baseline_path(tmp_path / "kept", "reference", "seeded", "smoke", "cpu-hash")
    before = path.read_bytes()
    assert accept(run, "--reason", "again", "--baselines", tmp_path / "kept") == 0
    assert path.read_bytes() == before
    assert "The baselines are these results already." in capsys.readouterr().out


def test_a_rank_that_moved_without_a_score_is_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    accept(results(tmp_path / "a", FOUND, {R5: 1.0}), "--reason", "first", "--baselines", tmp_path / "kept")
    run = results(tmp_path / "b", {**FOUND, "q2": ["x", "b"]}, {R5: 1.0})
    accept(run, "--reason", "second", "--baselines", tmp_path / "kept")
    path = baseline_path(tmp_path / "kept", "reference", "seeded", "smoke", "cpu-hash")
    assert read_baseline(path).runs["keyword/none"]["q2"].ranks == {"b": 2}
    assert "0 changed scores" in capsys.readouterr().out


def test_a_topic_that_is_gone_is_a_change(tmp_path: Path) -> None:
    accept(results(tmp_path / "a", FOUND, {R5: 1.0}), "--reason", "first", "--baselines", tmp_path / "kept")
    run = results(tmp_path / "b", {"q1": FOUND["q1"]}, {R5: 1.0})
    (one,) = acceptances(run, tmp_path / "kept")
    assert (one.same, one.moved) == (False, 1)


def test_another_question_is_said_with_both_values(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    accept(results(tmp_path / "a", FOUND, {R5: 1.0}), "--reason", "first", "--baselines", tmp_path / "kept")
    run = results(tmp_path / "b", FOUND, {R5: 1.0}, digest="e" * 64)
    accept(run, "--reason", "second", "--baselines", tmp_path / "kept")
    assert f"corpus is {'e' * 64} here and {'f' * 64} in the baseline" in capsys.readouterr().out
    path = baseline_path(tmp_path / "kept", "reference", "seeded", "smoke", "cpu-hash")
    assert read_baseline(path).methodology["corpus"] == "e" * 64


def test_a_dry_run_writes_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = results(tmp_path / "run", FOUND, {R5: 1.0})
    assert accept(run, "--reason", "first", "--baselines", tmp_path / "kept", "--dry-run") == 0
    assert not (tmp_path / "kept").exists()
    assert "Nothing was written." in capsys.readouterr().out


def test_a_baseline_that_cannot_be_read_is_replaced_and_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = baseline_path(tmp_path / "kept", "reference", "seeded", "smoke", "cpu-hash")
    path.parent.mkdir(parents=True)
    path.write_text("{", encoding="utf-8")
    run = results(tmp_path / "run", FOUND, {R5: 1.0})
    accept(run, "--reason", "the old one was cut short", "--baselines", tmp_path / "kept")
    assert "replaces one that cannot be read" in capsys.readouterr().out
    assert read_baseline(path).header["why"] == "the old one was cut short"


def test_all_baselines_are_written_or_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = tmp_path / "kept"
    for store in ("alpha", "beta", "gamma"):
        results(tmp_path / "a", FOUND, {R5: 1.0}, store=store)
        results(tmp_path / "b", LOST, {R5: 0.5}, store=store)
    first = [one for one in acceptances(tmp_path / "a", kept) if "alpha" not in one.target.parts]
    write(first, who="w", why="first", date="2026-11-30", commit="")
    before = {path: path.read_bytes() for path in kept.rglob("*.jsonl")}
    assert len(before) == 2

    def no_gamma(path: Path, text: str) -> None:
        if "gamma" in path.parts:
            raise UsageError("file-unwritable", "no space left")
        real(path, text)

    real = write_atomic
    monkeypatch.setattr("gate.accept.write_atomic", no_gamma)
    with pytest.raises(UsageError, match="no space left"):
        write(acceptances(tmp_path / "b", kept), who="w", why="second", date="2026-12-01", commit="")
    assert {path: path.read_bytes() for path in kept.rglob("*.jsonl")} == before
    monkeypatch.undo()
    write(acceptances(tmp_path / "b", kept), who="w", why="second", date="2026-12-01", commit="")
    assert {header_of(path)["why"] for path in kept.rglob("*.jsonl")} == {"second"}
    assert len(list(kept.rglob("*"))) == 3 + 3


def test_a_refused_run_leaves_the_baseline_as_it_was(tmp_path: Path) -> None:
    verdict = replace(PASSED, narrowed=("--mode keyword",))
    run = results(tmp_path / "run", FOUND, {R5: 1.0}, verdict=verdict)
    with pytest.raises(UsageError, match="narrowed by --mode keyword"):
        accept(run, "--reason", "first", "--baselines", tmp_path / "kept")
    assert not (tmp_path / "kept").exists()


@pytest.mark.parametrize(
    ("reason", "slug"),
    [("", "accept-reason"), ("  ", "accept-reason"), ("a\x1b[2J", "accept-text"), ("\udcff", "accept-text")],
)
def test_a_reason_has_to_say_something(tmp_path: Path, reason: str, slug: str) -> None:
    run = results(tmp_path / "run", FOUND, {R5: 1.0})
    with pytest.raises(UsageError) as caught:
        accept(run, "--reason", reason, "--baselines", tmp_path / "kept")
    assert caught.value.slug == slug


def test_a_reason_may_be_in_any_language(tmp_path: Path) -> None:
    run = results(tmp_path / "run", FOUND, {R5: 1.0})
    accept(run, "--reason", "新分词器\u3000已审阅", "--baselines", tmp_path / "kept")
    path = baseline_path(tmp_path / "kept", "reference", "seeded", "smoke", "cpu-hash")
    assert read_baseline(path).header["why"] == "新分词器\u3000已审阅"


def test_a_score_under_another_definition_of_its_measure_is_new_and_not_a_change(tmp_path: Path) -> None:
    accept(results(tmp_path / "first", FOUND, {R5: 1.0, P5: 0.2}), "--reason", "x", "--baselines", tmp_path / "kept")
    run = results(tmp_path / "second", FOUND, {R5: 0.5, P5: 0.1})
    path = next((run / "baseline").rglob("*.jsonl"))
    text = path.read_text(encoding="utf-8").replace('"scores":', '"versions":{"R@5":2},"scores":', 1)
    path.write_text(text, encoding="utf-8")
    (one,) = acceptances(run, tmp_path / "kept")
    assert set(one.changes) == {Change(R5, None, 0.5), Change(P5, 0.2, 0.1)}
    assert [change.cell for change in one.changes if change.goes_down] == [P5]


def test_a_folder_without_a_finished_run_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no finished run"):
        accept(tmp_path, "--reason", "first", "--baselines", tmp_path / "kept")


def test_results_without_a_baseline_are_refused(tmp_path: Path) -> None:
    run = results(tmp_path / "run", FOUND, {R5: 1.0})
    next((run / "baseline").rglob("*.jsonl")).unlink()
    with pytest.raises(UsageError, match="nothing to accept"):
        accept(run, "--reason", "first", "--baselines", tmp_path / "kept")


def test_results_that_name_a_place_elsewhere_are_refused(tmp_path: Path) -> None:
    run = results(tmp_path / "run", FOUND, {R5: 1.0})
    path = next((run / "baseline").rglob("*.jsonl"))
    path.write_text(path.read_text(encoding="utf-8").replace('"store":"reference"', '"store":"../.."'), "utf-8")
    with pytest.raises(UsageError, match="cannot be used"):
        accept(run, "--reason", "first", "--baselines", tmp_path / "kept")


def test_results_land_with_the_settings_that_they_were_made_with(tmp_path: Path) -> None:
    run = results(tmp_path / "run", FOUND, {R5: 1.0})
    made = {"settings": "elsewhere/gate.yml", "baselines": str(tmp_path / "elsewhere" / "kept")}
    (run / "manifest.json").write_text(json.dumps(made), encoding="utf-8")
    accept(run, "--reason", "first")
    assert list((tmp_path / "elsewhere" / "kept").rglob("*.jsonl"))


def test_results_without_a_manifest_need_to_be_told_where_to_go(tmp_path: Path) -> None:
    run = results(tmp_path / "run", FOUND, {R5: 1.0})
    (run / "manifest.json").write_text("{", encoding="utf-8")
    with pytest.raises(UsageError, match="nobody knows its settings"):
        accept(run, "--reason", "first")


def test_without_settings_the_shipped_baselines_are_not_written(tmp_path: Path) -> None:
    run = results(tmp_path / "run", FOUND, {R5: 1.0})
    shipped = {"settings": str(data_path("gate.yml")), "baselines": str(data_path("baselines"))}
    (run / "manifest.json").write_text(json.dumps(shipped), encoding="utf-8")
    with pytest.raises(UsageError, match="no folder for baselines"):
        accept(run, "--reason", "first")


def test_an_unmeasured_run_exits_with_2(tmp_path: Path) -> None:
    verdict = replace(PASSED, cells=(unmeasured("it hung"),))
    run = results(tmp_path / "run", FOUND, {R5: 1.0}, verdict=verdict)
    with pytest.raises(NotMeasured, match="not measured in this run: 1 cell"):
        accept(run, "--reason", "first", "--baselines", tmp_path / "kept")


VECTOR = replace(KEYWORD, mode="vector")
V_R5 = str(cell_key("R@5", mode="vector"))


def two_runs(folder: Path, keyword: Mapping[str, Sequence[str]], vector: Mapping[str, Sequence[str]]) -> Path:
    """Results of two runs, with the share of found topics as the score of each."""
    scores = {R5: 1.0 if keyword is FOUND else 0.5, V_R5: 1.0 if vector is FOUND else 0.5}
    results(folder, keyword, scores)
    path = baseline_path(folder / "baseline", "reference", "seeded", "smoke", "cpu-hash")
    runs = [run_of(keyword, KEYWORD), run_of(vector, VECTOR)]
    path.write_text(render_baseline(runs, JUDGED.topics, JUDGED, header_of(path), 2), encoding="utf-8")
    return folder


def test_a_part_is_accepted_and_the_rest_stays(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kept = tmp_path / "kept"
    target = baseline_path(kept, "reference", "seeded", "smoke", "cpu-hash")
    accept(two_runs(tmp_path / "one", FOUND, FOUND), "--reason", "first", "--by", "a reader", "--baselines", kept)
    both_lost = two_runs(tmp_path / "two", LOST, LOST)
    accept(both_lost, "--reason", "keyword only", "--by", "a reader", "--baselines", kept, "--only", "*/keyword/*")
    assert header_of(target)["scores"] == {R5: 0.5, V_R5: 1.0}
    stands = read_baseline(target)
    assert stands.runs["keyword/none"]["q2"].ranks == {}
    assert stands.runs["vector/none"]["q2"].ranks == {"b": 1}
    assert "worse (1):" in capsys.readouterr().out
    accept(both_lost, "--reason", "the rest", "--by", "a reader", "--baselines", kept)
    assert header_of(target)["scores"] == {R5: 0.5, V_R5: 0.5}


@pytest.mark.parametrize(
    ("first", "glob", "slug"),
    [
        (False, "*/keyword/*", "accept-only-first"),
        (True, "*/keywrod/*", "accept-only-unknown"),
        (True, "*/keyword/*", "accept-only-otherwise"),
    ],
)
def test_a_part_that_fits_nothing_is_refused(tmp_path: Path, first: bool, glob: str, slug: str) -> None:
    kept = tmp_path / "kept"
    if first:
        old = results(tmp_path / "old", FOUND, {R5: 1.0}, digest="a" * 64)
        accept(old, "--reason", "first", "--by", "a reader", "--baselines", kept)
    before = {path: path.read_bytes() for path in kept.rglob("*.jsonl")}
    new = results(tmp_path / "new", LOST, {R5: 0.5})
    with pytest.raises(UsageError) as caught:
        accept(new, "--reason", "part", "--by", "a reader", "--baselines", kept, "--only", glob)
    assert caught.value.slug == slug
    assert {path: path.read_bytes() for path in kept.rglob("*.jsonl")} == before


def test_check_exits_1_where_the_baseline_is_not_what_a_run_gives(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = tmp_path / "kept"
    same, other = results(tmp_path / "one", FOUND, {R5: 1.0}), results(tmp_path / "two", LOST, {R5: 0.5})
    assert accept(same, "--check", "--baselines", kept) == 1
    assert not kept.exists()
    accept(same, "--reason", "first", "--by", "a reader", "--baselines", kept)
    assert accept(same, "--check", "--baselines", kept) == 0
    before = {path: path.read_bytes() for path in kept.rglob("*.jsonl")}
    assert accept(other, "--check", "--baselines", kept) == 1
    assert "not what this run gives" in capsys.readouterr().out
    assert {path: path.read_bytes() for path in kept.rglob("*.jsonl")} == before


def test_a_part_is_not_laid_into_a_baseline_of_another_engine(tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    accept(two_runs(tmp_path / "one", FOUND, FOUND), "--reason", "first", "--by", "a reader", "--baselines", kept)
    target = baseline_path(kept, "reference", "seeded", "smoke", "cpu-hash")
    first, _, rest = target.read_text(encoding="utf-8").partition("\n")
    target.write_text(
        json.dumps({**json.loads(first), "fingerprint": {"engine": "old"}}) + "\n" + rest, encoding="utf-8"
    )
    new = two_runs(tmp_path / "two", LOST, LOST)
    with pytest.raises(UsageError, match="engine was old and is not given"):
        accept(new, "--reason", "part", "--by", "a reader", "--baselines", kept, "--only", "*/keyword/*")
