"""The measures against trec_eval's own code, through pytrec_eval."""

from collections.abc import Mapping

import numpy as np
import pytest
import pytrec_eval

from gate.measures import judge, parse_measure, score_topics
from gate.records import JudgedRanking

CUTOFFS = (1, 3, 5, 10, 100)
ORACLE = {
    "P": "P",
    "R": "recall",
    "Hit": "success",
    "AP": "map_cut",
    "nDCG": "ndcg_cut",
}
Qrels = dict[str, dict[str, int]]
Hits = dict[str, tuple[str, ...]]


def random_runs(seed: int) -> tuple[Qrels, Hits]:
    """Qrels of 80 topics, and what a store with tied scores and repeated ids gives once repeats are dropped.

    Every eighth topic gets no results, and every eleventh has no relevant document.
    """
    rng = np.random.default_rng(seed)
    qrels: Qrels = {}
    hits: Hits = {}
    for number in range(80):
        topic = f"t{number}"
        documents = [f"d{n}" for n in range(60)]
        highest = 1 if number % 11 == 0 else 4
        judged = rng.choice(documents, size=int(rng.integers(1, 25)), replace=False)
        qrels[topic] = {str(doc): int(rng.integers(0, highest)) for doc in judged}
        if number % 8 == 0:
            hits[topic] = ()
            continue
        # Repeats and ties: few distinct scores, and a stable sort that keeps the order of arrival.
        returned = rng.choice(documents, size=int(rng.integers(1, 90)), replace=True)
        scores = np.round(rng.random(len(returned)), 1)
        ordered = returned[np.argsort(-scores, kind="stable")]
        hits[topic] = tuple(dict.fromkeys(str(doc) for doc in ordered))
    return qrels, hits


def ranked(qrels: Qrels, hits: Hits) -> dict[str, JudgedRanking]:
    return {topic: judge(hits[topic], qrels[topic], {}, 0, False) for topic in hits}


def exported(hits: Mapping[str, tuple[str, ...]]) -> dict[str, dict[str, float]]:
    """Strictly decreasing scores, since trec_eval sorts by score; a topic without results has no line."""
    return {
        topic: {doc: float(len(docs) - rank) for rank, doc in enumerate(docs)} for topic, docs in hits.items() if docs
    }


def answerable(grades: Mapping[str, int]) -> bool:
    return any(grade > 0 for grade in grades.values())


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("name", ORACLE)
def test_measure_agrees_with_trec_eval(name: str, seed: int) -> None:
    qrels, hits = random_runs(seed)
    rankings = ranked(qrels, hits)
    cutoffs = ",".join(map(str, CUTOFFS))
    oracle = pytrec_eval.RelevanceEvaluator(qrels, {f"{ORACLE[name]}.{cutoffs}"}).evaluate(exported(hits))
    for cutoff in CUTOFFS:
        ours = score_topics(rankings, parse_measure(f"{name}@{cutoff}"))
        assert set(ours) == {topic for topic in qrels if answerable(qrels[topic])}
        for topic, value in ours.items():
            theirs = oracle[topic][f"{ORACLE[name]}_{cutoff}"] if hits[topic] else 0.0
            assert value == pytest.approx(theirs, abs=1e-12), (topic, cutoff)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("cutoff", [0, *CUTOFFS])
def test_reciprocal_rank_agrees_with_trec_eval(cutoff: int, seed: int) -> None:
    qrels, hits = random_runs(seed)
    cut = {topic: docs[: cutoff or None] for topic, docs in hits.items()}
    oracle = pytrec_eval.RelevanceEvaluator(qrels, {"recip_rank"}).evaluate(exported(cut))
    ours = score_topics(ranked(qrels, hits), parse_measure(f"RR@{cutoff}" if cutoff else "RR"))
    for topic, value in ours.items():
        assert value == pytest.approx(oracle[topic]["recip_rank"] if hits[topic] else 0.0, abs=1e-12)


def test_the_random_runs_can_tell_measures_apart() -> None:
    qrels, hits = random_runs(0)
    rankings = ranked(qrels, hits)
    columns = [tuple(score_topics(rankings, parse_measure(f"{name}@10")).values()) for name in (*ORACLE, "RR")]
    assert len(set(columns)) == len(columns)
    for column in columns:
        assert len(set(column)) > 1
    assert any(len(set(docs)) < 60 for docs in hits.values())
    assert any(not answerable(grades) for grades in qrels.values())
    assert any(doc not in qrels[topic] for topic, docs in hits.items() for doc in docs)
