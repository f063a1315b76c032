"""Every report of every verdict, byte for byte. Set GATE_UPDATE_GOLDEN=1 to write what they now say."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from report_verdicts import VERDICTS

from gate.report import REPORTS, ReportContext

GOLDEN = Path(__file__).parent.parent / "golden" / "report"
CASES = [(verdict, report) for verdict in VERDICTS for report in REPORTS]


@pytest.mark.parametrize(("verdict", "report"), CASES)
def test_report_says_what_it_said(verdict: str, report: str) -> None:
    context = ReportContext(results="gate-results", seconds=4.21)
    said = REPORTS[report].render(VERDICTS[verdict], context).encode()
    golden = GOLDEN / f"{verdict}{Path(REPORTS[report].file_name).suffix}"
    if os.environ.get("GATE_UPDATE_GOLDEN") == "1":
        golden.write_bytes(said)
    assert said == golden.read_bytes()


def test_no_golden_file_is_left_over() -> None:
    wanted = {f"{verdict}{Path(REPORTS[report].file_name).suffix}" for verdict, report in CASES}
    assert {path.name for path in GOLDEN.iterdir()} == wanted
