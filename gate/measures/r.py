"""Recall: the share of the relevant documents that is in the top k."""

from __future__ import annotations

from gate.records import JudgedRanking


class R:
    """R@k: relevant documents in the top k, divided by all relevant ones. From 0 to 1.

    C. J. van Rijsbergen, "Information Retrieval", 2nd edition, Butterworths 1979, chapter 7;
    trec_eval's `recall`.
    """

    name = "R"
    takes_cutoff = True
    cutoff_optional = False
    higher_is_better = True
    without_results = 0.0
    highest = 1.0
    applies_to = "relevant"
    from_ranks = True
    version = 1
    source = "van Rijsbergen, Information Retrieval, 1979, chapter 7; trec_eval recall"

    def score(self, ranking: JudgedRanking, cutoff: int) -> float:
        return sum(rank <= cutoff and grade > 0 for rank, grade in ranking.ranks) / len(ranking.relevant)
