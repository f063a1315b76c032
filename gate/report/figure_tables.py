"""The main figures of a verdict as tables: a row a slice, a column a mode."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from gate.figures import figure, unit_of
from gate.records import ALL_TOPICS, MODES, NO_FAULT, Cell, Verdict

MAIN_MEASURES = ("nDCG@10", "R@5")


@dataclass(frozen=True, slots=True)
class FigureTable:
    """One measure of one store, corpus and arm in health: a row a slice, a column a mode.

    `rows` hold a figure for each mode; empty where no such cell was planned. `best` is a slice's
    best figure over the modes; a slice of which nothing was measured has none.
    """

    title: str
    measure: str
    modes: tuple[str, ...]
    rows: tuple[tuple[str, tuple[str, ...]], ...]
    best: Mapping[str, float]

    def weakest(self, most: int) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """At most so many rows: `all`, and of the others those that no mode does well on, in the order of the rows."""
        if len(self.rows) <= most:
            return self.rows
        others = sorted(
            (name for name, _ in self.rows if name != ALL_TOPICS), key=lambda name: self.best.get(name, -1.0)
        )
        shown = {ALL_TOPICS, *others[: most - 1]}
        return tuple(row for row in self.rows if row[0] in shown)


def figure_tables(verdict: Verdict) -> tuple[FigureTable, ...]:
    """The main figures: nDCG@10, else R@5, else whatever measure was planned first, of the cells without a fault."""
    healthy = [cell for cell in verdict.cells if cell.key.fault == NO_FAULT]
    planned = list(dict.fromkeys(cell.key.measure for cell in healthy))
    measure = next((name for name in (*MAIN_MEASURES, *planned) if name in planned), None)
    groups: dict[str, list[Cell]] = {}
    for cell in healthy:
        if cell.key.measure == measure:
            key = cell.key
            groups.setdefault(f"{key.store}/{key.corpus}@{key.tier}/{key.arm}", []).append(cell)
    return tuple(_table(title, measure or "", cells) for title, cells in groups.items())


def _table(title: str, measure: str, cells: Sequence[Cell]) -> FigureTable:
    found = {cell.key.mode for cell in cells}
    modes = tuple(mode for mode in MODES if mode in found) + tuple(sorted(found - set(MODES)))
    slices = sorted(dict.fromkeys(cell.key.slice for cell in cells), key=lambda name: name != ALL_TOPICS)
    by_place = {(cell.key.slice, cell.key.mode): cell for cell in cells}
    unit = unit_of(measure)

    def entry(cell: Cell | None) -> str:
        if cell is None:
            return ""
        return figure(cell.value, unit) if cell.status == "measured" else cell.status

    rows = tuple((name, tuple(entry(by_place.get((name, mode))) for mode in modes)) for name in slices)
    best: dict[str, float] = {}
    for cell in cells:
        if cell.value is not None:
            best[cell.key.slice] = max(cell.value, best.get(cell.key.slice, 0.0))
    return FigureTable(title, measure, modes, rows, best)
