"""The figures of every cell of a comparison, all judged together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from gate.baselines import Standing, judged_ids, standing_in
from gate.comparison.records import Difference, JointTest, McNemar, Pair
from gate.measures import MEASURES, ParsedMeasure
from gate.measures.rankings import mean
from gate.paired import PairedCell, clusters_of, judge_cells, pair_cell, ranks_moved, row_of
from gate.records import ALL_TOPICS, CellKey, Corpus, Topic
from gate.score import score
from gate.stats import corrections, mcnemar, wilson
from gate.stats.paired_mean import PairedMean, paired_mean
from gate.stats.rule import LEAST, NOISE, Judged
from gate.stats.tost import Equivalence, equivalence_of

EQUIVALENT = 0.05  # the level of TOST


@dataclass(frozen=True, slots=True)
class PairValues:
    """One pair scored: `values[measure]` are the values of A and of B by topic.

    `standings` say where the judged documents of each topic stand on both sides.
    """

    pair: Pair
    values: Mapping[ParsedMeasure, tuple[Mapping[str, float], Mapping[str, float]]]
    standings: tuple[Mapping[str, Standing], Mapping[str, Standing]]

    @property
    def moved(self) -> frozenset[str]:
        """The topics whose judged documents stand elsewhere."""
        then, now = self.standings
        return frozenset(topic for topic in then if ranks_moved(then[topic], now[topic]))

    def members(self, slice_name: str) -> list[Topic]:
        return [t for t in self.pair.topics if slice_name == ALL_TOPICS or slice_name in t.slices]


def scored(pair: Pair, measures: Sequence[ParsedMeasure]) -> PairValues:
    """The values of both runs on the topics that both were asked."""
    ours = score(pair.a, pair.topics, pair.corpus, measures).values
    theirs = score(pair.b, pair.topics, pair.corpus, measures).values
    then, now = (
        {t.topic_id: standing_in(run, t.topic_id, judged_ids(pair.corpus, t.topic_id)) for t in pair.topics}
        for run in (pair.a, pair.b)
    )
    return PairValues(
        pair,
        {measure: (ours[measure.label], theirs[measure.label]) for measure in measures},
        (then, now),
    )


@dataclass(frozen=True, slots=True)
class _Cell:
    """One cell before it is judged: the values of both sides by topic, and the topics where it got better or worse."""

    a: CellKey
    b: CellKey
    measure: ParsedMeasure
    values_a: Mapping[str, float]
    values_b: Mapping[str, float]
    paired: PairedCell
    corpus: Corpus


def differences_of(
    pairs: Iterable[PairValues], measures: Sequence[ParsedMeasure], margin: float | None
) -> tuple[tuple[Difference, ...], JointTest]:
    """Every cell that a measure looks at, in the order of runs, slices and measures. `margin` asks for TOST."""
    cells: list[_Cell] = []
    clusters: dict[str, str] = {}
    for one in pairs:
        clusters.update(clusters_of(one.pair.corpus, one.pair.topics))
        cells += [cell for name in one.pair.slices for m in measures if (cell := _cell(one, name, m)) is not None]
    judgement = judge_cells({number: cell.paired for number, cell in enumerate(cells)}, clusters)
    alone = {number: judged.alone for number, judged in judgement.cells.items() if judged.alone is not None}
    holm = dict(zip(alone, corrections.holm(list(alone.values())), strict=True))
    rate = dict(zip(alone, corrections.benjamini_hochberg(list(alone.values())), strict=True))
    found = tuple(
        _difference(cell, judgement.cells[number], clusters, margin, holm.get(number), rate.get(number))
        for number, cell in enumerate(cells)
    )
    test = JointTest(
        sum(cell.paired.paired.gated for cell in cells), judgement.clusters, judgement.flips, judgement.critical
    )
    return found, test


def _cell(one: PairValues, slice_name: str, measure: ParsedMeasure) -> _Cell | None:
    """A cell, None where the measure looks at no topic of the slice."""
    ours, theirs = one.values[measure]
    topics = [t.topic_id for t in one.members(slice_name) if t.topic_id in ours and t.topic_id in theirs]
    if not topics:
        return None
    return _Cell(
        one.pair.a.key.cell(slice_name, measure.label),
        one.pair.b.key.cell(slice_name, measure.label),
        measure,
        {topic: ours[topic] for topic in topics},
        {topic: theirs[topic] for topic in topics},
        pair_cell(one.pair.corpus, measure, one.standings, (ours, theirs), topics),
        one.pair.corpus,
    )


def _difference(
    cell: _Cell,
    judged: Judged,
    clusters: Mapping[str, str],
    margin: float | None,
    holm: float | None,
    benjamini_hochberg: float | None,
) -> Difference:
    gains = cell.paired.change.values()
    won, lost = sum(gain > NOISE for gain in gains), sum(gain < -NOISE for gain in gains)
    raw = {row_of(cell.corpus, topic): cell.values_b[topic] - cell.values_a[topic] for topic in cell.values_a}
    spread = paired_mean(raw, clusters)
    binary = all(value in (0.0, 1.0) for value in (*cell.values_a.values(), *cell.values_b.values()))
    tost, said = _equivalence(judged, spread, margin, moved=won + lost > 0)
    return Difference(
        cell.a,
        cell.b,
        mean(list(cell.values_a.values())),
        mean(list(cell.values_b.values())),
        spread.interval(largest=MEASURES[cell.measure.name].highest) if judged.topics >= LEAST else None,
        judged,
        len(cell.paired.gained),
        len(cell.paired.lost),
        _two_sided(judged),
        holm,
        benjamini_hochberg,
        McNemar(lost, won, mcnemar.one_sided(lost, won), mcnemar.two_sided(lost, won)) if binary else None,
        _proportion(cell.values_a) if binary else None,
        _proportion(cell.values_b) if binary else None,
        tost,
        said,
    )


def _two_sided(judged: Judged) -> float | None:
    if judged.p is None or judged.p_better is None:
        return None
    return min(1.0, 2 * min(judged.p, judged.p_better))


def _proportion(values: Mapping[str, float]) -> tuple[float, float]:
    return wilson.interval(sum(values.values()), len(values))


def _equivalence(
    judged: Judged, spread: PairedMean, margin: float | None, *, moved: bool
) -> tuple[Equivalence | None, str]:
    """TOST and what it says, empty where nobody asked. Nothing is tested where nothing moved."""
    if margin is None:
        return None, ""
    if not moved:
        return None, f"identical on {judged.topics} topics" if not judged.moved else (
            f"ranks moved, and no value on {judged.topics} topics"
        )
    if spread.degrees < 1 or spread.error == 0:
        return None, "not tested: nothing varies between clusters"
    tost = equivalence_of(spread.mean, spread.error, spread.degrees, margin)
    return tost, "equivalent" if tost.p <= EQUIVALENT else "not shown to be equivalent"
