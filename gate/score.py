"""The stage that measures: from ranked results and judgements to a value a topic, and to cells."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from gate.measures import MEASURES, RUN_MEASURES, ParsedMeasure, parse_measure, score_topics
from gate.measures.rankings import judged, mean
from gate.records import Cell, CellKey, Corpus, Ingest, Run, ScoredRun, Timing, Topic


def score(run: Run, topics: Sequence[Topic], corpus: Corpus, measures: Iterable[ParsedMeasure]) -> ScoredRun:
    """The per-topic values of every per-topic measure; of a run in repeats their means. A run that failed has none."""
    if run.failure:
        return ScoredRun(run.key, {})
    wanted = [measure for measure in measures if measure.name not in RUN_MEASURES]
    each = []
    for results in (run.results, *run.repeats):
        rankings = judged(results, topics, corpus)
        each.append({measure.label: score_topics(rankings, measure) for measure in wanted})
    if len(each) == 1:
        return ScoredRun(run.key, each[0])
    return ScoredRun(run.key, {m.label: _means([values[m.label] for values in each]) for m in wanted}, tuple(each))


def _means(each: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """The mean of each topic over the repeats in which it has a value."""
    topics = dict.fromkeys(topic for values in each for topic in values)
    return {topic: mean([values[topic] for values in each if topic in values]) for topic in topics}


def cell_of(
    key: CellKey,
    run: Run,
    scored: ScoredRun,
    topics: Sequence[Topic],
    ingest: Ingest,
) -> Cell:
    """One planned cell, measured or with the reason why not."""
    if run.failure:
        return Cell(key, "not measured", None, 0, run.failure)
    parsed = parse_measure(key.measure)
    if parsed.name in RUN_MEASURES:
        milliseconds = [each[t.topic_id].milliseconds for each in (run.results, *run.repeats) for t in topics]
        timing = Timing(tuple(milliseconds), ingest.documents, ingest.seconds)
        value, counted = RUN_MEASURES[parsed.name].over(timing), len(topics)
    else:
        of_topic = scored.values[key.measure]
        values = [of_topic[t.topic_id] for t in topics if t.topic_id in of_topic]
        value, counted = (mean(values) if values else None), len(values)
    if value is None:
        return Cell(key, "not measured", None, 0, _nothing_to_measure(parsed))
    return Cell(key, "measured", value, counted, spread=_spread(scored, key.measure, topics))


def _spread(scored: ScoredRun, measure: str, topics: Sequence[Topic]) -> tuple[float, float] | None:
    """The lowest and the highest mean of the repeats; None without repeats."""
    means = []
    for values in scored.repeats:
        own = [values[measure][t.topic_id] for t in topics if t.topic_id in values.get(measure, {})]
        means += [mean(own)] if own else []
    return (min(means), max(means)) if means else None


def _nothing_to_measure(measure: ParsedMeasure) -> str:
    if measure.name in MEASURES and MEASURES[measure.name].applies_to == "evidence":
        return "the store gave no evidence on any topic of this slice"
    return "no topic of this slice has what the measure looks at"
