"""`gate budgets` as a user runs it, on results written by hand."""

from __future__ import annotations

import json
from pathlib import Path
from shutil import copytree

import pytest
from click.testing import CliRunner, Result
from headroom_cells import SLICE, cells_of, results_in

from gate.cli.budgets import budgets
from gate.errors import GateError
from gate.files import LinedData, violations

DAY = ("--today", "2026-11-30")
VALUES: dict[str, tuple[float | None, int]] = {SLICE: (1.0, 20), SLICE.replace("R@5", "nDCG@10"): (0.97, 20)}


def run(*arguments: str) -> Result:
    result = CliRunner().invoke(budgets, arguments, standalone_mode=False)
    if result.exception is not None:
        raise result.exception
    return result


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with settings, a budget of 0.95 and results that meet it."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "gate.yml").write_text("budgets: budgets.yml\n", encoding="utf-8")
    budget(tmp_path, "min: 0.95")
    results_in(tmp_path / "gate-results", cells_of(VALUES))
    return tmp_path


def budget(project: Path, bound: str, more: str = "", cell: str = SLICE) -> None:
    text = f'schema: 1\nbudgets:\n  - cell: "{cell}"\n    {bound}\n{more}'
    (project / "budgets.yml").write_text(text, encoding="utf-8")


def waiver(until: str, cell: str = SLICE) -> str:
    return f'waivers:\n  - cell: "{cell}"\n    until: {until}\n    reason: no segmentation yet\n'


def test_0_nothing_is_flagged(project: Path) -> None:
    done = run("audit", *DAY)
    assert done.return_value == 0
    assert "Nothing flagged." in done.output
    assert "1 of 20" in done.output
    assert "held against the results in gate-results, made on 0123456789ab" in done.output
    assert "Without a budget: 1 of 2 cells" in done.output
    assert "keyword: no nDCG@10 on zh-Hans" in done.output
    assert "zh-Hans has 20 topics: only losses of 7 or more" in " ".join(done.output.split())


@pytest.mark.parametrize(
    ("bound", "cell", "says"),
    [
        ("min: 0.5", SLICE, "TOO LOOSE  budgets.yml:3"),
        ("max: 0.95", SLICE, "BROKEN  budgets.yml:3"),
        ("min: 0.5", SLICE.replace("keyword", "hybrid"), "NO CELL  budgets.yml:3"),
    ],
)
def test_1_a_budget_is_flagged_with_its_line(project: Path, bound: str, cell: str, says: str) -> None:
    budget(project, bound, cell=cell)
    done = run("audit", *DAY)
    assert done.return_value == 1
    assert says in done.output


def test_1_a_budget_whose_cell_was_not_measured_is_flagged(project: Path) -> None:
    results_in(project / "gate-results", cells_of({**VALUES, SLICE: (None, 0)}))
    done = run("audit", *DAY)
    assert done.return_value == 1
    assert "NOT MEASURED  budgets.yml:3" in done.output


@pytest.mark.parametrize(
    ("until", "within", "says", "code"),
    [
        ("2026-11-29", "30", "EXPIRED WAIVER", 1),
        ("2026-11-30", "0", "ABOUT TO EXPIRE WAIVER", 0),
        ("2026-12-30", "30", "ABOUT TO EXPIRE WAIVER", 0),
        ("2026-12-31", "30", "", 0),
    ],
)
def test_waivers_expire_at_the_end_of_their_last_day(
    project: Path, until: str, within: str, says: str, code: int
) -> None:
    budget(project, "min: 0.95", waiver(until))
    done = run("audit", *DAY, "--within", within)
    assert done.return_value == code
    assert says in done.output
    assert ("WAIVER" in done.output) == bool(says)


def test_1_a_waiver_that_excuses_nothing_is_flagged(project: Path) -> None:
    budget(project, "min: 0.95", waiver("2027-03-31", SLICE.replace("zh-Hans", "th")))
    done = run("audit", *DAY)
    assert done.return_value == 1
    assert "UNUSED WAIVER" in done.output


def test_what_flags_left_out_is_no_finding(project: Path) -> None:
    budget(project, "min: 0.95", waiver("2027-03-31", SLICE.replace("keyword", "hybrid")), SLICE.replace("R@5", "P@5"))
    results_in(project / "gate-results", cells_of(VALUES), narrowed=("--mode keyword",))
    done = run("audit", *DAY)
    assert done.return_value == 0
    assert "narrowed by --mode keyword" in done.output


@pytest.mark.parametrize("arguments", [("audit", "nowhere"), ("suggest", "nowhere"), ("audit", "empty")])
def test_3_there_are_no_results(project: Path, arguments: tuple[str, ...]) -> None:
    (project / "empty").mkdir()
    with pytest.raises(GateError) as caught:
        run(*arguments)
    assert caught.value.exit_code == 3
    assert "gate run" in caught.value.hint


