from __future__ import annotations

import sys
from math import inf, nan

import pytest
from builders import by_key, cell_key, measured, unmeasured, waived

from gate.checks.contrasts import contrast_checks
from gate.records import Budgets, Cell, CellKey, Check, Contrast

VECTOR = cell_key(mode="vector")
FAILING = cell_key(mode="vector", fault="embedder-raises")


def contrast(
    kind: str = "difference",
    of: str = "*/*/*/*/vector/none/R@5",
    partner: str = "*/*/*/*/vector/embedder-raises/R@5",
    minimum: float | None = 0.15,
    maximum: float | None = None,
) -> Contrast:
    return Contrast(kind, of, partner, minimum, maximum, where="budgets.yml:9")


def judged(rule: Contrast, *cells: Cell, out_of_scope: tuple[CellKey, ...] = ()) -> list[Check]:
    return contrast_checks(Budgets(contrasts=(rule,)), by_key(*cells), {str(key) for key in out_of_scope})


@pytest.mark.parametrize(("failing", "status"), [(0.5, "pass"), (0.75, "pass"), (0.76, "fail"), (0.95, "fail")])
def test_a_difference_is_of_minus_its_partner(failing: float, status: str) -> None:
    (check,) = judged(contrast(), measured(0.9, VECTOR), measured(failing, FAILING))
    assert (check.status, check.operator, check.expected) == (status, ">=", 0.15)
    assert check.actual == pytest.approx(0.9 - failing)
    assert (check.source, check.cell, check.where) == ("contrast", str(VECTOR), "budgets.yml:9")
    assert f"0.900 minus {failing:.3f}" in check.message
    assert str(FAILING) in check.message


@pytest.mark.parametrize(("failing", "status"), [(0.5, "pass"), (0.3, "fail")])
def test_a_ratio_is_of_over_its_partner(failing: float, status: str) -> None:
    (check,) = judged(contrast("ratio", minimum=None, maximum=2.0), measured(0.9, VECTOR), measured(failing, FAILING))
    assert check.status == status
    assert check.actual == pytest.approx(0.9 / failing)


@pytest.mark.parametrize("zero", [0.0, -0.0, sys.float_info.min / 2**50])
def test_a_ratio_over_nothing_is_not_measured(zero: float) -> None:
    (check,) = judged(contrast("ratio"), measured(0.9, VECTOR), measured(zero, FAILING))
    assert (check.status, check.actual) == ("not measured", None)
    assert "nothing can be divided by it" in check.message


def test_a_difference_from_nothing_is_measured() -> None:
    (check,) = judged(contrast(), measured(0.9, VECTOR), measured(0.0, FAILING))
    assert (check.status, check.actual) == ("pass", 0.9)


@pytest.mark.parametrize("unknown", [VECTOR, FAILING])
def test_a_contrast_is_unmeasured_as_soon_as_one_side_is(unknown: CellKey) -> None:
    cells = [unmeasured("it hung", key) if key == unknown else measured(0.9, key) for key in (VECTOR, FAILING)]
    (check,) = judged(contrast(), *cells)
    assert (check.status, check.actual) == ("not measured", None)
    assert check.message == f"not measured: {unknown}: it hung"


@pytest.mark.parametrize("kind", ["difference", "ratio"])
@pytest.mark.parametrize("value", [nan, inf, -inf])
@pytest.mark.parametrize("strange", [VECTOR, FAILING])
def test_a_side_that_is_no_number_never_passes(strange: CellKey, value: float, kind: str) -> None:
    cells = [measured(value if key == strange else 0.9, key) for key in (VECTOR, FAILING)]
    checks = judged(contrast(kind, minimum=0.0, maximum=1.0), *cells)
    assert [(check.status, check.actual) for check in checks] == [("not measured", None)] * 2
    assert checks[0].message == f"not measured: {strange}: the value is not a finite number"


@pytest.mark.parametrize("excused", [VECTOR, FAILING])
def test_a_contrast_is_waived_as_soon_as_one_side_is(excused: CellKey) -> None:
    cells = [waived(0.9, key) if key == excused else measured(0.9, key) for key in (VECTOR, FAILING)]
    (check,) = judged(contrast(), *cells)
    assert check.status == "waived"
    assert "no Thai segmentation yet" in check.message


def test_a_side_without_its_counterpart_is_not_measured() -> None:
    (alone,) = judged(contrast(), measured(0.9, VECTOR))
    assert (alone.status, alone.cell) == ("not measured", str(VECTOR))
    assert str(FAILING) in alone.message
    (left,) = judged(contrast(), measured(0.9, FAILING))
    assert (left.status, left.cell) == ("not measured", str(FAILING))
    assert str(VECTOR) in left.message


def test_globs_pair_each_cell_with_its_own_counterpart() -> None:
    th = [cell_key(part="th", mode="vector"), cell_key(part="th", mode="vector", fault="embedder-raises")]
    cells = [measured(0.9, VECTOR), measured(0.2, FAILING), measured(0.5, th[0]), measured(0.5, th[1])]
    found = judged(contrast(), *cells)
    assert {check.cell: check.status for check in found} == {str(VECTOR): "pass", str(th[0]): "fail"}


def test_many_cells_may_share_a_literal_counterpart() -> None:
    ceiling = cell_key(mode="vector", store="exact-cosine")
    rule = contrast(of="reference/*/*/*/*/none/R@5", partner="exact-cosine/*/*/*/vector/none/R@5", minimum=-0.02)
    found = judged(rule, measured(0.9, VECTOR), measured(0.8, cell_key(mode="hybrid")), measured(0.91, ceiling))
    assert {check.cell: check.status for check in found} == {
        str(VECTOR): "pass",
        str(cell_key(mode="hybrid")): "fail",
    }


@pytest.mark.parametrize(("here", "outside"), [(VECTOR, FAILING), (FAILING, VECTOR)])
def test_a_pair_that_flags_left_out_half_of_is_out_of_scope(here: CellKey, outside: CellKey) -> None:
    assert judged(contrast(), measured(0.9, here), out_of_scope=(outside,)) == []
    assert len(judged(contrast(), measured(0.9, here))) == 1


def test_a_difference_of_times_keeps_the_unit_and_a_ratio_has_none() -> None:
    slow, fast = cell_key("latency-p95", mode="hybrid"), cell_key("latency-p95")
    sides = ("*/*/*/*/hybrid/none/latency-p95", "*/*/*/*/keyword/none/latency-p95")
    (check,) = judged(contrast("difference", *sides, None, 5.0), measured(12.0, slow), measured(4.0, fast))
    assert check.message.startswith("8.00 ms is above the ceiling of 5.00 ms: 12.00 ms minus 4.00 ms")
    (check,) = judged(contrast("ratio", *sides, None, 5.0), measured(12.0, slow), measured(4.0, fast))
    assert check.message.startswith("3.000 is at most 5.000: 12.00 ms over 4.00 ms")
