"""`gate compare` as a user runs it: every exit code, both kinds of input, and every kind of bad input."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from comparison_builders import found, methodology, results, subject
from conftest import RunGate

from gate.__main__ import _run
from gate.report.json import from_json


@dataclass(frozen=True)
class Done:
    code: int
    out: str
    err: str


Command = Callable[..., Done]


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Command:
    """Runs `gate compare ARGUMENTS` in an empty folder of its own."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str) -> Done:
        code = _run(["compare", *arguments])
        told = capsys.readouterr()
        assert "Traceback" not in told.err + told.out
        return Done(code, told.out, told.err)

    return run


@pytest.fixture
def two(tmp_path: Path) -> tuple[str, str]:
    """A folder, and one that lost 30 of 100 topics."""
    results(tmp_path / "a", {"keyword": found(100)}, subject(100))
    results(tmp_path / "b", {"keyword": found(100, lost=range(30))}, subject(100))
    return "a", "b"


def trec(folder: Path, name: str, answers: dict[str, list[str]]) -> str:
    lines = [
        f"{topic} Q0 {doc} {rank} {1 / rank} tag\n"
        for topic, docs in answers.items()
        for rank, doc in enumerate(docs, 1)
    ]
    (folder / name).write_text("".join(lines), encoding="utf-8")
    return name


def qrels(folder: Path, number: int = 100) -> str:
    lines = [f"q{n:03} 0 d-q{n:03} 1\n" for n in range(number)]
    (folder / "judged.qrels").write_text("".join(lines), encoding="utf-8")
    return "judged.qrels"


def test_the_whole_command_in_a_process_of_its_own(run_gate: RunGate, tmp_path: Path) -> None:
    results(tmp_path / "a", {"keyword": found()})
    done = run_gate("compare", "a", "a")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("PASS  no rank moved in any of 6 cells  (exit 0)")
    assert (tmp_path / "gate-compare" / "verdict.json").is_file()


def test_0_a_folder_with_itself(gate: Command, two: tuple[str, str]) -> None:
    done = gate("a", "a")
    assert (done.code, done.out.splitlines()[0]) == (0, "PASS  no rank moved in any of 6 cells  (exit 0)")


def test_0_where_cells_got_better(gate: Command, two: tuple[str, str]) -> None:
    done = gate("b", "a")
    assert done.code == 0
    assert "better" in done.out


def test_1_where_a_cell_got_worse_with_a_verdict_on_disk(gate: Command, two: tuple[str, str], tmp_path: Path) -> None:
    done = gate(*two)
    assert (done.code, done.out.splitlines()[0]) == (1, "REGRESSION  4 worse, 2 same of 6 cells  (exit 1)")
    path = tmp_path / "gate-compare" / "verdict.json"
    verdict = from_json(path.read_text(encoding="utf-8"), path)
    assert (verdict.verdict, verdict.exit_code) == ("REGRESSION", 1)
    assert (path.parent / "report.md").read_text(encoding="utf-8").startswith("## REGRESSION")
    assert gate(*two, "--fail-on", "never").code == 0


def test_2_where_the_question_was_another_with_a_verdict_on_disk(gate: Command, tmp_path: Path) -> None:
    results(tmp_path / "a", {"keyword": found()})
    results(tmp_path / "b", {"keyword": found()}, fields=methodology(corpus="0" * 8))
    done = gate("a", "b")
    assert done.code == 2
    assert "corpus is f7da07ee in A and 00000000 in B" in " ".join(done.out.split())
    assert json.loads((tmp_path / "gate-compare" / "verdict.json").read_text(encoding="utf-8"))["exit_code"] == 2


def test_2_beats_1_and_allowing_gives_1_back(gate: Command, tmp_path: Path) -> None:
    results(tmp_path / "a", {"keyword": found(100), "vector": found(100)}, subject(100))
    results(tmp_path / "b", {"keyword": found(100, lost=range(30))}, subject(100))
    assert gate("a", "b").code == 2
    assert gate("a", "b", "--not-measured", "allow").code == 1
    assert gate("a", "b", "--mode", "keyword").code == 1
    assert gate("a", "b", "--mode", "!vector").code == 1


def test_2_an_interrupted_run(gate: Command, tmp_path: Path) -> None:
    results(tmp_path / "a", {"keyword": found()})
    results(tmp_path / "b", {"keyword": "stopped after 3 topics"}, interrupted=True)
    done = gate("a", "b")
    assert done.code == 2
    assert "not measured in B: stopped after 3 topics" in " ".join(done.out.split())


def test_trec_files_are_paired_on_their_topics(gate: Command, tmp_path: Path) -> None:
    judged = qrels(tmp_path)
    a = trec(tmp_path, "a.run", found(100))
    b = trec(tmp_path, "b.run", found(100, lost=range(30)))
    done = gate(a, b, "--qrels", judged)
    assert done.code == 1
    assert "judged@full: paired on 100 topics, in 1 run" in done.out
    assert gate(a, a, "--qrels", judged).code == 0


