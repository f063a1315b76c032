"""Duplicates: how often the store returned a document again."""

from __future__ import annotations

from math import inf

from gate.records import JudgedRanking


class Duplicates:
    """Duplicates: the number of hits whose id the same answer already held. From 0, lower is better.

    Repeats are dropped before ranks are given, so that no other measure sees them. A measure
    of this project's own.
    """

    name = "Duplicates"
    takes_cutoff = False
    cutoff_optional = False
    higher_is_better = False
    without_results = 0.0
    highest = inf
    applies_to = "relevant"
    from_ranks = False
    version = 1
    source = "defined by Retrieval Gate"

    def score(self, ranking: JudgedRanking, cutoff: int) -> float:  # noqa: ARG002 - the protocol's signature
        return float(ranking.duplicates)
