"""Budgets and waivers of both sides, compared on cells: what is written otherwise and says the same is silent."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from gate.base.grid import Grid
from gate.base.probed import probe_cells
from gate.base.sides import Sides
from gate.budgets import matches, partner_of
from gate.checks.limits import SLACK
from gate.checks.loosened import Loosening
from gate.figures import count, figures_apart, unit_of
from gate.records import MODES, CellKey, Contrast, Limit, Waiver

# Which bound of a budget an operator speaks of, and its name.
_BOUNDS = ((">=", "minimum", "floor"), ("<=", "maximum", "ceiling"))
_LEVELS = {"error": ("error",), "warn": ("error", "warn")}


def looser_budgets(sides: Sides) -> list[Loosening]:
    """Limits and contrasts of the base that some cell is not held to any more, in the order of the base's file."""
    base = sides.base.budgets
    rules = len(base.limits) + len(base.contrasts)
    if rules and sides.head.settings.budgets is None:
        said = (
            f"no budget file is named any more: {count(rules, 'budget')} of {sides.base.shown(base.path)} hold no more"
        )
        return [Loosening("budgets", "budgets", said, sides.where("budgets"))]
    grid = sides.grid()
    return [*_looser_limits(sides, grid), *_looser_contrasts(sides, grid)]


@dataclass(slots=True)
class _Tally:
    """The cells on which one bound of one rule is not kept: how many, which first, and the loosest that holds now."""

    cells: int = 0
    first: str = ""
    rule: Limit | Contrast | None = None
    loosest: float | None = None
    unbound: bool = False
    warned: bool = True

    def add(self, cell: str, hit: tuple[float, Limit | Contrast] | None, warned: bool, operator: str) -> None:
        self.cells += 1
        self.first = self.first or cell
        self.warned = self.warned and warned
        if hit is None:
            self.unbound = True
        elif self.loosest is None or (hit[0] < self.loosest if operator == ">=" else hit[0] > self.loosest):
            self.loosest, self.rule = hit


def _looser_limits(sides: Sides, grid: Grid) -> Iterator[Loosening]:
    head = sides.head.budgets.limits
    kept = {(limit.cell, limit.minimum, limit.maximum, limit.level, limit.needs_package) for limit in head}
    for limit in sides.base.budgets.limits:
        if not sides.renames and (limit.cell, limit.minimum, limit.maximum, limit.level, limit.needs_package) in kept:
            continue
        cells = [sides.renamed(cell) for cell in grid.cells(limit.cell)]
        for operator, bound, name in _BOUNDS:
            asked: float | None = getattr(limit, bound)
            if asked is None:
                continue
            tally = _Tally()
            for cell in cells:
                spoken = [one for one in head if matches(one.cell, cell) and _binds_as(one, limit)]
                _judge(tally, str(cell), asked, limit.level, spoken, operator, bound)
            if tally.cells:
                yield _limit_said(sides, limit, asked, operator, name, tally)
            elif not cells and _undeclared(sides, limit.cell):
                said = f"the {name} of {limit.cell} is gone, with a mode that the store does not declare"
                yield Loosening(f"budget {limit.cell} {operator}", limit.cell, said, sides.base.shown(limit.where))


def _binds_as(ours: Limit, base: Limit) -> bool:
    """Whether a limit holds wherever the base's did: one that rests on a package is waived where that is missing."""
    return ours.needs_package in ("", base.needs_package)


def _judge(
    tally: _Tally,
    cell: str,
    asked: float,
    level: str,
    rules: Sequence[Limit | Contrast],
    operator: str,
    bound: str,
) -> None:
    """Counts a cell where nothing of the same level binds it as tightly as the base did."""
    if _holds(_tightest(rules, bound, _LEVELS[level]), asked, operator):
        return
    any_level = _tightest(rules, bound, _LEVELS["warn"])
    tally.add(cell, any_level, _holds(any_level, asked, operator), operator)


def _tightest(
    rules: Iterable[Limit | Contrast], bound: str, levels: Sequence[str]
) -> tuple[float, Limit | Contrast] | None:
    """The bound that is hardest to meet, and its rule."""
    hits = [(value, rule) for rule in rules if rule.level in levels and (value := getattr(rule, bound)) is not None]
    if not hits:
        return None
    return (max if bound == "minimum" else min)(hits, key=lambda hit: hit[0])


def _holds(hit: tuple[float, Limit | Contrast] | None, asked: float, operator: str) -> bool:
    if hit is None:
        return False
    return hit[0] >= asked - SLACK if operator == ">=" else hit[0] <= asked + SLACK