def test_trec_topics_on_one_side_only_are_told_or_count_as_finding_nothing(gate: Command, tmp_path: Path) -> None:
    judged = qrels(tmp_path)
    a = trec(tmp_path, "a.run", {**found(100), "q999": ["d"]})
    b = trec(tmp_path, "b.run", {topic: docs for topic, docs in found(100).items() if topic > "q029"})
    done = gate(a, b, "--qrels", judged)
    told = " ".join(done.out.split())
    assert done.code == 2
    assert "paired on 70 topics; 30 only in A: q000, q001, q002, ..." in told
    assert "A: 1 topic without judgements, left out" in told
    assert "B: 30 judged topics without a line, taken as not asked" in told
    done = gate(a, b, "--qrels", judged, "--complete")
    assert done.code == 1
    assert "B: 30 judged topics without a line, counted as finding nothing" in " ".join(done.out.split())


def test_repeats(gate: Command, tmp_path: Path) -> None:
    for name in "abc":
        results(tmp_path / name, {"keyword": found()})
    done = gate("--seeds", "a", "b", "c")
    assert done.code == 0
    assert "identical in 3 repeats" in done.out


def test_json_and_markdown_go_to_files_or_to_the_terminal(gate: Command, two: tuple[str, str], tmp_path: Path) -> None:
    done = gate(*two, "--json", "c.json", "--markdown", "c.md")
    assert done.out.startswith("REGRESSION")
    kept = tmp_path / "gate-compare"
    assert (tmp_path / "c.json").read_text(encoding="utf-8") == (kept / "comparison.json").read_text(encoding="utf-8")
    assert (tmp_path / "c.md").read_text(encoding="utf-8") == (kept / "report.md").read_text(encoding="utf-8")
    assert json.loads(gate(*two, "--json", "-").out)["kind"] == "comparison"
    assert gate(*two, "--markdown", "-").out.startswith("## REGRESSION")


def test_a_second_comparison_replaces_the_first(gate: Command, two: tuple[str, str], tmp_path: Path) -> None:
    assert gate(*two).code == 1
    assert gate("a", "a").code == 0
    assert json.loads((tmp_path / "gate-compare" / "verdict.json").read_text(encoding="utf-8"))["verdict"] == "PASS"


def test_results_of_a_run_are_never_written_over(gate: Command, two: tuple[str, str], tmp_path: Path) -> None:
    (tmp_path / "a" / ".gate-results").touch()
    before = {path: path.read_bytes() for path in (tmp_path / "a").rglob("*") if path.is_file()}
    for arguments in (("--out", "a"), ("--json", "a/verdict.json"), ("--markdown", "b/x.md")):
        done = gate(*two, *arguments)
        assert done.code == 3, arguments
    assert {path: path.read_bytes() for path in (tmp_path / "a").rglob("*") if path.is_file()} == before
    assert not (tmp_path / "b" / "x.md").exists()


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ((), "RUN_A RUN_B"),
        (("a",), "two results are compared, not 1"),
        (("a", "b", "a"), "two results are compared, not 3"),
        (("a", "absent"), "there is no such folder"),
        (("a", "empty"), "there is no finished run in this folder"),
        (("a", "a.run"), "one of these is a folder and one a file"),
        (("a.run", "a.run"), "--qrels FILE"),
        (("a", "b", "--qrels", "judged.qrels"), "own judgements"),
        (("a", "b", "--complete"), "TREC files"),
        (("a.run", "absent.run", "--qrels", "judged.qrels"), "absent.run"),
        (("a.run", "a.run", "--qrels", "absent.qrels"), "absent.qrels"),
        (("a", "b", "--measure", "nDGC@10"), "nDCG"),
        (("a", "b", "--measure", "R"), "needs a cutoff"),
        (("a", "b", "--measure", "R@500"), "further down"),
        (("a.run", "a.run", "--qrels", "judged.qrels", "--measure", "Refused"), "does not say what Refused needs"),
        (("a.run", "a.run", "--qrels", "judged.qrels", "--measure", "Coverage"), "does not say what Coverage needs"),
        (("a", "b", "--slice", "frist"), "did you mean 'first'?"),
        (("a", "b", "--mode", "keywrod"), "did you mean 'keyword'?"),
        (("a", "b", "--fault", "embedder-nan"), "no fault"),
        (("a", "b", "--equivalence", "nan"), "margin"),
        (("a", "b", "--equivalence", "20"), "measures run from 0 to 1"),
        (("a", "b", "--equivalence", "0"), "margin"),
        (("a", "b", "--json", "-", "--markdown", "-"), "both"),
        (("a", "b", "--out", "a.run"), "a.run"),
        (("a", "b", "--out", "other"), "not the results of a comparison"),
        (("--seeds", "a"), "no deviation"),
        (("--seeds", "a", "a.run"), "there is no finished run in this folder"),
        (("--seeds", "a", "./a"), "given twice"),
        (("--seeds", "a", "b", "--equivalence", "0.02"), "--seeds"),
        (("a", "b", "--al"), "--all"),
    ],
)
def test_3_usage(gate: Command, two: tuple[str, str], tmp_path: Path, arguments: tuple[str, ...], says: str) -> None:
    trec(tmp_path, "a.run", found(100))
    qrels(tmp_path)
    (tmp_path / "empty").mkdir()
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "mine.txt").write_text("mine", encoding="utf-8")
    done = gate(*arguments)
    assert done.code == 3, done.out
    assert says in " ".join(done.err.split())
    assert not (tmp_path / "gate-compare" / "verdict.json").exists()