def test_2_neither_results_nor_baselines(project: Path) -> None:
    (project / "gate-results" / "verdict.json").unlink()
    with pytest.raises(GateError) as caught:
        run("audit")
    assert caught.value.exit_code == 2


@pytest.mark.parametrize("verb", ["audit", "suggest"])
def test_2_results_of_a_planted_defect_say_nothing_of_the_store(project: Path, verb: str) -> None:
    results_in(project / "gate-results", cells_of(VALUES), planted="ascii-only")
    with pytest.raises(GateError, match="planted") as caught:
        run(verb)
    assert caught.value.exit_code == 2


def test_2_nothing_was_measured(project: Path) -> None:
    results_in(project / "gate-results", cells_of({SLICE: (None, 0)}))
    with pytest.raises(GateError) as caught:
        run("audit")
    assert caught.value.exit_code == 2


@pytest.mark.parametrize(
    "arguments",
    [
        ("audit", "--config", "absent.yml"),
        ("audit", "--budgets", "absent.yml"),
        ("suggest", "--headroom", "20"),
        ("suggest", "--headroom", "nan"),
        ("suggest", "--out", "budgets.yml"),
    ],
)
def test_3_usage(project: Path, arguments: tuple[str, ...]) -> None:
    before = (project / "budgets.yml").read_bytes()
    with pytest.raises(GateError) as caught:
        run(*arguments)
    assert caught.value.exit_code == 3
    assert (project / "budgets.yml").read_bytes() == before


def test_3_a_verdict_that_was_cut_off(project: Path) -> None:
    path = project / "gate-results" / "verdict.json"
    path.write_text(path.read_text(encoding="utf-8")[:200], encoding="utf-8")
    with pytest.raises(GateError) as caught:
        run("audit")
    assert caught.value.exit_code == 3


def test_3_the_settings_of_the_run_are_elsewhere(project: Path) -> None:
    results_in(project / "gate-results", cells_of(VALUES), settings="ci/gate.yml")
    with pytest.raises(GateError, match="are not here") as caught:
        run("audit")
    assert caught.value.exit_code == 3
    assert run("audit", "--config", "gate.yml", *DAY).return_value == 0


def test_the_settings_are_those_of_the_run(project: Path) -> None:
    (project / "ci.yml").write_text("budgets: strict.yml\n", encoding="utf-8")
    (project / "strict.yml").write_text((project / "budgets.yml").read_text().replace("0.95", "0.99"))
    results_in(project / "gate-results", cells_of(VALUES), settings="ci.yml")
    assert "strict.yml" in run("audit", *DAY).output


def test_a_manifest_that_cannot_be_read_takes_nothing_away(project: Path) -> None:
    for text in ("{", "[]", '{"trials": 3, "flags": [], "environment": 1, "settings": 7}'):
        (project / "gate-results" / "manifest.json").write_text(text, encoding="utf-8")
        assert run("audit", *DAY).return_value == 0


def test_json_holds_to_its_schema_and_is_the_same_twice(project: Path) -> None:
    budget(project, "min: 0.5", waiver("2026-12-01", SLICE.replace("R@5", "nDCG@10")))
    one, two = run("audit", "--json", *DAY), run("audit", "--json", *DAY)
    assert one.output == two.output
    data = json.loads(one.output)
    assert violations(LinedData(project, data, {}), "budget-audit") == []
    assert data["exit_code"] == one.return_value == 1
    (rule,) = data["rules"]
    assert (rule["status"], rule["cells"][0]["slack_topics"]) == ("too loose", 10)
    assert data["waivers"][0]["status"] == "about to expire"
    assert data["slices"][0]["certain"] == 7
    broken = {**data, "rules": [{**rule, "status": "fine"}]}
    assert violations(LinedData(project, broken, {}), "budget-audit")


def test_all_lists_every_cell(project: Path) -> None:
    assert SLICE.replace("R@5", "nDCG@10") not in run("audit", *DAY).output
    done = run("audit", "--all", *DAY)
    assert f"{SLICE.replace('R@5', 'nDCG@10')}\n" in done.output
    assert f"{SLICE}  1.000 >= 0.95  0.050 of room, 1 of 20 topics  ok" in done.output


def test_a_floor_of_0_never_breaks_and_says_so(project: Path) -> None:
    results_in(project / "gate-results", cells_of({SLICE: (0.0, 20)}))
    budget(project, "min: 0")
    done = run("audit", "--all", *DAY)
    assert f"{SLICE}  0.000 >= 0  never breaks" in done.output
    assert "0 of 20" not in done.output


def many(number: int) -> dict[str, tuple[float | None, int]]:
    """Slices s00, s01, ... of 20 topics and more, each of its own size and value."""
    return {SLICE.replace("zh-Hans", f"s{at:02}"): (1.0 - at / 1000, 20 + at) for at in range(number)}


