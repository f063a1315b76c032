"""Judging: what a measure may know of one answer, and its value for each topic."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gate.measures.measure import TopicMeasure
from gate.records import Corpus, JudgedRanking


def judge(
    doc_ids: Sequence[str],
    qrels_of_topic: Mapping[str, int],
    forbidden_of_topic: Mapping[str, str],
    duplicates: int,
    refused: bool,
    coverage: float | None = None,
) -> JudgedRanking:
    """Where the judged documents stand among `doc_ids`, which are distinct and best first."""
    ranks = {
        doc_id: rank
        for rank, doc_id in enumerate(doc_ids, start=1)
        if doc_id in qrels_of_topic or doc_id in forbidden_of_topic
    }
    return judge_ranks(ranks, qrels_of_topic, forbidden_of_topic, len(doc_ids), duplicates, refused, coverage)


def judge_ranks(
    ranks: Mapping[str, int],
    qrels_of_topic: Mapping[str, int],
    forbidden_of_topic: Mapping[str, str],
    retrieved: int,
    duplicates: int,
    refused: bool,
    coverage: float | None = None,
) -> JudgedRanking:
    """The same from the ranks of the judged documents alone, as baselines keep them: `ranks[doc_id]`, from 1.

    Grades below 0 count as 0. A forbidden document is a judged one, whether or not the qrels
    hold it. Documents that are neither are passed over.
    """
    stood = sorted(
        (rank, max(qrels_of_topic.get(doc_id, 0), 0))
        for doc_id, rank in ranks.items()
        if doc_id in qrels_of_topic or doc_id in forbidden_of_topic
    )
    return JudgedRanking(
        ranks=tuple(stood),
        relevant=tuple(sorted((grade for grade in qrels_of_topic.values() if grade > 0), reverse=True)),
        forbidden=tuple(sorted(ranks[doc_id] for doc_id in forbidden_of_topic if doc_id in ranks)),
        has_forbidden=bool(forbidden_of_topic),
        retrieved=retrieved,
        duplicates=duplicates,
        refused=refused,
        coverage=coverage,
    )


def applies(applies_to: str, *, relevant: bool, forbidden: bool, evidence: bool) -> bool:
    """Whether a measure of that kind has a value for a topic.

    With or without relevant documents, forbidden documents, and evidence that the store gave.
    """
    if applies_to == "forbidden":
        return forbidden
    if applies_to == "evidence":
        return evidence
    return relevant == (applies_to == "relevant")


def looks_at(measure: TopicMeasure, topic_id: str, corpus: Corpus) -> bool:
    """Whether a measure has a value for a topic of a corpus, from a store that gives evidence with every answer."""
    return applies(
        measure.applies_to,
        relevant=any(grade > 0 for grade in corpus.qrels.get(topic_id, {}).values()),
        forbidden=bool(corpus.forbidden.get(topic_id)),
        evidence=True,
    )


def score_each(rankings: Mapping[str, JudgedRanking], measure: TopicMeasure, cutoff: int) -> dict[str, float]:
    """The measure's value for each topic it applies to, in the order of the rankings."""
    return {
        topic_id: measure.score(ranking, cutoff) if ranking.retrieved else measure.without_results
        for topic_id, ranking in rankings.items()
        if applies(
            measure.applies_to,
            relevant=bool(ranking.relevant),
            forbidden=ranking.has_forbidden,
            # An answer without hits covers nothing, whether or not the store says so.
            evidence=ranking.coverage is not None or not ranking.retrieved,
        )
    }