@pytest.mark.parametrize(
    ("file", "text", "says"),
    [
        ("a.run", "q000 Q0 d-q000 1 2.0 tag\nq000 Q0 x 2", "a.run:2: 6 columns belong here, not 4 (cut short?)"),
        ("a.run", "q000 Q0 d-q000 1 NaN tag\n", 'a.run:1: the score is "NaN"'),
        ("a.run", "q000 Q0 d 1 2 tag\nq000 Q0 d 2 1 tag\n", "a.run:2: topic"),
        ("a.run", "q\x1b[31m Q0 d 1 high tag\n", "a.run:1: the score is"),
        ("a.run", "other Q0 d 1 2 tag\n", "none of the topics in this run is judged"),
        ("a.run", "", "none of the topics in this run is judged"),
        ("judged.qrels", "q000 0 d-q000 relevant\n", 'judged.qrels:1: the grade is "relevant"'),
        ("judged.qrels", "", "judged.qrels:1: there is no judgement"),
    ],
)
def test_3_bad_trec_files(gate: Command, tmp_path: Path, file: str, text: str, says: str) -> None:
    trec(tmp_path, "a.run", found(100))
    trec(tmp_path, "b.run", found(100))
    qrels(tmp_path)
    (tmp_path / file).write_text(text, encoding="utf-8")
    done = gate("a.run", "b.run", "--qrels", "judged.qrels")
    assert done.code == 3, done.out
    assert says in " ".join(done.err.split())
    assert "\x1b" not in done.err
    assert (tmp_path / file).read_text(encoding="utf-8") == text


@pytest.mark.parametrize("file", ["verdict.json", "manifest.json", "topics/seeded.smoke.json"])
@pytest.mark.parametrize("text", ["", "{", "[]", '{"schema": 99}', "\x00"])
def test_3_bad_folders(gate: Command, two: tuple[str, str], tmp_path: Path, file: str, text: str) -> None:
    (tmp_path / "b" / file).write_text(text, encoding="utf-8")
    done = gate(*two)
    assert done.code == 3, done.out
    assert file.rpartition("/")[2] in done.err


def test_help_names_what_there_is(gate: Command) -> None:
    done = gate("--help")
    assert done.code == 0
    for option in ("--qrels", "--seeds", "--equivalence", "--all", "Exit codes"):
        assert option in done.out


def test_output_does_not_go_over_the_judgements_nor_twice_into_one_file(gate: Command, tmp_path: Path) -> None:
    (tmp_path / "q.qrels").write_text("q1 0 d1 1\n", encoding="utf-8")
    for name in ("a.run", "b.run"):
        (tmp_path / name).write_text("q1 Q0 d1 1 1 x\n", encoding="utf-8")
    for options in (("--json", "q.qrels"), ("--json", "m", "--markdown", "m")):
        done = gate("a.run", "b.run", "--qrels", "q.qrels", *options)
        assert (done.code, "compare-output" in done.err) == (3, True)
    assert (tmp_path / "q.qrels").read_text(encoding="utf-8") == "q1 0 d1 1\n"


def test_output_through_a_link_leaves_the_link(gate: Command, two: tuple[str, str], tmp_path: Path) -> None:
    target, link = tmp_path / "real.json", tmp_path / "link.json"
    target.write_text("old", encoding="utf-8")
    link.symlink_to(target)
    gate(*two, "--json", "link.json")
    assert link.is_symlink()
    assert target.read_text(encoding="utf-8").startswith("{")


def test_a_run_file_that_was_cut_at_the_end_of_a_line_is_noticed(
    gate: Command, two: tuple[str, str], tmp_path: Path
) -> None:
    run = next((tmp_path / two[0] / "runs").glob("*.run"))
    lines = run.read_text(encoding="utf-8").splitlines(keepends=True)
    run.write_text("".join(lines[:-1]), encoding="utf-8")
    done = gate(*two)
    assert (done.code, "was cut or changed" in done.err) == (3, True)


def test_noisy_results_are_not_compared_by_one_of_their_measurements(
    gate: Command, two: tuple[str, str], tmp_path: Path
) -> None:
    path = tmp_path / two[0] / "manifest.json"
    manifest = json.loads(path.read_text(encoding="utf-8"))
    manifest["trials"][0]["protocol"] = {"repeats": 5}
    path.write_text(json.dumps(manifest), encoding="utf-8")
    done = gate(*two)
    assert (done.code, "was measured 5 times" in done.err) == (2, True)
