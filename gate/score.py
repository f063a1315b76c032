"""The stage that measures: from ranked results and judgements to a value a topic, and to cells."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gate.measures import MEASURES, RUN_MEASURES, ParsedMeasure, parse_measure, score_topics
from gate.measures.rankings import judged, mean
from gate.records import Cell, CellKey, Corpus, Ingest, Run, ScoredRun, Timing, Topic


def score(run: Run, topics: Sequence[Topic], corpus: Corpus, measures: Iterable[ParsedMeasure]) -> ScoredRun:
    """The per-topic values of every per-topic measure. A run that failed has none."""
    if run.failure:
        return ScoredRun(run.key, {})
    rankings = judged(run.results, topics, corpus)
    return ScoredRun(run.key, {m.label: score_topics(rankings, m) for m in measures if m.name not in RUN_MEASURES})


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
        timing = Timing(tuple(run.results[t.topic_id].milliseconds for t in topics), ingest.documents, ingest.seconds)
        value, counted = RUN_MEASURES[parsed.name].over(timing), len(topics)
    else:
        of_topic = scored.values[key.measure]
        values = [of_topic[t.topic_id] for t in topics if t.topic_id in of_topic]
        value, counted = (mean(values) if values else None), len(values)
    if value is None:
        return Cell(key, "not measured", None, 0, _nothing_to_measure(parsed))
    return Cell(key, "measured", value, counted)


def _nothing_to_measure(measure: ParsedMeasure) -> str:
    if measure.name in MEASURES and MEASURES[measure.name].applies_to == "evidence":
        return "the store gave no evidence on any topic of this slice"
    return "no topic of this slice has what the measure looks at"
