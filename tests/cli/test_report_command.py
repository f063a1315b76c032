"""`gate report` as a user runs it, on results written by hand."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from headroom_cells import cells_of, results_in

from gate.cli.report import report
from gate.errors import GateError

# Characters that no YAML file of ours may hold.
UNWRITABLE = re.compile("[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff]")
HOSTILE = (
    "\x1b[31mred\x1b[0m",
    "\x9b31mred by one byte",
    "nul\x00byte",
    "lone \ud800 surrogate",
    "two\nlines",
    "next\x85line, line\u2028separator",
    "\u202egnp.exe",
    "\u2066isolate\u2069 zero\u200bwidth",
    "`code` and ``more``",
    "| a | b |",
    "a|b\\|c",
    "\\",
    "**bold** <b>tag</b> [text](https://example.org)",
    "@everyone fixes #1",
    "# heading",
    "שלום עולם",
)
CELL = "mine/longmemeval-s@full/all/cpu-hash/hybrid/none/Hit@5"
TRIAL = {
    "store": "mine",
    "corpus": "longmemeval-s@full",
    "arm": "cpu-hash",
    "protocol": {"granularity": "session", "depth": 100, "dedup": False},
}
PUBLISHED = """schema: 1
datasets:
  - name: LongMemEval-S
    about: 500 questions
    source: {url: "https://example.org/data", seen: 2026-11-30}
entries:
  - dataset: LongMemEval-S
    kind: retrieval
    system: one like this
    measure: Hit@5
    value: 0.9661
    protocol: {granularity: session, k: 5, topics: 470, dedup: first, haystack: shared}
    source: {url: "https://example.org/one", seen: 2026-11-30}
    dispute: another team found less
  - dataset: LongMemEval-S
    kind: retrieval
    system: one of turns
    measure: Hit@5
    value: 0.5
    protocol: {granularity: turn, k: 5, topics: 470, dedup: first}
    source: {url: "https://example.org/two", seen: 2026-11-30}
  - dataset: LongMemEval-S
    kind: retrieval
    system: one that says little
    measure: Hit@5
    value: 0.6
    source: {url: "https://example.org/three", seen: 2026-11-30}
  - dataset: LongMemEval-S
    kind: answers
    system: one that answers
    measure: accuracy
    value: 0.7
    protocol: {answerer: model-a, judge: model-b}
    source: {url: "https://example.org/four", seen: 2026-11-30}
