"""Repeats of one run: the mean of each cell and how far it scatters, where it does."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import fsum, sqrt

from gate.comparison.compare import Wanted, measures_of
from gate.comparison.pairing import first_field, first_judgement
from gate.comparison.records import Gap, Side
from gate.comparison.verdict import gap_checks
from gate.figures import count
from gate.globs import chosen
from gate.measures import ParsedMeasure
from gate.measures.rankings import mean
from gate.records import ALL_TOPICS, Cell, CellKey, Run, RunKey, Verdict
from gate.score import score
from gate.verdict import decide


@dataclass(frozen=True, slots=True)
class Repeated:
    """One cell in every repeat: `values` are its means.

    `deviation` is that of a sample (n - 1). It is None where the run gave the same answers in
    every repeat: such an arm is deterministic, and has no deviation to print.
    """

    cell: CellKey
    topics: int
    values: tuple[float, ...]
    deviation: float | None

    @property
    def mean(self) -> float:
        return mean(self.values)


@dataclass(frozen=True, slots=True)
class Repeats:
    sides: tuple[Side, ...]
    cells: tuple[Repeated, ...]
    gaps: tuple[Gap, ...]
    notes: tuple[str, ...]
    verdict: Verdict


def repeat(sides: Sequence[Side], wanted: Wanted) -> Repeats:
    """All cells of runs that every repeat has and that were asked the same. Raises UsageError for globs of nothing."""
    want = wanted.chosen
    want.check(sides)
    measures, deeper = measures_of(wanted.measures, sides)
    keys = list(dict.fromkeys(key for side in sides for key in want.keys(side.runs)))
    gaps: list[Gap] = list(deeper.gaps)
    cells: list[Repeated] = []
    for key in keys:
        found = list(_gaps(sides, key))
        runs = [side.load(key) for side in sides] if not found else []
        found += [
            Gap(str(key), f"not measured in {side.name}: {run.failure}")
            for side, run in zip(sides, runs, strict=False)
            if run.failure
        ]
        found = found or list(_topic_gaps(sides, runs))
        gaps += found
        if not found:
            every = chosen(dict.fromkeys(name for side in sides for name in side.slices[key]), want.slices)
            lacking = {name: [side.name for side in sides if name not in side.slices[key]] for name in every}
            gaps += [
                Gap(f"{key} {name}", f"the slice is not in {', '.join(some)}") for name, some in lacking.items() if some
            ]
            cells += _cells(sides[0], runs, [name for name in every if not lacking[name]], measures)
    verdict = decide(
        gap_checks(dict.fromkeys(gaps)),
        [Cell(one.cell, "measured", one.mean, one.topics) for one in cells],
        fail_on=wanted.fail_on,
        not_measured=wanted.not_measured,
        notes=(notes := (*(note for side in sides for note in side.notes), *deeper.notes)),
    )
    return Repeats(tuple(sides), tuple(cells), tuple(dict.fromkeys(gaps)), notes, verdict)


def _gaps(sides: Sequence[Side], key: RunKey) -> Iterator[Gap]:
    """Why a run is not the same one in every repeat: the first thing that stands against it."""
    absent = [side.name for side in sides if key not in side.runs]
    if absent:
        yield Gap(str(key), f"not in {', '.join(absent)}")
        return
    first, label = sides[0], f"{key.corpus}@{key.tier}"
    for other in sides[1:]:
        told = first_field(first.methodology[key], other.methodology[key], first.name, other.name) or first_judgement(
            first.corpora[label], other.corpora[label], first.name, other.name
        )
        if told:
            yield Gap(f"{key.store} on {label}, {key.arm}", f"cannot be pooled: {told}")
            return


def _topic_gaps(sides: Sequence[Side], runs: Sequence[Run]) -> Iterator[Gap]:
    asked = set(runs[0].results)
    for side, run in zip(sides[1:], runs[1:], strict=True):
        odd = sorted(asked.symmetric_difference(run.results))
        if odd:
            yield Gap(
                str(run.key), f"{count(len(odd), 'topic')} not asked in both {sides[0].name} and {side.name}: {odd[0]}"
            )


def _cells(
    side: Side, runs: Sequence[Run], slices: Sequence[str], measures: Sequence[ParsedMeasure]
) -> Iterator[Repeated]:
    key = runs[0].key
    corpus = side.corpora[f"{key.corpus}@{key.tier}"]
    topics = [t for t in corpus.topics if t.topic_id in runs[0].results]
    values = [score(run, topics, corpus, measures).values for run in runs]
    deterministic = all(_answers(run) == _answers(runs[0]) for run in runs)
    for name in slices:
        members = [t.topic_id for t in topics if name == ALL_TOPICS or name in t.slices]
        for measure in measures:
            judged = [topic for topic in members if topic in values[0][measure.label]]
            if judged:
                means = tuple(mean([of[measure.label][topic] for topic in judged]) for of in values)
                scatter = None if deterministic else _deviation(means)
                yield Repeated(key.cell(name, measure.label), len(judged), means, scatter)


def _answers(run: Run) -> dict[str, tuple[tuple[str, ...], int, bool]]:
    return {topic: (result.doc_ids, result.duplicates, result.refused) for topic, result in run.results.items()}


def _deviation(values: Sequence[float]) -> float:
    centre = mean(values)
    return sqrt(fsum((value - centre) ** 2 for value in values) / (len(values) - 1))
