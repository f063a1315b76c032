"""Refused: whether a store admits that it has no answer."""

from __future__ import annotations

from gate.records import JudgedRanking


class Refused:
    """Refused: 1 when nothing came back or the store called the question unanswerable, else 0.

    Only over topics without relevant documents. P. Rajpurkar, R. Jia and P. Liang, "Know What
    You Don't Know: Unanswerable Questions for SQuAD", ACL 2018.
    """

    name = "Refused"
    takes_cutoff = False
    cutoff_optional = False
    higher_is_better = True
    without_results = 1.0
    highest = 1.0
    applies_to = "unanswerable"
    from_ranks = False
    version = 1
    source = "Rajpurkar, Jia and Liang, ACL 2018"

    def score(self, ranking: JudgedRanking, cutoff: int) -> float:  # noqa: ARG002 - the protocol's signature
        return float(ranking.refused)
