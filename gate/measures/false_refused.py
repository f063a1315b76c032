"""FalseRefused: whether a store says that it has no answer where it has one."""

from __future__ import annotations

from gate.records import JudgedRanking


class FalseRefused:
    """FalseRefused: 1 when nothing came back or the store called the question unanswerable, though it is not, else 0.

    Only over topics with relevant documents. The false positives of `Refused`: without them a
    store that refuses everything looks perfect.
    """

    name = "FalseRefused"
    takes_cutoff = False
    cutoff_optional = False
    higher_is_better = False
    without_results = 1.0
    highest = 1.0
    applies_to = "relevant"
    from_ranks = False
    version = 1
    source = "Rajpurkar, Jia and Liang, ACL 2018"

    def score(self, ranking: JudgedRanking, cutoff: int) -> float:  # noqa: ARG002 - the protocol's signature
        return float(ranking.refused)