def test_by_default_ten_budgets_with_the_most_room_and_ten_slices_that_show_least_are_told(project: Path) -> None:
    results_in(project / "gate-results", cells_of(many(30)))
    entries = "".join(f'  - cell: "{cell}"\n    min: 0.85\n' for cell in many(25))
    (project / "budgets.yml").write_text(f"schema: 1\nbudgets:\n{entries}", encoding="utf-8")
    done = run("audit", *DAY)
    lines = done.output.splitlines()
    room = [line.split("/")[2] for line in lines if ">= 0.85" in line]
    assert room == [f"s{at:02}" for at in range(10)]
    assert "15 more budgets with --all" in done.output
    weakest = [line.split()[1] for line in lines if line.startswith("  seeded@smoke  ")]
    assert weakest == [f"s{at:02}" for at in range(10)]
    assert "20 more slices with --all; in 0 of all 30 no loss can be significant" in done.output
    assert "  reference/seeded@smoke/cpu-hash/keyword: no R@5 on 5 slices" in lines
    whole = run("audit", "--all", *DAY).output
    assert all(f"/{cell.split('/')[2]}/" in whole for cell in many(30))
    assert "with --all" not in whole


def test_a_flagged_budget_stands_at_the_top_and_not_among_the_others(project: Path) -> None:
    budget(project, "min: 0.5")
    done = run("audit", *DAY)
    assert done.output.count("zh-Hans/cpu-hash/keyword/none/R@5") == 2
    assert "The most room" not in done.output


def test_settings_without_budgets_are_told_so(project: Path) -> None:
    (project / "gate.yml").write_text("store: reference\n", encoding="utf-8")
    done = run("audit", *DAY)
    assert done.return_value == 0
    assert done.output.startswith("No budgets: the settings name no file")


def test_text_of_others_is_shown_and_not_obeyed(project: Path) -> None:
    hostile = SLICE.replace("zh-Hans", "::error::x \u202e##[group]")
    results_in(project / "gate-results", cells_of({**VALUES, hostile: (1.0, 20)}))
    more = 'waivers:\n  - cell: "*/*/*/*/*/*/*"\n    until: 2026-12-01\n    reason: "::warning::\u202e ##[error]"\n'
    budget(project, "min: 0.95", more)
    done = run("audit", "--all", *DAY)
    assert "\u202e" not in done.output
    assert "##[" not in done.output
    assert not any(line.lstrip().startswith("::") for line in done.output.splitlines())


@pytest.mark.parametrize(("digest", "known"), [("", True), ("0" * 64, False)])
def test_clusters_are_those_of_the_corpus_that_was_measured(project: Path, digest: str, known: bool) -> None:
    cell = SLICE.replace("zh-Hans", "facts")
    results_in(project / "gate-results", cells_of({cell: (1.0, 20)}), digest=digest)
    (one,) = json.loads(run("audit", "--json", *DAY).output)["slices"]
    assert (one["clusters"] is not None) == known


@pytest.mark.parametrize("dirty", [True, False, None])
def test_a_commit_that_files_differed_from_is_told(project: Path, dirty: bool | None) -> None:
    results_in(project / "gate-results", cells_of(VALUES), dirty=dirty)
    for verb in ("audit", "suggest"):
        assert ("0123456789ab" in run(verb, *DAY).output) is True
        assert ("with uncommitted changes" in run(verb, *DAY).output) is (dirty is True)
    assert json.loads(run("audit", "--json", *DAY).output)["against"]["dirty"] is (dirty is True)


def test_suggest_prints_what_can_be_used(project: Path) -> None:
    done = run("suggest", *DAY)
    (project / "budgets.yml").write_text(done.output, encoding="utf-8")
    audited = run("audit", *DAY)
    assert audited.return_value == 0
    assert "2 budgets of budgets.yml" in audited.output


def test_suggest_gives_budgets_to_what_globs_choose(project: Path) -> None:
    results_in(project / "gate-results", cells_of({**VALUES, SLICE.replace("zh-Hans", "ja"): (0.9, 20)}))
    done = run("suggest", "--slice", "ja", "--mode", "key*", "--corpus", "*@smoke", *DAY)
    assert done.output.count("- cell:") == 1
    for flag in ("--slice", "--mode", "--corpus"):
        with pytest.raises(GateError) as caught:
            run("suggest", flag, "absent", "--out", "new.yml", *DAY)
        assert caught.value.exit_code == 3
    assert not (project / "new.yml").exists()


