"""Precision: the share of the top k that is relevant."""

from __future__ import annotations

from gate.records import JudgedRanking


class P:
    """P@k: relevant documents in the top k, divided by k however few came back. From 0 to 1.

    C. J. van Rijsbergen, "Information Retrieval", 2nd edition, Butterworths 1979, chapter 7;
    trec_eval's `P`.
    """

    name = "P"
    takes_cutoff = True
    cutoff_optional = False
    higher_is_better = True
    without_results = 0.0
    highest = 1.0
    applies_to = "relevant"
    from_ranks = True
    version = 1
    source = "van Rijsbergen, Information Retrieval, 1979, chapter 7; trec_eval P"

    def score(self, ranking: JudgedRanking, cutoff: int) -> float:
        return sum(rank <= cutoff and grade > 0 for rank, grade in ranking.ranks) / cutoff
