"""A results folder without a finished run is the same fault for whoever reads it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner
from comparison_builders import found, results

from gate.cli.accept import accept
from gate.cli.report import report
from gate.comparison.folder import read_folder
from gate.errors import UsageError
from gate.finished import is_finished, read_finished
from gate.headroom.measurements import from_results


def _accept(folder: Path) -> object:
    return CliRunner().invoke(accept, [str(folder), "--reason", "first"], catch_exceptions=False)


def _report(folder: Path) -> object:
    return CliRunner().invoke(report, [str(folder)], catch_exceptions=False)


READERS: list[Callable[[Path], object]] = [_accept, _report, lambda folder: read_folder(folder, "A"), from_results]


@pytest.mark.parametrize("read", READERS, ids=["accept", "report", "compare", "budgets"])
def test_no_finished_run_is_one_error_with_exit_code_3(tmp_path: Path, read: Callable[[Path], object]) -> None:
    for folder, what in ((tmp_path, "there is no finished run in this folder"), (tmp_path / "x", "no such folder")):
        with pytest.raises(UsageError, match=what) as caught:
            read(folder)
        assert (caught.value.slug, caught.value.exit_code) == ("no-results", 3)


def test_a_finished_run_comes_with_what_it_says_of_itself(tmp_path: Path) -> None:
    folder = results(tmp_path, {"keyword": found()})
    assert is_finished(folder)
    made = read_finished(folder)
    assert made.verdict.verdict == "PASS"
    assert made.manifest["trials"][0]["store"] == "reference"
    (folder / "manifest.json").write_text("{", encoding="utf-8")
    assert read_finished(folder).manifest == {}