def test_suggest_writes_a_file_and_replaces_one_only_when_forced(project: Path) -> None:
    assert run("suggest", "--out", "new.yml", *DAY).return_value == 0
    first = (project / "new.yml").read_text(encoding="utf-8")
    with pytest.raises(GateError):
        run("suggest", "--out", "new.yml", "--headroom", "0.1", *DAY)
    assert (project / "new.yml").read_text(encoding="utf-8") == first
    assert run("suggest", "--out", "new.yml", "--headroom", "0.1", "--force", *DAY).return_value == 0
    assert (project / "new.yml").read_text(encoding="utf-8") != first


def test_without_results_the_committed_baselines_serve(project: Path) -> None:
    from gate.data import data_path

    (project / "gate-results" / "verdict.json").unlink()
    (project / "gate.yml").write_text(
        f"budgets: budgets.yml\nbaselines: {data_path('baselines')}\ncorpora: [seeded@smoke]\n", encoding="utf-8"
    )
    budget(project, "min: 0.95", cell="reference/seeded@*/zh-Hans/*/keyword/none/R@5")
    done = run("audit", *DAY)
    assert done.return_value == 0
    assert "held against the baselines in" in done.output
    assert "1 of 20" in done.output
    assert "baselines hold the gated store alone" in done.output
    contrast = (
        f'  - contrast: difference\n    of: "{SLICE}"\n    minus: "{SLICE.replace("reference", "whole-words")}"\n'
    )
    budget(project, "min: 0.95", f"{contrast}    min: 0.5\n")
    assert run("audit", *DAY).return_value == 0
    (project / "gate.yml").write_text("budgets: budgets.yml\nbaselines: .\n", encoding="utf-8")
    with pytest.raises(GateError):
        run("audit", *DAY)


@pytest.fixture
def accepted(project: Path) -> Path:
    """The same folder without results, and with the baselines that ship with the gate."""
    from gate.data import data_path

    (project / "gate-results" / "verdict.json").unlink()
    copytree(data_path("baselines"), project / "baselines")
    (project / "gate.yml").write_text("budgets: budgets.yml\ncorpora: [seeded@smoke]\n", encoding="utf-8")
    budget(project, "min: 0.95", cell="*/seeded@*/zh-Hans/*/keyword/none/R@5")
    return project


def cells_held() -> set[str]:
    (rule,) = json.loads(run("audit", "--json", *DAY).output)["rules"]
    return {one["cell"] for one in rule["cells"]}


def test_baselines_of_other_stores_corpora_and_arms_are_not_held_against(accepted: Path) -> None:
    own = accepted / "baselines" / "reference" / "seeded@smoke.cpu-hash.jsonl"
    arm = own.read_text(encoding="utf-8").replace("cpu-hash", "cpu-gone")
    own.with_name("seeded@smoke.cpu-gone.jsonl").write_text(arm, encoding="utf-8")
    (accepted / "baselines" / "gone").mkdir()
    text = own.read_text(encoding="utf-8").replace("reference/", "gone/").replace('"reference"', '"gone"')
    (accepted / "baselines" / "gone" / own.name).write_text(text, encoding="utf-8")
    assert cells_held() == {SLICE}
    own.unlink()
    with pytest.raises(GateError) as caught:
        run("audit", *DAY)
    assert caught.value.exit_code == 2


def test_a_store_named_by_its_factory_is_asked_for_its_name(accepted: Path) -> None:
    from gate.stores import STORES

    settings = (accepted / "gate.yml").read_text(encoding="utf-8")
    (accepted / "gate.yml").write_text(f"store: {STORES['reference']}\n{settings}", encoding="utf-8")
    assert cells_held() == {SLICE}
    (accepted / "gate.yml").write_text(f"store: absent:factory\n{settings}", encoding="utf-8")
    with pytest.raises(GateError, match="cannot be told") as caught:
        run("audit", *DAY)
    assert caught.value.exit_code == 2


def test_a_baseline_of_a_changed_commit_says_so(accepted: Path) -> None:
    own = accepted / "baselines" / "reference" / "seeded@smoke.cpu-hash.jsonl"
    head, _, rest = own.read_text(encoding="utf-8").partition("\n")
    for commit, dirty in (("0123456789abcdef", False), ("0123456789abcdef+", True)):
        own.write_text(json.dumps({**json.loads(head), "commit": commit}) + "\n" + rest, encoding="utf-8")
        said = run("audit", *DAY).output
        assert "made on 0123456789ab" in said
        assert ("with uncommitted changes" in said) is dirty


def test_an_interrupted_run_is_told_and_its_gaps_are_flagged(project: Path) -> None:
    path = project / "gate-results" / "verdict.json"
    results_in(project / "gate-results", cells_of({**VALUES, SLICE: (None, 0)}))
    text = (
        path.read_text(encoding="utf-8")
        .replace('"PASS"', '"INTERRUPTED"')
        .replace('"exit_code": 0', '"exit_code": 130')
    )
    path.write_text(text, encoding="utf-8")
    done = run("audit", *DAY)
    assert done.return_value == 1
    assert "the run was interrupted" in done.output
