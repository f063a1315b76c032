from __future__ import annotations

from pathlib import Path

import pytest

from gate.pipeline import write_reports
from gate.records import Verdict

GREEN = Verdict("PASS", 0, (), ())


@pytest.mark.parametrize(("stands", "inside"), [("here", True), ("elsewhere", False)])
def test_a_report_names_its_folder_from_where_the_run_stood(
    stands: str, inside: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    results = tmp_path / stands / "gate-results"
    write_reports(GREEN, results, 1.0)
    shown = "gate-results" if inside else str(results)
    assert f"Results: `{shown}`, " in (results / "report.md").read_text(encoding="utf-8")
