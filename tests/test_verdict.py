from __future__ import annotations

from itertools import product

import pytest

from gate.exit_codes import ExitCode
from gate.records import Cell, CellKey, Check
from gate.verdict import decide, failing

KEY = CellKey("reference", "seeded", "smoke", "all", "cpu-hash", "keyword", "none", "R@5")
MEASURED = Cell(KEY, "measured", 0.9, 20)
UNMEASURED = Cell(KEY, "not measured", None, 0, "the store raised")


def check(status: str, level: str = "error", name: str = "one") -> Check:
    return Check(name, "budget", str(KEY), ">=", 0.9, 0.8, status, level, "what it says")


def code(*checks: Check, fail_on: str = "error", not_measured: str = "fail", interrupted: bool = False) -> int:
    verdict = decide(checks, [MEASURED], fail_on=fail_on, not_measured=not_measured, interrupted=interrupted)
    assert verdict.verdict == ExitCode(verdict.exit_code).name or fail_on == "never"
    return verdict.exit_code


def test_checks_that_pass_or_are_waived_pass() -> None:
    assert code() == 0
    assert code(check("pass"), check("waived")) == 0


def test_one_broken_check_among_many_is_a_regression() -> None:
    assert code(check("pass"), check("fail"), check("pass")) == 1


def test_one_unmeasured_check_is_not_measured() -> None:
    assert code(check("pass"), check("not measured")) == 2


def test_not_measured_outranks_a_regression() -> None:
    assert code(check("fail"), check("not measured")) == 2
    assert code(check("not measured"), check("fail")) == 2


def test_a_regression_survives_when_the_unmeasured_is_allowed() -> None:
    assert code(check("fail"), check("not measured"), not_measured="allow") == 1
    assert code(check("pass"), check("not measured"), not_measured="allow") == 0


def test_what_is_allowed_is_shown_as_a_warning() -> None:
    verdict = decide([check("not measured"), check("fail")], [MEASURED], not_measured="allow")
    assert [one.level for one in verdict.checks] == ["warn", "error"]
    assert [one.status for one in verdict.checks] == ["not measured", "fail"]


@pytest.mark.parametrize("status", ["fail", "not measured"])
def test_warnings_count_only_when_asked_to(status: str) -> None:
    assert code(check(status, "warn")) == 0
    assert code(check(status, "warn"), fail_on="warn") == (1 if status == "fail" else 2)
    assert code(check(status, "info"), fail_on="warn") == 0


def test_never_failing_keeps_the_name_of_the_verdict() -> None:
    verdict = decide([check("fail")], [MEASURED], fail_on="never")
    assert (verdict.verdict, verdict.exit_code) == ("REGRESSION", 0)


def test_never_failing_hides_nothing_unmeasured() -> None:
    assert code(check("fail"), check("not measured"), fail_on="never") == 2


@pytest.mark.parametrize("cells", [[], [UNMEASURED]])
@pytest.mark.parametrize("not_measured", ["fail", "allow"])
def test_a_run_without_a_single_figure_never_passes(cells: list[Cell], not_measured: str) -> None:
    verdict = decide([check("pass")], cells, not_measured=not_measured)
    assert (verdict.verdict, verdict.exit_code) == ("NOT_MEASURED", 2)


def test_a_cell_of_which_no_check_speaks_has_to_be_measured_too() -> None:
    assert decide([check("pass")], [MEASURED, UNMEASURED]).exit_code == 2
    assert decide([check("pass")], [MEASURED, UNMEASURED], not_measured="allow").exit_code == 0


def test_a_waived_cell_may_lack_its_value_but_not_every_cell_may() -> None:
    waived = Cell(KEY, "waived", None, 0, "until 2027-03-31: no Thai segmentation yet")
    assert decide([check("waived")], [MEASURED, waived]).exit_code == 0
    assert decide([check("waived")], [waived]).exit_code == 2


def test_what_is_allowed_stays_allowed_where_warnings_count() -> None:
    assert code(check("not measured"), fail_on="warn", not_measured="allow") == 0


def test_a_value_of_zero_is_measured() -> None:
    assert decide([], [Cell(KEY, "measured", 0.0, 20)]).exit_code == 0


def test_an_interruption_outranks_everything() -> None:
    assert code(check("fail"), check("not measured"), interrupted=True) == 130
    assert decide([], [], interrupted=True).verdict == "INTERRUPTED"


def test_no_combination_of_a_broken_check_at_level_error_passes_unless_never_is_asked() -> None:
    for fail_on, not_measured, other in product(
        ("error", "warn"), ("fail", "allow"), ("pass", "waived", "fail", "not measured")
    ):
        assert code(check("fail"), check(other, name="other"), fail_on=fail_on, not_measured=not_measured) in (1, 2)


def test_the_verdict_keeps_all_it_was_given() -> None:
    checks = [check("pass", name="b"), check("fail", name="a")]
    verdict = decide(
        checks,
        [MEASURED, UNMEASURED],
        notes=["note"],
        narrowed=["--mode keyword"],
        out_of_scope=3,
        planted="reversed",
    )
    assert verdict.checks == tuple(checks)
    assert verdict.cells == (MEASURED, UNMEASURED)
    assert (verdict.notes, verdict.narrowed) == (("note",), ("--mode keyword",))
    assert (verdict.out_of_scope, verdict.planted) == (3, "reversed")


def test_failing_reads_the_level_of_a_check() -> None:
    assert failing(check("fail"), "error")
    assert failing(check("fail"), "never")
    assert failing(check("fail", "warn"), "warn")
    assert not failing(check("fail", "warn"), "error")
    assert not failing(check("fail", "info"), "warn")
