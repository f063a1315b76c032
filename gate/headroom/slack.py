"""How much each budget lets go: the distance of every cell from its limits, in points and in whole topics."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil, floor, inf, isfinite

from gate.budgets import matching, partner_of
from gate.checks.contrasts import contrast_checks
from gate.checks.limits import limit_checks, meets
from gate.headroom.measurements import cell_key
from gate.measures import MEASURES
from gate.records import NO_FAULT, Budgets, Cell, CellKey, Check, Contrast, Limit
from gate.stats.collapse import SHARE

OK, BROKEN, LOOSE, NOT_MEASURED, WAIVED, NO_CELL = "ok", "broken", "too loose", "not measured", "waived", "no cell"
# The worst that holds of any cell is what holds of a rule.
_ORDER = (BROKEN, LOOSE, NOT_MEASURED, OK, WAIVED)
_NOISE = 1e-9


@dataclass(frozen=True, slots=True)
class CellSlack:
    """One bound of a rule on one cell.

    `actual` is the cell's value, or the contrast's; `slack` the distance to `bound`, below 0 where
    it is broken; `topics` the whole topics that may still be lost, None for contrasts and for
    measures that are no shares of topics; `of` how many topics the slice has. `lets_go` is whether
    the loss of a fifth of the slice would pass this bound; None where it guards no such loss.
    `can_break` is false where no value could be beyond the bound, as of a floor of 0.
    """

    cell: CellKey
    operator: str
    bound: float
    actual: float | None
    slack: float | None
    topics: int | None
    of: int
    status: str
    lets_go: bool | None = None
    can_break: bool = True


@dataclass(frozen=True, slots=True)
class RuleSlack:
    """One budget. `cell` is its glob, `partner` the other side of a contrast, empty for a limit.

    `status` is the worst of its cells: `broken`, `too loose` (nothing notices the loss of a fifth of a
    slice), `not measured`, `ok`, `waived`, or `no cell`.
    """

    where: str
    kind: str
    cell: str
    partner: str
    minimum: float | None
    maximum: float | None
    level: str
    status: str
    cells: tuple[CellSlack, ...]

    @property
    def tightest(self) -> CellSlack | None:
        """The cell that goes red first."""
        return min(self._measured, key=lambda one: (one.slack or 0.0, str(one.cell)), default=None)

    @property
    def loosest(self) -> CellSlack | None:
        return max(self._measured, key=lambda one: (one.slack or 0.0, str(one.cell)), default=None)

    @property
    def _measured(self) -> list[CellSlack]:
        return [one for one in self.cells if one.slack is not None]


def rule_slacks(budgets: Budgets, cells: Mapping[CellKey, Cell], *, partial: bool = False) -> tuple[RuleSlack, ...]:
    """Every limit and contrast, in the order of the file, held against the cells.

    Where the cells are only `partial`, a contrast whose other side they lack is left out.

    A cell is too loose where no rule on it, whichever, would go red if a fifth of its slice were lost.
    """
    rules = [
        *(_limit(limit, cells) for limit in budgets.limits),
        *(_contrast(one, cells, partial) for one in budgets.contrasts),
    ]
    guarded = {one.cell for rule in rules if rule.level == "error" for one in rule.cells if one.lets_go is False}
    return tuple(sorted((_judged(rule, guarded) for rule in rules), key=_line))


def _line(rule: RuleSlack) -> int:
    line = rule.where.rpartition(":")[2]
    return int(line) if line.isdecimal() else 0


def _judged(rule: RuleSlack, guarded: set[CellKey]) -> RuleSlack:
    cells = tuple(
        replace(one, status=LOOSE) if one.status == OK and one.lets_go and one.cell not in guarded else one
        for one in rule.cells
    )
    statuses = {one.status for one in cells}
    return replace(rule, cells=cells, status=next((status for status in _ORDER if status in statuses), NO_CELL))


def _limit(limit: Limit, cells: Mapping[CellKey, Cell]) -> RuleSlack:
    checks = limit_checks(Budgets(limits=(limit,)), cells)
    return RuleSlack(
        limit.where,
        "limit",
        limit.cell,
        "",
        limit.minimum,
        limit.maximum,
        limit.level,
        NO_CELL,
        tuple(_slack(check, cells, None) for check in checks),
    )


def _contrast(contrast: Contrast, cells: Mapping[CellKey, Cell], partial: bool) -> RuleSlack:
    own = matching(contrast.of, cells)
    outside = {partner_of(contrast, key) for key in own} if partial else set()
    checks = contrast_checks(Budgets(contrasts=(contrast,)), cells, outside)
    first = {str(key) for key in own}
    return RuleSlack(
        contrast.where,
        contrast.kind,
        contrast.of,
        contrast.partner,
        contrast.minimum,
        contrast.maximum,
        contrast.level,
        NO_CELL,
        tuple(_slack(check, cells, contrast) for check in checks if check.cell in first and check.operator),
    )


def _slack(check: Check, cells: Mapping[CellKey, Cell], contrast: Contrast | None) -> CellSlack:
    key, bound, actual = cell_key(check.cell), check.expected or 0.0, check.actual
    status = {"pass": OK, "fail": BROKEN, "waived": WAIVED}.get(check.status, NOT_MEASURED)
    cell = cells[key]
    if actual is None or not isfinite(actual):
        return CellSlack(key, check.operator, bound, None, None, None, cell.topics, status)
    can_break = _can_break(check.operator, bound, key, contrast)
    slack = actual - bound if check.operator == ">=" else bound - actual
    return CellSlack(
        key,
        check.operator,
        bound,
        actual,
        slack,
        _whole_topics(slack, cell) if contrast is None and can_break else None,
        cell.topics,
        status,
        _lets_go(check.operator, bound, actual, cell, contrast),
        can_break,
    )


def _can_break(operator: str, bound: float, key: CellKey, contrast: Contrast | None) -> bool:
    """Whether any value that the measure, or the contrast, can have is beyond a bound."""
    measure = MEASURES.get(key.measure.partition("@")[0])
    highest = measure.highest if measure is not None else inf
    ratio = contrast is not None and contrast.kind == "ratio"
    if operator == "<=":
        return bound < (inf if ratio else highest)
    return bound > (-highest if contrast is not None and not ratio else 0.0)


def _is_share(key: CellKey) -> bool:
    """Whether a measure is a mean over topics of values from 0 to 1, so that a topic can be lost whole."""
    measure = MEASURES.get(key.measure.partition("@")[0])
    return measure is not None and measure.highest == 1


def _whole_topics(slack: float, cell: Cell) -> int | None:
    """The topics that can go from 1 to 0 before the limit is broken."""
    if not cell.topics or not _is_share(cell.key):
        return None
    return max(0, floor(slack * cell.topics + _NOISE))


def _lets_go(operator: str, bound: float, actual: float, cell: Cell, contrast: Contrast | None) -> bool | None:
    """Whether a bound would be met still if a fifth of the slice were lost: of its topics, rounded up."""
    measure = MEASURES.get(cell.key.measure.partition("@")[0])
    if measure is None or measure.highest != 1 or operator != (">=" if measure.higher_is_better else "<="):
        return None
    loss = ceil(SHARE * cell.topics - _NOISE) / cell.topics if cell.topics else SHARE
    sign = -1 if measure.higher_is_better else 1
    value = cell.value or 0.0
    after = min(1.0, max(0.0, value + sign * loss))
    if contrast is None:
        return meets(after, operator, bound)
    # The partner stays, so that the contrast moves as its first side does.
    if contrast.kind == "difference":
        return meets(actual + after - value, operator, bound)
    return meets(actual * after / value, operator, bound) if value else None


def unguarded(rules: Iterable[RuleSlack], cells: Mapping[CellKey, Cell], measures: Sequence[str]) -> list[CellKey]:
    """The cells in health of some measures that no rule speaks of, in their order."""
    bound = {one.cell for rule in rules for one in rule.cells}
    return [key for key in cells if key.measure in measures and key.fault == NO_FAULT and key not in bound]
