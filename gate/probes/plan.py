"""Which probes a store is asked, in which modes, and how each is called in cells."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from gate.plan import Declared
from gate.probes import PROBES
from gate.probes.probe import NO_MODE, Probe
from gate.records import CellKey

# What stands in the cells of probes for the corpus, and for the fault.
CORPUS, FAULT = "probes", "probe"
SETS = ("off", "fast", "full")


@dataclass(frozen=True, slots=True)
class Planned:
    """A probe, and the modes in which it is looked at."""

    probe: Probe
    modes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ProbePlan:
    """What a store is asked. `undeclared` are probes that need what it does not declare, `moving` those of steady ranks
    that a store is not asked that is declared noisy."""

    planned: tuple[Planned, ...]
    undeclared: tuple[str, ...]
    moving: tuple[str, ...]

    @property
    def looks(self) -> int:
        return sum(len(one.modes) for one in self.planned)

    def cells(self, store: str, arm: str) -> list[CellKey]:
        return [cell_of(one.probe, store, arm, mode) for one in self.planned for mode in one.modes]

    def within(self, modes: Collection[str], *, fast: bool) -> ProbePlan:
        """The fast ones, or all others, in some modes alone; what looks at the whole store stays."""
        kept = [
            Planned(one.probe, own)
            for one in self.planned
            if one.probe.fast == fast and (own := tuple(mode for mode in one.modes if mode in modes or mode == NO_MODE))
        ]
        return ProbePlan(tuple(kept), self.undeclared, self.moving)

    def notes(self, store: str) -> list[str]:
        """What a reader has to know of probes that are not asked."""
        found = []
        if self.undeclared:
            found.append(
                f"{store} is not asked the probes {', '.join(self.undeclared)}:"
                " it does not declare the modes or abilities that they need"
            )
        if self.moving:
            found.append(f"{store} is declared noisy, so it is not asked the probes {', '.join(self.moving)}")
        return found


def names_of(which: str) -> list[str]:
    """The probes of a set: off, fast or full."""
    return [name for name, probe in PROBES.items() if which == "full" or (which == "fast" and probe.fast)]


def plan_probes(
    declared: Declared, names: Iterable[str], modes: Sequence[str] = (), *, noisy: bool = False
) -> ProbePlan:
    """The probes of those names that the store can be asked, in their order; `modes` narrows, empty are all."""
    wanted = set(names)
    planned, undeclared, moving = [], [], []
    for name, probe in PROBES.items():
        if name not in wanted:
            continue
        own = [mode for mode in probe.modes if mode == NO_MODE or mode in declared.modes]
        asked = tuple(mode for mode in own if not modes or mode == NO_MODE or mode in modes)
        if not own or not probe.needs <= declared.abilities or not probe.beside <= declared.modes:
            undeclared.append(name)
        elif probe.steady and noisy:
            moving.append(name)
        elif asked:
            planned.append(Planned(probe, asked))
    return ProbePlan(tuple(planned), tuple(undeclared), tuple(moving))


def cell_of(probe: Probe, store: str, arm: str, mode: str) -> CellKey:
    """`STORE/probes@SET/FAMILY/ARM/MODE/probe/NAME`."""
    return CellKey(store, CORPUS, "fast" if probe.fast else "full", probe.family, arm, mode, FAULT, probe.name)


def key_of(cell: str) -> CellKey:
    """The key that is written like that."""
    store, corpus, family, arm, mode, fault, name = cell.split("/")
    label, _, tier = corpus.partition("@")
    return CellKey(store, label, tier, family, arm, mode, fault, name)
