"""Defects of what a reranker's scores are given to."""

from __future__ import annotations

from collections.abc import Sequence

from gate.defects.defect import Defect
from gate.defects.dose import touched
from gate.protocols import Reranker


class _Shifted:
    """Every text gets the score of the one after it, the last that of the first."""

    def __init__(self, reranker: Reranker, dose: float) -> None:
        self.name = reranker.name
        self._reranker, self._dose = reranker, dose

    def score(self, query: str, texts: Sequence[str]) -> Sequence[float]:
        scores = self._reranker.score(query, texts)
        return [*scores[1:], *scores[:1]] if touched(query, self._dose) else scores


RERANKING_DEFECTS = (
    Defect(
        "reranker-shifted",
        "ranking",
        "scores that are one place off from their texts: indices of a batch, a header or a filtered list mixed up",
        in_reranker=_Shifted,
        modes=frozenset({"rerank"}),
        needs=frozenset({"reranker"}),
    ),
)
