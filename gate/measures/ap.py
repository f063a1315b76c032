"""Average precision: precision at each relevant document, averaged over all relevant ones."""

from __future__ import annotations

from gate.records import JudgedRanking


class AP:
    """AP@k: the sum of the precisions at the relevant documents of the top k, divided by all relevant ones.

    From 0 to 1; its mean is known as MAP. C. Buckley and E. M. Voorhees, "Evaluating evaluation
    measure stability", SIGIR 2000; trec_eval's `map_cut`.
    """

    name = "AP"
    takes_cutoff = True
    cutoff_optional = False
    higher_is_better = True
    without_results = 0.0
    highest = 1.0
    applies_to = "relevant"
    from_ranks = True
    version = 1
    source = "Buckley and Voorhees, SIGIR 2000; trec_eval map_cut"

    def score(self, ranking: JudgedRanking, cutoff: int) -> float:
        found = (rank for rank, grade in ranking.ranks if grade > 0 and rank <= cutoff)
        return sum(seen / rank for seen, rank in enumerate(found, start=1)) / len(ranking.relevant)
