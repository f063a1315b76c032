from __future__ import annotations

from dataclasses import replace
from datetime import date
from math import inf, nan

import pytest
from builders import by_key, cell_key, measured, unmeasured, waived

from gate.checks.limits import limit_checks, meets, waiver_of
from gate.records import Budgets, Cell, Check, Limit, Waiver

EVERY = "*/*/*/*/*/*/R@5"


def judged(cell: Cell, minimum: float | None = None, maximum: float | None = None, level: str = "error") -> list[Check]:
    limit = Limit(EVERY.replace("R@5", "*"), minimum, maximum, level, where="budgets.yml:3")
    return limit_checks(Budgets(limits=(limit,)), by_key(cell))


@pytest.mark.parametrize(
    ("value", "status", "message"),
    [
        (0.95, "pass", "0.950 is at least 0.900"),
        (0.9, "pass", "0.900 is at least 0.900"),
        (0.9 - 1e-12, "pass", "0.900 is at least 0.900"),
        (0.8999, "fail", "0.8999 is below the floor of 0.9000"),
        (0.0, "fail", "0.000 is below the floor of 0.900"),
    ],
)
def test_a_floor(value: float, status: str, message: str) -> None:
    (check,) = judged(measured(value), minimum=0.9)
    assert (check.status, check.message) == (status, message)
    assert (check.operator, check.expected, check.actual) == (">=", 0.9, value)
    assert (check.source, check.level, check.where) == ("budget", "error", "budgets.yml:3")


@pytest.mark.parametrize(("value", "status"), [(0.1, "pass"), (0.2, "pass"), (0.2001, "fail")])
def test_a_ceiling(value: float, status: str) -> None:
    (check,) = judged(measured(value), maximum=0.2)
    assert (check.operator, check.status) == ("<=", status)


def test_both_bounds_are_two_checks() -> None:
    assert [(c.operator, c.status) for c in judged(measured(0.5), 0.6, 0.7)] == [(">=", "fail"), ("<=", "pass")]


def test_figures_with_a_unit_keep_it() -> None:
    (check,) = judged(measured(42.371, cell_key("latency-p95")), maximum=40)
    assert check.message == "42.4 ms is above the ceiling of 40.0 ms"


def test_what_was_not_measured_neither_passes_nor_counts_as_zero() -> None:
    (check,) = judged(unmeasured("the store raised KeyError"), maximum=0.2)
    assert (check.status, check.actual) == ("not measured", None)
    assert check.message == "not measured: the store raised KeyError"


@pytest.mark.parametrize("value", [nan, inf, -inf])
def test_what_is_no_number_never_passes(value: float) -> None:
    for check in judged(measured(value), 0.0, 1.0):
        assert (check.status, check.actual) == ("not measured", None)
    assert not meets(value, ">=", 0.0)
    assert not meets(value, "<=", 0.0)
    assert not meets(0.5, ">=", value)
    assert not meets(0.5, "<=", value)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (0.95, "0.950 is at least 0.900, waived: until 2027-03-31: no Thai segmentation yet"),
        (0.5, "0.500 is below the floor of 0.900, waived: until 2027-03-31: no Thai segmentation yet"),
        (None, "waived: until 2027-03-31: no Thai segmentation yet"),
    ],
)
def test_a_waived_cell_neither_passes_nor_fails(value: float | None, message: str) -> None:
    (check,) = judged(waived(value), minimum=0.9)
    assert (check.status, check.actual, check.message) == ("waived", value, message)


def test_a_limit_speaks_of_the_cells_that_it_matches_only() -> None:
    cells = by_key(
        measured(0.5, cell_key(part="th")), measured(0.5, cell_key()), measured(0.5, cell_key("P@5", part="th"))
    )
    limits = (Limit("*/seeded@*/th/*/*/none/R@5", 0.9, None, "warn", "tightened later"),)
    (check,) = limit_checks(Budgets(limits=limits), cells)
    assert (check.cell, check.level) == (str(cell_key(part="th")), "warn")
    assert check.message.endswith("(tightened later)")


ABSENT, PRESENT = "no_package_of_this_name", "json"


@pytest.mark.parametrize(
    ("package", "value", "status"),
    [
        (ABSENT, 0.5, "waived"),
        (ABSENT, None, "waived"),
        (ABSENT, 0.95, "pass"),
        (PRESENT, 0.5, "fail"),
        (PRESENT, None, "not measured"),
        (PRESENT, 0.95, "pass"),
    ],
)
def test_a_limit_that_rests_on_a_package_holds_where_it_is_installed(
    package: str, value: float | None, status: str
) -> None:
    limit = Limit("*/*/*/*/*/*/R@5", 0.9, None, needs_package=package)
    cell = unmeasured("the store is gone", cell_key()) if value is None else measured(value, cell_key())
    (check,) = limit_checks(Budgets(limits=(limit,)), by_key(cell))
    assert check.status == status
    assert (f"waived: it needs {ABSENT}, which is not installed" in check.message) == (status == "waived")


@pytest.mark.parametrize(("today", "excused"), [("2027-03-31", True), ("2027-04-01", False)])
def test_a_waiver_holds_until_the_end_of_its_last_day(today: str, excused: bool) -> None:
    waivers = [Waiver("*/*/th/*/*/*/*", "2027-03-31", "no Thai segmentation yet")]
    assert (waiver_of(cell_key(part="th"), waivers, date.fromisoformat(today)) is not None) == excused
    assert waiver_of(cell_key(part="all"), waivers, date.fromisoformat(today)) is None


def test_a_waiver_that_ran_out_does_not_hide_one_that_holds() -> None:
    waivers = [Waiver(EVERY, "2026-01-01", "old"), Waiver(EVERY, "2027-01-01", "new")]
    found = waiver_of(cell_key(), waivers, date(2026, 11, 30))
    assert found is not None
    assert found.reason == "new"


@pytest.mark.parametrize(
    ("spread", "status", "level"),
    [
        ((0.85, 0.95), "fail", "warn"),
        ((0.90, 0.95), "pass", "error"),
        ((0.91, 0.95), "pass", "error"),
        ((0.80, 0.89), "fail", "error"),
    ],
)
def test_a_limit_that_the_repeats_straddle_is_uncertain(spread: tuple[float, float], status: str, level: str) -> None:
    cell = replace(measured((spread[0] + spread[1]) / 2), spread=spread)
    (check,) = limit_checks(Budgets((Limit(str(cell.key), 0.90, None),)), {cell.key: cell})
    assert (check.status, check.level) == (status, level)
    assert ("on both sides of" in check.message) == (level == "warn")
