from __future__ import annotations

from report_verdicts import GREEN

from gate.report import REPORTS, ReportContext


def test_every_report_has_a_file_of_its_own_and_ends_with_a_newline() -> None:
    names = [report.file_name for report in REPORTS.values()]
    assert len(set(names)) == len(names)
    assert {"verdict.json", "report.md"} <= set(names)
    for report in REPORTS.values():
        assert report.render(GREEN, ReportContext("gate-results", None)).endswith("\n")
