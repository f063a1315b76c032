"""The audit of a budget file as a person reads it: what is flagged, each budget in a line, and what slices show."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

import click

from gate.budgets import PARTS
from gate.cli.churn_audit import churn_lines
from gate.cli.table import table_lines
from gate.figures import count, figure, unit_of
from gate.headroom.audit import MEASURES, BudgetAudit
from gate.headroom.power import LOSSES, SEEN, SlicePower, sentences
from gate.headroom.slack import BROKEN, LOOSE, NO_CELL, NOT_MEASURED, CellSlack, RuleSlack
from gate.headroom.waivers import SOON, WaiverState
from gate.records import CellKey
from gate.report.escape import disarmed, visible

# Of the cells for which a budget is flagged, so many are named; of budgets and slices, so many have a line.
CELLS = 3
MOST = 10
_NEVER = "never breaks"
_WIDTH = 100
_SAYS = {
    BROKEN: "red now",
    LOOSE: "a fifth of the slice could be lost, and no budget on the cell would go red",
    NOT_MEASURED: "not measured",
}


def audit_text(made: BudgetAudit, *, everything: bool) -> str:
    """The audit as text: what is flagged, where there is the most room, and which slices show the least.

    `everything` is each budget, each of its cells, each cell without one, and each slice.
    """
    lines = [
        *_head(made),
        *_flagged(made),
        *(_every_rule(made.rules) if everything else _roomiest(made)),
        *_unbudgeted(made, everything=everything),
        *_slices(made.slices, everything=everything),
        *churn_lines(made.churn, everything=everything),
        "",
        _total(made),
    ]
    return disarmed("\n".join(lines)) + "\n"


def _head(made: BudgetAudit) -> Iterator[str]:
    measured = made.measured
    where = made.budgets and visible(_file(made.rules) or made.budgets)
    budgets = f"{count(len(made.rules), 'budget')} of {where}" if where else "No budgets: the settings name no file"
    commit = f", made on {visible(measured.made_on(12))}" if measured.commit else ""
    against = "" if measured.kind == "results" else "baselines in "
    yield f"{budgets}; held against the {against}{'results in ' * (not against)}{visible(measured.place)}{commit}."
    for note in measured.notes:
        yield _wrapped(f"note: {note}", "", "      ")


def _file(rules: Sequence[RuleSlack]) -> str:
    return rules[0].where.rpartition(":")[0] if rules else ""


def _flagged(made: BudgetAudit) -> Iterator[str]:
    """What a person has to see to: budgets, then waivers."""
    soon = [state for state in made.waivers if state.status == SOON]
    if not (made.flagged or made.spent or soon):
        return
    yield ""
    for rule in made.flagged:
        yield f"{rule.status.upper()}  {visible(rule.where)}  {visible(_speaks_of(rule))}  {_asks(rule)}"
        if rule.status == NO_CELL:
            yield "  nothing that was measured is one of its cells"
            continue
        cells = [one for one in rule.cells if one.status == rule.status]
        yield f"  {_SAYS[rule.status]}:"
        yield from (f"    {_cell(one)}" for one in cells[:CELLS])
        if len(cells) > CELLS:
            yield f"    and {count(len(cells) - CELLS, 'more cell')}"
    yield from map(_waiver, (*made.spent, *soon))


def _waiver(state: WaiverState) -> str:
    days = f"{count(-state.days, 'day')} ago" if state.days < 0 else f"in {count(state.days, 'day')}"
    name = visible(f"{state.waiver.where}  {state.waiver.cell}")
    return f"{state.status.upper()} WAIVER  {name}  until {state.waiver.until}, {days}: {visible(state.waiver.reason)}"


def _roomiest(made: BudgetAudit) -> Iterator[str]:
    """The budgets that could be tightened most: of those that guard a loss and are not flagged already."""
    flagged = {id(rule) for rule in made.flagged}
    guards = [rule for rule in made.rules if id(rule) not in flagged and _guards(rule)]
    shown = sorted(guards, key=_most_room, reverse=True)[:MOST]
    if not shown:
        return
    yield ""
    yield "The most room, where a loss is guarded, on the cell with the least of it and on the one with the most:"
    yield from _table(shown)
    left = len(made.rules) - len(shown)
    if left:
        yield f"  {count(left, 'more budget')} with --all: flagged above, with less room, or where no loss is guarded"


def _guards(rule: RuleSlack) -> bool:
    return any(one.lets_go is not None for one in rule.cells)


def _most_room(rule: RuleSlack) -> float:
    return rule.loosest.slack or 0.0 if rule.loosest is not None else 0.0


def _every_rule(rules: Sequence[RuleSlack]) -> Iterator[str]:
    if not rules:
        return
    yield ""
    yield "What may be lost before each goes red, on the cell with the least room and on the one with the most:"
    yield from _table(rules)
    for rule in rules:
        yield ""
        yield f"{visible(rule.where)}  {visible(_speaks_of(rule))}  {_asks(rule)}"
        yield from (f"  {_cell(one)}" for one in rule.cells)


def _table(rules: Sequence[RuleSlack]) -> Iterator[str]:
    rows = [("line", "asks", "cells", "least", "topics", "most", "topics", "state", "cells that it speaks of")]
    for rule in rules:
        least, most = _room(rule.tightest), _room(rule.loosest)
        line, bound = rule.where.rpartition(":")[2], len({one.cell for one in rule.cells})
        rows.append((line, _asks(rule), f"{bound}", *least, *most, rule.status, visible(_speaks_of(rule))))
    yield from table_lines(rows, right=(0, 2, 3, 4, 5, 6))


def _room(one: CellSlack | None) -> tuple[str, str]:
    if one is None or one.slack is None:
        return "-", "-"
    if not one.can_break:
        return _NEVER, "-"
    unit = unit_of(one.cell.measure)
    return figure(one.slack, unit), "-" if one.topics is None else f"{one.topics} of {one.of}"


def _asks(rule: RuleSlack) -> str:
    bounds = ((">=", rule.minimum), ("<=", rule.maximum))
    asked = " ".join(f"{operator} {bound:g}" for operator, bound in bounds if bound is not None)
    return asked if rule.level == "error" else f"{asked} ({rule.level})"


def _speaks_of(rule: RuleSlack) -> str:
    """A limit's cells; of a contrast its first side, and in what the other differs."""
    if not rule.partner:
        return rule.cell
    sides = zip(PARTS, rule.cell.split("/"), rule.partner.split("/"), strict=True)
    other = " ".join(f"{name} {partner}" for name, own, partner in sides if own != partner)
    return f"{rule.cell} {'minus' if rule.kind == 'difference' else 'over'} {other}"


