from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from report_hostile import HOSTILE

from gate.github.shard_outcome import outcome_of_shard
from gate.plan import Flags
from gate.shards.record import FILE, Shard, write_shard

SHARD = Shard(2, 3, 1, 0, "0.1.0", "c0de", "9a1b", Flags(), (), (), (), (), 1.0)


def left(folder: Path, code: int, *unmeasured: str) -> str:
    write_shard(folder, replace(SHARD, exit_code=code, unmeasured=unmeasured), {})
    return str(folder)


def test_a_shard_that_was_measured_is_0_and_no_pass(tmp_path: Path) -> None:
    outcome = outcome_of_shard(left(tmp_path, 0), 0, ())
    assert (outcome.code, outcome.name) == (0, "MEASURED")
    assert outcome.markdown == "## MEASURED: shard 2 of 3, nothing is judged yet (exit code 0)\n\n"
    assert outcome.annotations == ""
    assert outcome.outputs() == {
        "verdict": "MEASURED",
        "exit-code": "0",
        "failed-checks": "",
        "report-json": "",
        "report-markdown": "",
    }


def test_a_shard_of_which_something_was_not_measured_is_2_and_says_what(tmp_path: Path) -> None:
    outcome = outcome_of_shard(left(tmp_path, 2, "recall/keyword: <b>@all</b>", *["x"] * 30), 2, ())
    assert (outcome.code, outcome.name) == (2, "NOT_MEASURED")
    assert outcome.markdown.startswith("## NOT MEASURED: shard 2 of 3, nothing is judged yet (exit code 2)\n")
    assert "`<b>@all</b>`" in outcome.markdown
    assert outcome.annotations.startswith("::error title=Retrieval gate%3A not measured::NOT MEASURED: shard 2 of 3")


@pytest.mark.parametrize("code", [2, 130])
@pytest.mark.parametrize("ended", [0, 1, 2, 3, -9])
def test_a_process_that_remaps_its_code_changes_nothing(tmp_path: Path, code: int, ended: int) -> None:
    assert outcome_of_shard(left(tmp_path, code), ended, ()).code == code


@pytest.mark.parametrize(("ended", "code"), [(1, 2), (2, 2), (3, 3), (70, 70), (130, 130), (-9, 2), (137, 2)])
def test_a_shard_that_was_measured_is_no_pass_of_a_process_that_failed(tmp_path: Path, ended: int, code: int) -> None:
    assert outcome_of_shard(left(tmp_path, 0), ended, ()).code == code


@pytest.mark.parametrize(("ended", "code"), [(0, 2), (1, 2), (3, 3), (70, 70), (130, 130), (-9, 2)])
def test_without_its_file_nothing_is_green(tmp_path: Path, ended: int, code: int) -> None:
    assert outcome_of_shard(str(tmp_path), ended, ()).code == code
    # A verdict of another run in the same folder is none of a shard.
    (tmp_path / "verdict.json").write_text('{"exit_code": 0}', encoding="utf-8")
    assert outcome_of_shard(str(tmp_path), ended, ()).code == code


@pytest.mark.parametrize("text", ["", "{", "[]", '{"format": 99}', '{"format": 1, "shard": {"exit_code": 0}}', "\0"])
def test_a_file_that_cannot_be_read_is_not_measured(tmp_path: Path, text: str) -> None:
    (tmp_path / FILE).write_text(text, encoding="utf-8")
    assert outcome_of_shard(str(tmp_path), 0, ()).code == 2


@pytest.mark.parametrize("code", [1, 3, 70, 99, -1])
def test_a_code_that_no_shard_ends_with_is_not_measured(tmp_path: Path, code: int) -> None:
    assert outcome_of_shard(left(tmp_path, code), 0, ()).code == 2


def test_a_link_and_what_was_there_before_tell_nothing(tmp_path: Path) -> None:
    results = left(tmp_path, 0)
    assert outcome_of_shard(results, 0, (), stale=True).code == 2
    (tmp_path / "linked").mkdir()
    (tmp_path / "linked" / FILE).symlink_to(tmp_path / FILE)
    assert outcome_of_shard(str(tmp_path / "linked"), 0, ()).code == 2


def test_whatever_a_store_says_stays_one_line_of_text(tmp_path: Path) -> None:
    for text in HOSTILE:
        shown = outcome_of_shard(left(tmp_path, 2, text), 2, ()).markdown
        assert len(shown.splitlines()) == 3, ascii(text[:40])
        assert "<script" not in re.sub("`+[^`]*`+", "", shown)
