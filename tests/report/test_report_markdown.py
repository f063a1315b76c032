from __future__ import annotations

import re
from dataclasses import replace

import pytest
from markdown_it import MarkdownIt
from report_verdicts import BASELINE_LOST, BOTH, GREEN, KEYS, VERDICTS, WARNED, cell_key, check, unmeasured

from gate.records import TopicMove, Verdict
from gate.report import ReportContext
from gate.report.markdown import render_markdown


def said(verdict: Verdict, seconds: float | None = None) -> str:
    return render_markdown(verdict, ReportContext("gate-results", seconds))


@pytest.mark.parametrize("name", VERDICTS)
def test_the_verdict_comes_first_and_a_planted_defect_before_it(name: str) -> None:
    verdict = VERDICTS[name]
    first = said(verdict).split("\n")[0]
    wanted = "> **A DEFECT WAS PLANTED:**" if verdict.planted else f"## {verdict.verdict.replace('_', ' ')}"
    assert first.startswith(wanted)


def test_a_failed_check_is_a_row_with_both_figures_and_its_rule() -> None:
    row = (
        "| budget | `reference/seeded@1k/zh-Hans/cpu-hash/keyword/none/R@5` | 0.8996 | at least 0.9000 "
        "| `budgets/recall.yml:5` |"
    )
    assert row in said(BOTH).split("\n")


def test_a_check_of_the_base_as_a_whole_has_no_cell() -> None:
    lost = replace(check("base", "fail", cell=cell_key(), message="the settings were there before"), cell="")
    text = said(replace(BOTH, checks=(lost,)))
    assert "| base |  |  |  |  |" in text.split("\n")
    assert "\n`base`: the settings were there before\n" in text
    assert "(empty)" not in text


def test_unmeasured_is_never_a_number() -> None:
    assert re.search(r"\| plan \| `[^`]+` and 1 more cell \| not measured \|  \|  \|", said(BOTH))


def test_lost_documents_are_folded_away() -> None:
    text = said(BASELINE_LOST)
    assert text.index("<details>") < text.index("fell, rank 2 → 14, `d-203`") < text.index("</details>")


def test_what_changed_and_what_was_waived_is_folded_away() -> None:
    assert "<details><summary>Changed, and allowed: 1</summary>" in said(BASELINE_LOST)
    assert "<details><summary>Waived: 1</summary>" in said(WARNED)


@pytest.mark.parametrize("name", VERDICTS)
def test_details_are_closed_and_every_table_is_one(name: str) -> None:
    text = said(VERDICTS[name])
    assert text.count("<details>") == text.count("</details>")
    tokens = MarkdownIt("commonmark").enable("table").parse(text)
    assert sum(token.type == "table_open" for token in tokens) == len(re.findall(r"^\| --- \|", text, re.MULTILINE))


def test_a_comment_on_github_can_hold_the_worst_of_reports() -> None:
    """65,536 characters: what an issue comment may have, by GitHub's own message."""
    moves = tuple(
        TopicMove("q" * 500, "深夜值班" * 500, 1.0, 0.0, KEYS.moved * 50, KEYS.ahead * 50) for _ in range(100)
    )
    checks = [
        check(
            "baseline", status, cell=cell_key("s" * 300), expected=0.9, actual=0.1, level=level,
            message="<&|*`@x " * 500, where="w" * 300, moves=moves,
        )
        for status, level in (("fail", "error"), ("fail", "warn"), ("pass", "error"), ("waived", "error"))
        for _ in range(200)
    ]  # fmt: skip
    lost = [check("plan", "not measured", cell=cell_key(f"t{n}"), message=f"{n} <&|*`@x " * 99) for n in range(200)]
    cells = tuple(unmeasured("it raised", of=cell_key(f"{n}-{'s' * 200}")) for n in range(500))
    worst = Verdict("REGRESSION", 1, (*checks, *lost), cells, ("note " * 500,) * 100, ("--mode x" * 500,) * 50)
    text = said(worst)
    assert len(text) < 65_536
    assert "and 195 more of these in verdict.json" in text


def test_a_report_of_usual_size_has_its_details() -> None:
    rule = BASELINE_LOST.checks[0]
    text = said(replace(BASELINE_LOST, checks=(rule,) * 30))
    assert text.count("<summary>4 queries") == 8
    assert "and 10 more of these in verdict.json" in text
    assert "and 12 more with details in verdict.json" in text


def test_the_time_is_told_only_where_it_is_known() -> None:
    assert "; 4.2 s. Results" in said(GREEN, seconds=4.21)
    assert "s. Results" not in said(GREEN)
