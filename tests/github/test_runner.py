from __future__ import annotations

import re
from pathlib import Path

import pytest
from report_hostile import HOSTILE

from gate.github.runner import MOST_SUMMARY, command, stopped_commands, with_last, write_outputs, write_summary


def outputs_of(path: Path) -> dict[str, str]:
    """Reads GITHUB_OUTPUT as the runner does: `name<<delimiter`, lines, the delimiter alone on a line."""
    found = {}
    lines = iter(path.read_text(encoding="utf-8").removesuffix("\n").split("\n"))
    for line in lines:
        name, _, delimiter = line.partition("<<")
        assert delimiter
        value = []
        for inner in lines:
            if inner == delimiter:
                break
            value.append(inner)
        found[name] = "\n".join(value)
    return found


def test_outputs_survive_the_round_trip(tmp_path: Path) -> None:
    path = tmp_path / "output"
    values = {"verdict": "REGRESSION", "failed-checks": "a\nb", "empty": "", "text": "检索 = <<EOF"}
    assert write_outputs({"GITHUB_OUTPUT": str(path)}, values) == ""
    assert write_outputs({"GITHUB_OUTPUT": str(path)}, {"more": "1"}) == ""
    assert outputs_of(path) == {**values, "more": "1"}


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_no_value_becomes_an_output_of_its_own(tmp_path: Path, text: str) -> None:
    path = tmp_path / "output"
    write_outputs({"GITHUB_OUTPUT": str(path)}, {"failed-checks": f"{text}\nverdict<<x\nPASS\nx", "verdict": "FAIL"})
    found = outputs_of(path)
    assert found.keys() == {"failed-checks", "verdict"}
    assert found["verdict"] == "FAIL"


def test_delimiters_are_never_the_same(tmp_path: Path) -> None:
    path = tmp_path / "output"
    write_outputs({"GITHUB_OUTPUT": str(path)}, {"a": "1", "b": "2"})
    assert len(set(re.findall(r"<<(\S+)", path.read_text(encoding="utf-8")))) == 2
    assert stopped_commands() != stopped_commands()


def test_a_file_that_is_not_there_is_said(tmp_path: Path) -> None:
    assert "not set" in write_outputs({}, {"a": "1"})
    assert "cannot be written" in write_outputs({"GITHUB_OUTPUT": str(tmp_path / "no" / "such")}, {"a": "1"})
    assert "not set" in write_summary({}, "text", "x")


def test_a_summary_is_appended_and_cut_to_what_github_shows(tmp_path: Path) -> None:
    path = tmp_path / "summary"
    path.write_text("before\n", encoding="utf-8")
    write_summary({"GITHUB_STEP_SUMMARY": str(path)}, "short\n", "`report.md`")
    assert path.read_text(encoding="utf-8") == "before\nshort\n"
    write_summary({"GITHUB_STEP_SUMMARY": str(path)}, "检索\n" * 400_000, "`report.md`")
    assert MOST_SUMMARY - 300 < path.stat().st_size <= MOST_SUMMARY
    assert path.read_text(encoding="utf-8").endswith("more lines of this report in `report.md`.\n")


def test_a_command_holds_no_other_command() -> None:
    line = command("error", "a: b, c\n::error::", "100% of\n::add-mask::x")
    assert line == "::error title=a%3A b%2C c%0A%3A%3Aerror%3A%3A::100%25 of%0A::add-mask::x"


def test_the_last_error_is_shown_among_githubs_ten() -> None:
    own = "".join(f"::error title=x::{n}\n" for n in range(10)) + "::warning title=w::w\n"
    lines = with_last(own, "::error title=last::why").splitlines()
    assert sum(line.startswith("::error ") for line in lines) == 10
    assert lines[-1] == "::error title=last::why"
    assert "::warning title=w::w" in lines
    assert with_last("::error title=x::1\n", "") == "::error title=x::1\n"