"""


def run(*arguments: str) -> Result:
    result = CliRunner().invoke(report, arguments, standalone_mode=False)
    if result.exception is not None:
        raise result.exception
    assert result.return_value == 0
    return result


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    results(tmp_path)
    (tmp_path / "published.yml").write_text(PUBLISHED, encoding="utf-8")
    return tmp_path


def results(folder: Path, planted: str = "") -> None:
    results_in(folder / "gate-results", cells_of({CELL: (0.91, 470)}), planted=planted)
    manifest = json.dumps({"trials": [TRIAL], "seconds": 3.21})
    (folder / "gate-results" / "manifest.json").write_text(manifest, encoding="utf-8")


def row(text: str, holds: str) -> str:
    return next(line for line in text.splitlines() if holds in line)


def test_the_reports_are_printed_again(project: Path) -> None:
    assert run().output.startswith("PASS")
    assert "3.2 s" in run().output
    assert run("--format", "markdown").output.startswith("## PASS")
    written = (project / "gate-results" / "verdict.json").read_text(encoding="utf-8")
    assert run("--format", "json").output == written


def test_each_published_row_says_whether_its_protocol_matches(project: Path) -> None:
    said = run("--published", "published.yml").output
    assert "mine, hybrid, cpu-hash" in row(said, "here  LongMemEval-S")
    assert "0.910" in row(said, "here  LongMemEval-S")
    assert row(said, "one like this").endswith("matches")
    assert row(said, "one of turns").endswith("differs: granularity is session here, turn there")
    assert row(said, "one that says little").endswith("not known: granularity is not published")
    assert "0.9661" in row(said, "one like this")


def test_retrieval_and_answers_stand_in_two_tables(project: Path) -> None:
    said = run("--published", "published.yml").output
    retrieval, answers = said.split("Retrieval: ")[1].split("Answers: ")
    assert "one that answers" not in retrieval
    assert "one that answers" in answers
    assert "model-a" in row(answers, "one that answers")
    assert "model-b" in row(answers, "one that answers")
    assert "mine, hybrid" not in answers
    assert "one like this" not in answers


def test_sources_and_disputes_are_told(project: Path) -> None:
    said = " ".join(run("--published", "published.yml").output.split())
    assert "[1] https://example.org/one, seen 2026-11-30. Disputed: another team found less" in said
    assert "LongMemEval-S: 500 questions https://example.org/data" in said


def test_markdown_has_the_same_tables(project: Path) -> None:
    said = run("--published", "published.yml", "--format", "markdown").output
    assert "| matches |" in said
    assert "| one that answers |" in said
    assert row(said, "one like this").count("|") == row(said, "| here |").count("|")


def test_a_corpus_of_another_name_is_not_compared(project: Path) -> None:
    results_in(project / "gate-results", cells_of({CELL.replace("longmemeval-s", "notes"): (0.91, 470)}))
    said = run("--published", "published.yml", "--all").output
    assert "here  " not in said
    assert row(said, "one like this").endswith("not measured here")


@pytest.mark.parametrize("style", ["text", "markdown"])
def test_a_dataset_of_which_nothing_was_measured_is_one_line(project: Path, style: str) -> None:
    flags = ("--published", "published.yml", "--format", style)
    other = (
        '  - name: LoCoMo\n    about: ten talks\n    source: {url: "https://example.org", seen: 2026-11-30}\nentries:'
    )
    (project / "published.yml").write_text(PUBLISHED.replace("entries:", other), encoding="utf-8")
    said = run(*flags).output
    assert "one like this" in said
    assert "no corpus of this name" in row(said, "LoCoMo")
    assert "ten talks" not in said
    assert "ten talks" in run(*flags, "--all").output
    results_in(project / "gate-results", cells_of({CELL.replace("longmemeval-s", "notes"): (0.91, 470)}))
    said = run(*flags).output
    assert "one like this" not in said
    assert "4 published figures, and no corpus of this name" in row(said, "LongMemEval-S")
    assert "example.org" not in said
    assert "Answers" not in said


@pytest.mark.parametrize("text", HOSTILE)
def test_text_of_others_is_shown_and_not_obeyed(project: Path, text: str) -> None:
    hostile = json.dumps(f"{text} ::error::x ##[group]")
    (project / "published.yml").write_text(
        PUBLISHED.replace("one like this", hostile).replace("another team found less", hostile), encoding="utf-8"
    )
    if UNWRITABLE.search(text):
        with pytest.raises(GateError) as caught:
            run("--published", "published.yml")
        assert caught.value.exit_code == 3
        return
    for style in ("text", "markdown"):
        said = run("--published", "published.yml", "--format", style).output
        assert not set(said) & set("\x9b\x85\u202e\u202d\u2066\u200b\u2028")
        assert "##[" not in said
        assert not any(line.lstrip().startswith("::") for line in said.splitlines())
        rows = [line.replace("\\|", "") for line in said.splitlines() if "| LongMemEval-S | `Hit@5`" in line]
        assert len({line.count("|") for line in rows}) == (style == "markdown")


def test_3_there_is_nothing_to_show(project: Path) -> None:
    with pytest.raises(GateError) as caught:
        run("nowhere")
    assert (caught.value.exit_code, caught.value.slug) == (3, "no-results")


def test_2_a_planted_defect_stands_beside_nothing_published(project: Path) -> None:
    results(project, planted="ascii-only")
    assert "A DEFECT WAS PLANTED" in run().output
    with pytest.raises(GateError) as caught:
        run("--published", "published.yml")
    assert caught.value.exit_code == 2


@pytest.mark.parametrize(
    "arguments",
    [
        ("--published", "absent.yml"),
        ("--published", "gate-results/verdict.json"),
        ("--published", "published.yml", "--format", "json"),
    ],
)
def test_3_usage(project: Path, arguments: tuple[str, ...]) -> None:
    with pytest.raises(GateError) as caught:
        run(*arguments)
    assert caught.value.exit_code == 3
