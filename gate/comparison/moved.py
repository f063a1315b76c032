"""The topics that moved, with their documents: each once for a run, whatever measures and slices it counts in."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from gate.comparison.cells import PairValues
from gate.comparison.records import MovedTopic, Pair
from gate.measures import MEASURES, ParsedMeasure
from gate.measures.forbidden import Forbidden
from gate.moves import topic_move
from gate.records import RunKey, Topic, TopicMove
from gate.stats.rule import NOISE


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A topic that moved. `worst` is its largest loss in any measure, below 0, `best` its largest gain."""

    one: PairValues
    topic: Topic
    worst: float
    best: float


def moved_topics(
    pairs: Iterable[PairValues], measures: Sequence[ParsedMeasure], most: int | None
) -> tuple[tuple[MovedTopic, ...], int]:
    """The first `most` topics (None: all), the largest loss first, and how many there are."""
    found = [candidate for one in pairs for candidate in _candidates(one, measures)]
    found.sort(key=lambda c: (c.worst, -c.best))
    return tuple(_told(candidate, measures) for candidate in found[:most]), len(found)


def unjudged_moves(pairs: Iterable[Pair], moved: Mapping[RunKey, frozenset[str]]) -> dict[RunKey, int]:
    """By run of B, the topics on which only documents moved that nobody judged."""
    counts = {}
    for pair in pairs:
        differ = {
            t.topic_id for t in pair.topics if pair.a.results[t.topic_id].doc_ids != pair.b.results[t.topic_id].doc_ids
        }
        counts[pair.b.key] = len(differ - moved[pair.b.key])
    return {key: number for key, number in counts.items() if number}


def _candidates(one: PairValues, measures: Sequence[ParsedMeasure]) -> Iterable[_Candidate]:
    names = set(one.pair.slices)
    for topic in one.pair.topics:
        if not ("all" in names or names.intersection(topic.slices)):
            continue
        gains = [gain for measure in measures if (gain := _gain(one, topic.topic_id, measure)) is not None]
        if topic.topic_id in one.moved or any(abs(gain) > NOISE for gain in gains):
            yield _Candidate(one, topic, min((0.0, *gains)), max((0.0, *gains)))


def _gain(one: PairValues, topic: str, measure: ParsedMeasure) -> float | None:
    ours, theirs = one.values[measure]
    if topic not in ours or topic not in theirs:
        return None
    return (theirs[topic] - ours[topic]) * (1 if measure.higher_is_better else -1)


def _told(candidate: _Candidate, measures: Sequence[ParsedMeasure]) -> MovedTopic:
    one, topic = candidate.one, candidate.topic
    of_topic = {
        measure.label: (one.values[measure][0][topic.topic_id], one.values[measure][1][topic.topic_id])
        for measure in measures
        if topic.topic_id in one.values[measure][0]
    }
    values = {label: pair for label, pair in of_topic.items() if abs(pair[1] - pair[0]) > NOISE}
    return MovedTopic(one.pair.b.key, values, move_of(one, topic, _widest(measures, of_topic)))


def _widest(measures: Sequence[ParsedMeasure], applied: Mapping[str, object]) -> ParsedMeasure:
    """The measure that looks furthest down, which names the documents that any of them could miss.

    One that looks at forbidden documents alone only where no other looks at the topic.
    """
    return max(
        (measure for measure in measures if measure.label in applied),
        key=lambda measure: (MEASURES[measure.name].applies_to != "forbidden", measure.cutoff),
        default=ParsedMeasure(Forbidden.name, 10),
    )


def move_of(one: PairValues, topic: Topic, measure: ParsedMeasure) -> TopicMove:
    """The documents of a topic that moved from A to B, with the values of one measure (0 where it has none)."""
    ranks = [
        {doc: rank for rank, doc in enumerate(run.results[topic.topic_id].doc_ids, start=1)}
        for run in (one.pair.a, one.pair.b)
    ]
    ours, theirs = one.values.get(measure, ({}, {}))
    before, after = ours.get(topic.topic_id, 0.0), theirs.get(topic.topic_id, 0.0)
    return topic_move(topic, one.pair.corpus, measure, ranks[0], ranks[1], before, after)
