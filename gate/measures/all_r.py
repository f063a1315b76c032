"""All relevant: whether the top k holds everything that an answer needs."""

from __future__ import annotations

from gate.records import JudgedRanking


class AllR:
    """AllR@k: 1 when every relevant document is in the top k, else 0. More relevant documents than k give 0.

    The exact match of paragraphs in A. Asai et al., "Learning to Retrieve Reasoning Paths over
    Wikipedia Graph for Question Answering", ICLR 2020.
    """

    name = "AllR"
    takes_cutoff = True
    cutoff_optional = False
    higher_is_better = True
    without_results = 0.0
    highest = 1.0
    applies_to = "relevant"
    from_ranks = True
    version = 1
    source = "Asai et al., ICLR 2020 (paragraph exact match)"

    def score(self, ranking: JudgedRanking, cutoff: int) -> float:
        found = sum(rank <= cutoff and grade > 0 for rank, grade in ranking.ranks)
        return float(found == len(ranking.relevant))
