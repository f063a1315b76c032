from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from builders import check, measured

from gate.exit_codes import ExitCode
from gate.github.outcome import Outcome, outcome_of
from gate.records import Verdict
from gate.report.json import to_json

PASS = Verdict("PASS", 0, (check("pass"),), (measured(0.9),))
RED = Verdict("REGRESSION", 1, (check("fail"), check("pass")), (measured(0.5),))
UNTOLD = Verdict("NOT_MEASURED", 2, (check("not measured"), check("fail")), (measured(0.5),))


def left(folder: Path, verdict: Verdict) -> str:
    (folder / "verdict.json").write_text(to_json(verdict), encoding="utf-8")
    return str(folder)


@pytest.mark.parametrize("verdict", [PASS, RED, UNTOLD])
def test_the_code_is_that_of_the_verdict_file(tmp_path: Path, verdict: Verdict) -> None:
    assert outcome_of(left(tmp_path, verdict), verdict.exit_code, ()).code == verdict.exit_code


@pytest.mark.parametrize("verdict", [RED, UNTOLD])
@pytest.mark.parametrize("ended", [0, 1, 2, 3, 70, -9, 137])
def test_a_process_that_remaps_its_code_changes_nothing(tmp_path: Path, verdict: Verdict, ended: int) -> None:
    assert outcome_of(left(tmp_path, verdict), ended, ()).code == verdict.exit_code


@pytest.mark.parametrize(("ended", "code"), [(1, 1), (2, 2), (3, 3), (70, 70), (130, 130), (-9, 2), (137, 2), (5, 2)])
def test_a_verdict_that_passed_is_no_pass_of_a_process_that_failed(tmp_path: Path, ended: int, code: int) -> None:
    outcome = outcome_of(left(tmp_path, PASS), ended, ())
    assert outcome.code == code
    assert f"the run ended with {ended}" in outcome.markdown


@pytest.mark.parametrize(("ended", "code"), [(0, 2), (1, 2), (2, 2), (3, 3), (70, 70), (130, 130), (-9, 2), (127, 2)])
def test_without_a_verdict_file_nothing_is_green(tmp_path: Path, ended: int, code: int) -> None:
    outcome = outcome_of(str(tmp_path), ended, ())
    assert (outcome.code, outcome.name) == (code, ExitCode(code).name)
    assert outcome.outputs()["report-json"] == ""


@pytest.mark.parametrize("text", ["", "{", "[]", '{"schema": 99}', '{"exit_code": 0}', "\0" * 9])
def test_a_verdict_file_that_cannot_be_read_is_not_measured(tmp_path: Path, text: str) -> None:
    (tmp_path / "verdict.json").write_text(text, encoding="utf-8")
    assert outcome_of(str(tmp_path), 0, ()).code == 2


def test_a_verdict_of_an_earlier_run_tells_nothing(tmp_path: Path) -> None:
    results = left(tmp_path, PASS)
    assert outcome_of(results, 0, (), stale=True).code == 2
    assert outcome_of(results, 3, ("the folder is somebody's",), stale=True).code == 3


def test_a_verdict_that_is_a_link_tells_nothing(tmp_path: Path) -> None:
    left(tmp_path, PASS)
    (tmp_path / "results").mkdir()
    (tmp_path / "results" / "verdict.json").symlink_to(tmp_path / "verdict.json")
    assert outcome_of(str(tmp_path / "results"), 0, ()).code == 2


def test_regression_and_not_measured_have_titles_of_their_own() -> None:
    last = [Outcome(one.exit_code, "r", one).annotations.splitlines()[-1] for one in (RED, UNTOLD)]
    assert last[0].startswith("::error title=Retrieval gate%3A regression::REGRESSION: 1 failed")
    assert last[1].startswith("::error title=Retrieval gate%3A not measured::NOT MEASURED: 1 failed, 1 not measured")
    assert Outcome(3, "r", None, ("bad",)).annotations.startswith("::error title=Retrieval gate%3A it cannot be used")
    assert "::error" not in Outcome(0, "r", PASS).annotations


def test_many_failures_leave_room_for_the_last_error() -> None:
    many = replace(RED, checks=tuple(check("fail", check_id=str(n)) for n in range(25)))
    lines = [line for line in Outcome(1, "r", many).annotations.splitlines() if line.startswith("::error ")]
    assert len(lines) == 10
    assert "25 failed" in lines[-1]


def test_failed_checks_are_listed_one_a_line() -> None:
    red = replace(RED, checks=(check("fail", check_id="a\nb"), check("fail", "warn", check_id="w"), check("pass")))
    assert Outcome(1, "out", red).outputs() == {
        "verdict": "REGRESSION",
        "exit-code": "1",
        "failed-checks": "a b",
        "report-json": str(Path("out") / "verdict.json"),
        "report-markdown": str(Path("out") / "report.md"),
    }
    many = replace(RED, checks=tuple(check("fail", check_id=str(n)) for n in range(600)))
    lines = Outcome(1, "out", many).outputs()["failed-checks"].split("\n")
    assert (len(lines), lines[-1]) == (501, "and 100 more")


def test_only_a_plain_pass_has_nothing_to_say() -> None:
    accepted = replace(PASS, checks=(check("waived", source="base"),))
    warned = replace(PASS, checks=(check("fail", "warn"),))
    waived = replace(PASS, checks=(check("waived"), check("pass")))
    assert [Outcome(0, "r", one).speaks for one in (PASS, waived, accepted, warned)] == [False, False, True, True]
    assert Outcome(1, "r", RED).speaks
    assert Outcome(3, "r").speaks


def test_an_error_without_a_verdict_says_what_was_wrong() -> None:
    told = Outcome(3, "r", None, ("the inputs cannot be used", "fail-on is x", "comment is y")).annotations
    assert told.endswith("::USAGE: the inputs cannot be used: fail-on is x; comment is y (exit code 3)\n")
    assert Outcome(2, "r", None, ("", "it died")).annotations.endswith("::NOT MEASURED: it died (exit code 2)\n")


def test_what_a_run_said_without_a_verdict_is_quoted() -> None:
    text = Outcome(3, "r", None, ("Error [settings-invalid]: <b>@all</b>", *["x"] * 30)).markdown
    assert text.startswith("## USAGE: no verdict (exit code 3)\n")
    assert "`<b>@all</b>`" in text
    assert "and 11 more lines in the log" in text
