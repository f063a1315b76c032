"""Normalised discounted cumulative gain: graded relevance, worth less the further down it stands."""

from __future__ import annotations

from decimal import Decimal
from functools import cache

from gate.records import JudgedRanking


class NDCG:
    """nDCG@k: the sum of grade / log2(rank + 1) over the top k, divided by that of the best ranking. From 0 to 1.

    The gain is the grade itself and the best ranking holds all relevant documents, retrieved
    or not. K. Järvelin and J. Kekäläinen, "Cumulated gain-based evaluation of IR techniques",
    ACM TOIS 20(4), 2002, with the discount of trec_eval's `ndcg_cut`.
    """

    name = "nDCG"
    takes_cutoff = True
    cutoff_optional = False
    higher_is_better = True
    without_results = 0.0
    highest = 1.0
    applies_to = "relevant"
    from_ranks = True
    version = 1
    source = "Järvelin and Kekäläinen, ACM TOIS 20(4), 2002; trec_eval ndcg_cut"

    def score(self, ranking: JudgedRanking, cutoff: int) -> float:
        gained = sum(grade * discount(rank) for rank, grade in ranking.ranks if grade > 0 and rank <= cutoff)
        return gained / best_gain(ranking.relevant[:cutoff])


@cache
def discount(rank: int) -> float:
    """1 / log2(rank + 1), rounded once: C libraries differ in the last digit of log2, and scores must not."""
    return float(Decimal(2).ln() / Decimal(rank + 1).ln())


@cache
def best_gain(grades: tuple[int, ...]) -> float:
    """The discounted gain of the grades in this order, from rank 1."""
    return sum(grade * discount(rank) for rank, grade in enumerate(grades, start=1))