def _cell(one: CellSlack) -> str:
    unit = unit_of(one.cell.measure)
    points, topics = _room(one)
    left = {"-": "no value", _NEVER: _NEVER}.get(points, f"{points} of room")
    if topics != "-":
        left += f", {topics} topics"
    return f"{visible(str(one.cell))}  {figure(one.actual, unit)} {one.operator} {one.bound:g}  {left}  {one.status}"


def _unbudgeted(made: BudgetAudit, *, everything: bool) -> Iterator[str]:
    """Slices and modes without a floor, by store and mode; never a line for each cell unless asked."""
    if not made.unbudgeted:
        return
    yield ""
    yield f"Without a budget: {len(made.unbudgeted)} of {made.gated} cells of {' and '.join(MEASURES)} in health."
    if everything:
        yield from (f"  {visible(str(key))}" for key in made.unbudgeted)
        return
    for (store, corpus, arm, mode), cells in groupby(sorted(made.unbudgeted, key=_place), key=_place):
        yield "  " + visible(f"{store}/{corpus}/{arm}/{mode}: {_missing(list(cells))}")


def _place(key: CellKey) -> tuple[str, str, str, str]:
    return key.store, f"{key.corpus}@{key.tier}", key.arm, key.mode


def _missing(cells: Sequence[CellKey]) -> str:
    """What one mode lacks: by measure, on which slice, or on how many."""
    slices: dict[str, list[str]] = {}
    for key in cells:
        slices.setdefault(key.measure, []).append(key.slice)
    return ", ".join(
        f"no {measure} on {' or '.join(names) if len(names) <= 2 else count(len(names), 'slice')}"
        for measure, names in sorted(slices.items())
    )


