"""Every cell that settings can speak of, from names alone: what rules of two sides are compared on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase

from gate.measures import RUN_MEASURES
from gate.records import ALL_TOPICS, NO_FAULT, CellKey
from gate.sample import has_cells


@dataclass(frozen=True, slots=True)
class Grid:
    """`slices[label][slice]` are the modes in which a slice makes sense; `faults[fault]` those it can strike."""

    stores: tuple[str, ...]
    slices: Mapping[str, Mapping[str, frozenset[str]]]
    arms: tuple[str, ...]
    modes: tuple[str, ...]
    faults: Mapping[str, frozenset[str]]
    measures: tuple[str, ...]

    def cells(self, glob: str = "*/*/*/*/*/*/*") -> Iterator[CellKey]:
        """The cells that a glob speaks of, in order; none for what is no glob of cells."""
        parts = glob.split("/")
        if len(parts) != 7:
            return
        store, label, part, arm, mode, fault, measure = parts
        measures = _matching(self.measures, measure)
        for one, corpus in ((s, c) for s in _matching(self.stores, store) for c in _matching(self.slices, label)):
            name, _, tier = corpus.partition("@")
            for piece in _matching(self.slices[corpus], part):
                for path in (m for m in _matching(self.modes, mode) if m in self.slices[corpus][piece]):
                    for device in _matching(self.arms, arm):
                        for broken in (NO_FAULT, *self.faults):
                            if not fnmatchcase(broken, fault) or path not in self.faults.get(broken, {path}):
                                continue
                            if not has_cells(piece, broken):
                                continue
                            for what in measures:
                                if what in RUN_MEASURES and (piece != ALL_TOPICS or broken != NO_FAULT):
                                    continue
                                yield CellKey(one, name, tier, piece, device, path, broken, what)


def _matching(names: Iterable[str], glob: str) -> list[str]:
    return [name for name in names if fnmatchcase(name, glob)]
