from __future__ import annotations

import re
from dataclasses import replace

import pytest
from report_verdicts import BASELINE_LOST, BOTH, BUDGET_BROKEN, GREEN, INTERRUPTED, KEYS, VERDICTS, cell_key, check

from gate.records import Ahead, MovedDoc, TopicMove, Verdict
from gate.report import ReportContext
from gate.report.text import render_text


def said(verdict: Verdict, width: int = 100, colour: bool = False, seconds: float | None = None) -> str:
    return render_text(verdict, ReportContext("gate-results", seconds, width, colour))


@pytest.mark.parametrize("name", VERDICTS)
def test_the_verdict_comes_first_and_a_planted_defect_before_it(name: str) -> None:
    lines = said(VERDICTS[name]).split("\n")
    if VERDICTS[name].planted:
        assert lines.pop(0) == f"A DEFECT WAS PLANTED: {VERDICTS[name].planted}"
        lines.pop(0)
    assert lines[0].startswith(VERDICTS[name].verdict)


def test_a_planted_defect_is_told_of_a_pass_too() -> None:
    assert said(replace(GREEN, planted="reversed")).startswith("A DEFECT WAS PLANTED: reversed\n")


def test_a_green_run_is_short() -> None:
    assert len(said(GREEN).split("\n")) < 15
    assert not re.search(r"FAIL|next:", said(GREEN))


def test_a_red_run_shows_no_table() -> None:
    assert "slice " in said(GREEN)
    assert "slice " not in said(replace(BUDGET_BROKEN, checks=BUDGET_BROKEN.checks[2:]))


def test_a_lost_document_is_told_with_its_ranks_and_what_is_ahead() -> None:
    text = said(BASELINE_LOST)
    assert re.search(r"fell +rank 2 -> 14 +d-203", text)
    assert re.search(r"lost +rank 5 -> gone +d-204", text)
    assert re.search(r"ahead now +rank 1 +d-511", text)
    assert re.search(r"forbidden +absent -> rank 3 +d-077 +\(must not come back: superseded\)", text)


def test_losses_come_before_gains() -> None:
    moved = tuple(reversed(KEYS.moved))
    rule = replace(BASELINE_LOST.checks[0], moves=(replace(KEYS, moved=moved),))
    whats = re.findall(r"^ +(lost|fell|gained) ", said(replace(BASELINE_LOST, checks=(rule,))), re.MULTILINE)
    assert sorted(whats[:2]) == ["fell", "lost"]
    assert whats[2:] == ["gained"]


def test_what_is_left_out_is_counted() -> None:
    many = tuple(MovedDoc(f"d-{n}", 1, 1, None) for n in range(8))
    ahead = tuple(Ahead(f"a-{n}", n + 1) for n in range(4))
    moves = tuple(TopicMove(f"q-{n}", "who is on call?", 1.0, 0.0, many, ahead) for n in range(9))
    failing = [check("baseline", "fail", cell=cell_key(f"s{n}"), actual=0.1, moves=moves) for n in range(23)]
    text = said(Verdict("REGRESSION", 1, tuple(failing), ()))
    assert "Failed (23)" in text
    assert "and 3 more of these in verdict.json" in text
    assert "and 6 more queries in verdict.json" in text
    assert "and 5 more documents, and 1 more ahead" in text


@pytest.mark.parametrize("width", [1, 40, 60, 100, 200])
def test_texts_are_cut_at_the_width_and_names_are_not(width: int) -> None:
    text = said(BOTH, width=width)
    assert "reference/seeded@1k/all/cpu-hash/keyword/none/R@5" in text
    limit = max(width, 40)
    for line in text.split("\n"):
        if "note:" in line:
            assert len(line) <= limit


def test_a_long_query_takes_one_line() -> None:
    long = replace(KEYS, query="深夜值班时数据库突然变慢" * 200, moved=(), ahead=())
    rule = replace(BASELINE_LOST.checks[0], moves=(long,))
    (line,) = [line for line in said(replace(BASELINE_LOST, checks=(rule,))).split("\n") if "query q-17" in line]
    assert line.endswith("…")
    # Every character of Han takes two columns.
    assert 90 < len(line) + sum(character > "\u3000" for character in line) <= 100


def test_marks_without_width_do_not_make_a_line_endless() -> None:
    heaped = replace(KEYS, query="e" + "\u0301" * 5000, moved=(), ahead=())
    rule = replace(BASELINE_LOST.checks[0], moves=(heaped,))
    assert max(len(line) for line in said(replace(BASELINE_LOST, checks=(rule,))).split("\n")) < 300


def test_colour_only_where_it_is_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("FORCE_COLOR", "CLICOLOR_FORCE", "TTY_COMPATIBLE", "TTY_INTERACTIVE"):
        monkeypatch.setenv(name, "1")
    assert "\x1b" not in said(BOTH)
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("TERM", "dumb")
    monkeypatch.setenv("COLUMNS", "20")
    assert "\x1b[" in said(BOTH, colour=True)
    assert re.sub(r"\x1b\[[0-9;]*m", "", said(BOTH, colour=True)) == said(BOTH)


def test_the_time_is_told_only_where_it_is_known() -> None:
    assert "; 4.2 s" in said(GREEN, seconds=4.21)
    assert " s\n" not in said(GREEN)


def test_an_interrupted_run_says_what_was_kept() -> None:
    text = said(INTERRUPTED)
    assert "reference/seeded@1k/cpu-hash/keyword/none  2 of 2 cells" in text
    assert "next: Run the same command again" in text


def test_the_documents_of_a_query_are_told_once_and_then_pointed_at() -> None:
    failing = next(check for check in BUDGET_BROKEN.checks if check.moves)
    again = replace(failing, check_id="again", cell=failing.cell.replace("R@5", "nDCG@10"))
    text = said(replace(BUDGET_BROKEN, checks=(failing, again)))
    topic = failing.moves[0]
    assert text.count(f"query {topic.topic_id}") == 2
    assert text.count(topic.query[:20]) == 1
    assert "as above" in text