def _slices(slices: Sequence[SlicePower], *, everything: bool) -> Iterator[str]:
    if not slices:
        return
    shown = slices if everything else sorted(slices, key=_strength)[:MOST]
    weakest = f", the weakest of {count(len(slices), 'slice')}" if len(shown) < len(slices) else ""
    yield ""
    yield f"What a comparison with a baseline can see{weakest}, on a change that moves nothing else:"
    head = ("corpus", "slice", "topics", "clusters", "certain", "collapse", f"seen {SEEN:.0%}")
    rows: list[tuple[str, ...]] = [(*head, *(f"at {loss:.2f}" for loss in LOSSES))]
    for one in shown:
        clusters = "-" if one.clusters is None else f"{one.clusters}"
        certain, collapse = ("-" if number is None else f"{number}" for number in (one.certain, one.collapse))
        seen = _range(*("-" if sight.seen is None else figure(sight.seen) for sight in (one.apart, one.together)))
        chances = zip(one.together.chances, one.apart.chances, strict=True)
        at = (_range(_chance(together), _chance(apart)) for together, apart in chances)
        rows.append(
            tuple(map(visible, (one.corpus, one.slice, f"{one.topics}", clusters, certain, collapse, seen, *at)))
        )
    yield from table_lines(rows, right=tuple(range(2, len(rows[0]))))
    if len(shown) < len(slices):
        blind = sum(one.certain is None for one in slices)
        more = count(len(slices) - len(shown), "more slice")
        yield f"  {more} with --all; in {blind} of all {len(slices)} no loss can be significant"
    yield "  certain: topics (clusters where known, the largest first) lost that are always significant."
    yield "  collapse: as many lost fail without a test."
    yield f"  seen {SEEN:.0%}: the share lost that is significant so often; at: the chance to see such a share lost."
    if any(one.unit == "cluster" for one in shown):
        yield "  Ranges: topics of one cluster move together, or each on its own."
    yield from (_wrapped(sentence, "  ", "    ") for sentence in sentences(shown))


def _strength(one: SlicePower) -> tuple[bool, int, float, str, str]:
    """Slices in which nothing can be significant come first, the smallest before, then those that see the least."""
    units = one.clusters or one.topics
    seen = one.together.seen
    return seen is not None, units if seen is None else 0, -(seen or 0.0), one.corpus, one.slice


def _range(one: str, two: str) -> str:
    return one if one == two else f"{one} to {two}"


def _chance(chance: float) -> str:
    """A percentage, never 0% or 100% for what is not: a chance so near to 1 that it rounds there is not certain."""
    if 0 < chance < 0.01:
        return "<1%"
    return ">99%" if chance > 0.99 else f"{chance:.0%}"


def _total(made: BudgetAudit) -> str:
    statuses = [rule.status for rule in made.flagged]
    told = [f"{statuses.count(status)} {status}" for status in dict.fromkeys(statuses)]
    told += [f"{count(len(made.spent), 'waiver')} expired or unused"] if made.spent else []
    return f"Flagged: {', '.join(told)}." if told else "Nothing flagged."


def _wrapped(text: str, first: str, rest: str) -> str:
    return click.wrap_text(visible(text), _WIDTH, first, rest)
