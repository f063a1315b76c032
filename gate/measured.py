"""A trial measured: its runs, their per-topic values, and its cells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from gate.checks.limits import waiver_of
from gate.measures import ParsedMeasure
from gate.methodology import methodology
from gate.outcome import Outcome
from gate.records import NO_FAULT, Budgets, Cell, CellKey, RunKey, ScoredRun, Topic
from gate.sample import is_sampled
from gate.score import cell_of, score
from gate.trial import Trial


@dataclass(frozen=True, slots=True)
class Measured:
    """One trial, what came of it, and its scores."""

    trial: Trial
    outcome: Outcome
    scored: Mapping[RunKey, ScoredRun]
    cells: Mapping[CellKey, Cell]

    def methodology(self, depth: int) -> dict[str, str]:
        subject = self.trial.subject
        return methodology(
            self.outcome.ingest.digest,
            depth,
            subject.arm,
            *subject.models,
            self.trial.corpus.units,
        )


def measured_of(
    trial: Trial, outcome: Outcome, measures: Sequence[ParsedMeasure], budgets: Budgets, today: date
) -> Measured:
    """Scores and cells of one trial. A waived cell keeps its value, but no rule counts it."""
    runs = outcome.runs
    scored = {k: score(run, trial.topics(k.mode, k.fault), trial.corpus, measures) for k, run in runs.items()}
    cells = {}
    asked: dict[tuple[str, str], dict[str, tuple[Topic, ...]]] = {}
    for key in trial.cells:
        made = key.run
        run = runs[made]
        place = key.mode, key.fault if is_sampled(key.fault) else NO_FAULT
        if place not in asked:
            asked[place] = trial.asked_in(*place)
        cell = cell_of(key, run, scored[made], asked[place][key.slice], outcome.ingest)
        waiver = waiver_of(key, budgets.waivers, today)
        if waiver is not None:
            cell = replace(cell, status="waived", reason=f"until {waiver.until}: {waiver.reason}")
        cells[key] = cell
    return Measured(trial, outcome, scored, cells)
