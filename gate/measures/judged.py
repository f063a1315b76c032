"""Judged: how much of what came back the judgements say anything about."""

from __future__ import annotations

from gate.records import JudgedRanking


class Judged:
    """Judged@k: the share of the top k that has a judgement, be it 0. From 0 to 1.

    Of fewer than k results, the share of those. Low values mean that the other measures may
    undervalue a store that finds unjudged documents. S. MacAvaney, C. Macdonald and I. Ounis,
    "Streamlining Evaluation with ir-measures", ECIR 2022.
    """

    name = "Judged"
    takes_cutoff = True
    cutoff_optional = False
    higher_is_better = True
    without_results = 0.0
    highest = 1.0
    applies_to = "relevant"
    from_ranks = True
    version = 1
    source = "MacAvaney, Macdonald and Ounis, ECIR 2022"

    def score(self, ranking: JudgedRanking, cutoff: int) -> float:
        return sum(rank <= cutoff for rank, _ in ranking.ranks) / min(cutoff, ranking.retrieved)
