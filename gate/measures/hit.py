"""Hit: whether anything relevant is in the top k."""

from __future__ import annotations

from gate.records import JudgedRanking


class Hit:
    """Hit@k: 1 when at least one relevant document is in the top k, else 0. Its mean is the success rate.

    trec_eval's `success`.
    """

    name = "Hit"
    takes_cutoff = True
    cutoff_optional = False
    higher_is_better = True
    without_results = 0.0
    highest = 1.0
    applies_to = "relevant"
    from_ranks = True
    version = 1
    source = "trec_eval success"

    def score(self, ranking: JudgedRanking, cutoff: int) -> float:
        return float(any(rank <= cutoff and grade > 0 for rank, grade in ranking.ranks))