def _undeclared(sides: Sides, cell: str) -> bool:
    """Whether a rule spoke of a mode that neither side has, so that nobody knows whether the base measured it."""
    mode = cell.split("/")[4]
    return mode in MODES and mode not in {*sides.modes, *sides.head.modes(sides.declared)}


def _limit_said(sides: Sides, limit: Limit, asked: float, operator: str, name: str, tally: _Tally) -> Loosening:
    actual = None if tally.unbound else tally.loosest
    return _said(sides, limit, limit.cell, f"budget {limit.cell} {operator}", (asked, actual), operator, name, tally)


def _said(
    sides: Sides,
    rule: Limit | Contrast,
    cell: str,
    check_id: str,
    bounds: tuple[float, float | None],
    operator: str,
    name: str,
    tally: _Tally,
) -> Loosening:
    asked: float | None
    asked, actual = bounds
    unit = "" if isinstance(rule, Contrast) else unit_of(cell.rpartition("/")[2])
    before, after = figures_apart((asked, actual), unit)
    if actual is None:
        what, operator, asked = f"the {name} of {before} is gone", "", None
    elif tally.warned:
        what = f"the {name} of {before} only warns now"
    else:
        what = f"the {name} was {before} and is {after}"
    where = tally.rule.where if tally.rule is not None and actual is not None else ""
    about = f", on {count(tally.cells, 'cell')}, {tally.first} first"
    return Loosening(check_id, cell, what + about, where or sides.base.shown(rule.where), operator, asked, actual)


def _looser_contrasts(sides: Sides, grid: Grid) -> Iterator[Loosening]:
    head = sides.head.budgets.contrasts
    kept = {(one.kind, one.of, one.partner, one.minimum, one.maximum, one.level) for one in head}
    for contrast in sides.base.budgets.contrasts:
        own = (contrast.kind, contrast.of, contrast.partner, contrast.minimum, contrast.maximum, contrast.level)
        if not sides.renames and own in kept:
            continue
        pairs = [
            (sides.renamed(cell), sides.renamed_name(partner_of(contrast, cell))) for cell in grid.cells(contrast.of)
        ]
        for operator, bound, name in _BOUNDS:
            asked: float | None = getattr(contrast, bound)
            if asked is None:
                continue
            tally = _Tally()
            for cell, partner in pairs:
                spoken = [one for one in head if _same_pair(one, contrast.kind, cell, partner)]
                _judge(tally, str(cell), asked, contrast.level, spoken, operator, bound)
            if tally.cells:
                actual = None if tally.unbound else tally.loosest
                check_id = f"contrast {contrast.of} {contrast.kind} {contrast.partner} {operator}"
                what = f"{name} of the {contrast.kind} to {contrast.partner}"
                yield _said(sides, contrast, contrast.of, check_id, (asked, actual), operator, what, tally)


def _same_pair(contrast: Contrast, kind: str, cell: CellKey, partner: str) -> bool:
    return contrast.kind == kind and matches(contrast.of, cell) and partner_of(contrast, cell) == partner


def wider_waivers(sides: Sides) -> Iterator[Loosening]:
    """Waivers of the head that excuse a cell which the base did not excuse, or not for so long."""
    before = sides.base.budgets.waivers
    cells: list[tuple[CellKey, CellKey]] = []
    if sides.head.budgets.waivers:
        cells = [(cell, sides.renamed(cell)) for cell in (*sides.grid().cells(), *probe_cells(sides))]
    kept = {(waiver.cell, waiver.until) for waiver in before}
    for waiver in sides.head.budgets.waivers:
        if (not sides.renames and (waiver.cell, waiver.until) in kept) or _over(waiver, sides.today):
            continue
        more = [
            (new, until)
            for old, new in cells
            if matches(waiver.cell, new) and (until := _excused(old, before)) < waiver.until
        ]
        if not more:
            continue
        earliest = min(until for _, until in more)
        since = f"; the base excused them until {earliest}" if earliest else ""
        said = f"this waiver excuses {count(len(more), 'cell')} until {waiver.until}, {more[0][0]} first"
        yield Loosening(f"waiver {waiver.cell}", waiver.cell, f"{said}{since}: {waiver.reason}", waiver.where)


def _over(waiver: Waiver, today: date) -> bool:
    return date.fromisoformat(waiver.until) < today


def _excused(cell: CellKey, waivers: Iterable[Waiver]) -> str:
    """The last day on which the base excuses a cell; empty where it does not. ISO days sort as texts."""
    return max((waiver.until for waiver in waivers if matches(waiver.cell, cell)), default="")
