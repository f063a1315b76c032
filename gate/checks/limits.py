"""Absolute budgets on cells, and waivers."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from datetime import date
from importlib.util import find_spec

from gate.budgets import CellIndex, matching
from gate.figures import figures_apart, unit_of
from gate.records import Budgets, Cell, CellKey, Check, Limit, Waiver

# A limit is met when it is met to nine digits: means of floats are no finer than that.
SLACK = 1e-9


def waiver_of(cell: CellKey, waivers: Iterable[Waiver], today: date) -> Waiver | None:
    """The waiver that excuses a cell today. It holds until the end of its last day."""
    for waiver in waivers:
        if date.fromisoformat(waiver.until) >= today and matching(waiver.cell, [cell]):
            return waiver
    return None


def limit_checks(budgets: Budgets, cells: Mapping[CellKey, Cell]) -> list[Check]:
    """One check a limit, bound and cell, in the order of the budget file."""
    found = []
    index = CellIndex(cells)
    for limit in budgets.limits:
        for key in index.matching(limit.cell):
            for operator, bound in ((">=", limit.minimum), ("<=", limit.maximum)):
                if bound is not None:
                    found.append(_check(limit, cells[key], operator, bound))
    return found


def _check(limit: Limit, cell: Cell, operator: str, bound: float) -> Check:
    unit = unit_of(cell.key.measure)
    status, message = judged(cell, operator, bound, unit)
    level = limit.level
    if cell.spread is not None and status != "waived" and straddles(cell.spread, bound):
        low, high, shown = figures_apart((*cell.spread, bound), unit)
        status, level = "fail", "warn"
        message = f"uncertain: the repeats of this noisy store run from {low} to {high}, on both sides of {shown}"
    if status not in ("pass", "waived") and not _installed(limit.needs_package):
        status, message = "waived", f"{message}, waived: it needs {limit.needs_package}, which is not installed"
    if limit.reason:
        message = f"{message} ({limit.reason})"
    return Check(
        check_id=f"budget {cell.key} {operator} {bound:g}",
        source="budget",
        cell=str(cell.key),
        operator=operator,
        expected=bound,
        actual=finite(cell.value),
        status=status,
        level=level,
        message=message,
        where=limit.where,
    )


def _installed(package: str) -> bool:
    """Whether an optional package is there to be imported; none asked for is there."""
    return not package or find_spec(package) is not None


def judged(cell: Cell, operator: str, bound: float, unit: str = "") -> tuple[str, str]:
    """Status and sentence of one cell held against one bound. A waived cell neither passes nor fails."""
    value = finite(cell.value)
    if value is None:
        said = cell.reason if cell.value is None else "the value is not a finite number"
        return ("waived", f"waived: {said}") if cell.status == "waived" else ("not measured", f"not measured: {said}")
    shown, limit = figures_apart((bound if abs(value - bound) <= SLACK else value, bound), unit)
    well = meets(value, operator, bound)
    if operator == ">=":
        message = f"{shown} is {'at least' if well else 'below the floor of'} {limit}"
    else:
        message = f"{shown} is {'at most' if well else 'above the ceiling of'} {limit}"
    if cell.status == "waived":
        return "waived", f"{message}, waived: {cell.reason}"
    return ("pass" if well else "fail"), message


def straddles(spread: tuple[float, float], bound: float) -> bool:
    """Whether some repeats lie beyond a bound and some do not."""
    low, high = spread
    return low < bound - SLACK and high > bound + SLACK


def finite(value: float | None) -> float | None:
    """The value, or None where it is no finite number: nothing can be held against that."""
    return value if value is not None and math.isfinite(value) else None


def meets(value: float, operator: str, bound: float) -> bool:
    """Whether a value meets a bound. NaN and infinities meet none, and none is met by them."""
    if not (math.isfinite(value) and math.isfinite(bound)):
        return False
    return value >= bound - SLACK if operator == ">=" else value <= bound + SLACK
