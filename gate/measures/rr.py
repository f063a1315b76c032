"""Reciprocal rank: how far down the first relevant document stands."""

from __future__ import annotations

from gate.records import JudgedRanking


class RR:
    """RR@k: 1 / rank of the first relevant document, 0 when none is in the top k. Its mean is known as MRR.

    Without a cutoff the whole ranking counts. E. M. Voorhees, "The TREC-8 Question Answering
    Track Report", TREC 1999; trec_eval's `recip_rank`.
    """

    name = "RR"
    takes_cutoff = True
    cutoff_optional = True
    higher_is_better = True
    without_results = 0.0
    highest = 1.0
    applies_to = "relevant"
    from_ranks = True
    version = 1
    source = "Voorhees, The TREC-8 Question Answering Track Report, 1999; trec_eval recip_rank"

    def score(self, ranking: JudgedRanking, cutoff: int) -> float:
        first = next((rank for rank, grade in ranking.ranks if grade > 0), 0)
        return 1 / first if first and (not cutoff or first <= cutoff) else 0.0
