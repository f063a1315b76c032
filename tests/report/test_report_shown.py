"""Lines of Python that show a finding, in every report: whole, copyable, and never obeyed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree as Xml

import pytest
from builders import check, measured
from markdown_it import MarkdownIt
from report_hostile import HOSTILE

from gate.records import Check, Verdict
from gate.report import REPORTS, ReportContext
from gate.report.json import from_json, to_json

CELL = "recall/probes@fast/paging/cpu-hash/keyword/probe/k-prefix"
SHOW = (
    "from recall import Recall; from gate.probes.by_hand import ids, opened",
    "store = opened(Recall);  store.add(SHELF.documents)",
    f"print(ids(store.search({'rain ' * 30!r}, 5, 'keyword')))",
)


def probed(show: tuple[str, ...] = SHOW) -> Check:
    found = check("fail", source="probe", check_id=f"probe {CELL}")
    return replace(
        found, cell=CELL, operator="", expected=None, actual=None, message="the first five differ", show=show
    )


def said(report: str, show: tuple[str, ...] = SHOW) -> str:
    verdict = Verdict("REGRESSION", 1, (probed(show),), (measured(1.0),))
    return REPORTS[report].render(verdict, ReportContext("gate-results", None))


def test_the_text_shows_every_line_whole_below_the_sentence() -> None:
    lines = said("text").split("\n")
    at = lines.index(f"  FAIL probe  {CELL}")
    assert lines[at + 1] == "    the first five differ"
    assert tuple(line.strip() for line in lines[at + 2 : at + 5]) == SHOW


def test_markdown_shows_the_lines_as_a_block_of_python() -> None:
    (fence,) = [token for token in MarkdownIt().parse(said("markdown")) if token.type == "fence"]
    assert fence.info == "python"
    assert tuple(fence.content.rstrip("\n").split("\n")) == SHOW


def test_junit_has_the_lines_in_the_failure_and_annotations_the_sentence() -> None:
    (failure,) = Xml.fromstring(said("junit")).iter("failure")
    assert failure.get("message") == "the first five differ"
    assert (failure.text or "").split("\n")[-3:] == list(SHOW)
    annotation = said("annotations")
    assert annotation.count("\n") == 1
    assert CELL in annotation
    assert "the first five differ" in annotation


def test_json_keeps_the_lines_and_a_check_without_any_has_no_such_key() -> None:
    verdict = Verdict("REGRESSION", 1, (probed(), check("pass")), (measured(1.0),))
    text = to_json(verdict)
    assert from_json(text, Path("verdict.json")) == verdict
    assert text.count('"show"') == 1


@pytest.mark.parametrize("report", sorted(REPORTS))
def test_no_line_is_obeyed(report: str) -> None:
    for text in HOSTILE:
        said(report, (text, f"x = {text}")).encode()


def test_no_line_ends_its_block() -> None:
    for text in (*HOSTILE, "```", "````\n# heading", "`" * 12):
        blocks = [
            token for token in MarkdownIt().parse(said("markdown", ("first", text, "last"))) if token.type == "fence"
        ]
        assert len(blocks) == 1, ascii(text[:40])
        assert blocks[0].content.startswith("first\n")
        assert blocks[0].content.endswith("last\n")
        assert blocks[0].content.count("\n") == 3
