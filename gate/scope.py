"""What settings and flags ask for together: the trials to run, the probes to look at, and all that could be asked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from gate.ingest import Subject
from gate.plan import Declared
from gate.probes.plan import ProbePlan
from gate.records import Cell, CellKey, Check
from gate.trial import Trial


@dataclass(frozen=True, slots=True)
class Probed:
    """The gated store on an arm, and the probes that it is asked."""

    subject: Subject
    declared: Declared
    plan: ProbePlan

    @property
    def cells(self) -> list[CellKey]:
        return self.plan.cells(self.declared.name, self.subject.arm.name)


@dataclass(frozen=True, slots=True)
class Scope:
    """`trials` are to be run, the gated store's first; `subject_name` is its name, None where it could not be opened.

    `full` holds every cell of the full plan; `whole[label]` the run names that a trial has
    before flags narrow it. `findings` are checks that planning alone brought up. `withheld` says
    why none of the trials is run, empty where they are. `probed` are the probes to look at, and
    `probe_cells` those of the full plan.
    """

    trials: tuple[Trial, ...]
    subject_name: str | None
    full: frozenset[CellKey]
    whole: Mapping[str, tuple[str, ...]]
    narrowed: tuple[str, ...]
    notes: tuple[str, ...]
    findings: tuple[Check, ...]
    withheld: str = ""
    probed: tuple[Probed, ...] = ()
    probe_cells: frozenset[CellKey] = frozenset()

    @property
    def to_probe(self) -> tuple[Probed, ...]:
        return () if self.withheld else self.probed

    @property
    def to_run(self) -> tuple[Trial, ...]:
        return () if self.withheld else self.trials

    def unmeasured(self) -> dict[CellKey, Cell]:
        """The cells of the trials where these are withheld, so that nothing that was planned vanishes."""
        keys = [key for trial in self.trials for key in trial.cells] if self.withheld else []
        return {key: Cell(key, "not measured", None, 0, self.withheld) for key in keys}
