"""Forbidden: whether something came back that must not."""

from __future__ import annotations

from gate.records import JudgedRanking


class Forbidden:
    """Forbidden@k: 1 when at least one forbidden document is in the top k, else 0. Lower is better.

    Its mean is the share of topics that leak, among those with forbidden documents. One
    leaked document breaks the promise, so that a second one does not count again. A measure of
    this project's own.
    """

    name = "Forbidden"
    takes_cutoff = True
    cutoff_optional = False
    higher_is_better = False
    without_results = 0.0
    highest = 1.0
    applies_to = "forbidden"
    from_ranks = False
    version = 1
    source = "defined by Retrieval Gate"

    def score(self, ranking: JudgedRanking, cutoff: int) -> float:
        return float(any(rank <= cutoff for rank in ranking.forbidden))
