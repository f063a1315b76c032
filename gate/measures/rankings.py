"""From what came back to what the measures see, and from values to a mean: the two ends of scoring."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import fsum

from gate.measures.judgement import judge
from gate.records import Corpus, JudgedRanking, Topic, TopicResult


def judged(results: Mapping[str, TopicResult], topics: Iterable[Topic], corpus: Corpus) -> dict[str, JudgedRanking]:
    """Where the judged documents of each topic stand. Raises KeyError for a topic that has no result at all."""
    rankings = {}
    for topic in topics:
        result = results[topic.topic_id]
        rankings[topic.topic_id] = judge(
            result.doc_ids,
            corpus.qrels.get(topic.topic_id, {}),
            corpus.forbidden.get(topic.topic_id, {}),
            result.duplicates,
            result.refused,
            result.coverage,
        )
    return rankings


def mean(values: Sequence[float]) -> float:
    """The mean, exactly rounded: the order of the topics cannot change it."""
    return fsum(values) / len(values)
