"""Defects of thresholds: hits that are cut off for their score.

What a score is worth differs by store and mode, so a threshold is set by what the store itself gives: between the
best and the weakest hit of searches for stored documents by their own texts.
"""

from __future__ import annotations

from dataclasses import replace
from statistics import median

from gate.defects.boundary import Remembering
from gate.defects.defect import Defect
from gate.protocols import Store
from gate.records import SearchResult

SAMPLE, LONGEST, DEPTH = 8, 200, 100  # documents, characters of each, hits of each


class _Threshold(Remembering):
    """Knows the threshold of each mode, from the first documents that were stored.

    `height` says where it stands between the weakest hit (0) and the best one (1).
    """

    height = 0.5

    def __init__(self, store: Store, dose: float) -> None:
        super().__init__(store, dose)
        self._floors: dict[str, float] = {}

    def above(self, result: SearchResult, mode: str) -> SearchResult:
        """The hits of a mode that reach its threshold."""
        if mode not in self._floors:
            self._floors[mode] = self._floor(mode)
        return replace(result, hits=tuple(hit for hit in result.hits if hit.score >= self._floors[mode]))

    def _floor(self, mode: str) -> float:
        texts = [document.index_text or document.text for document in self.documents.values()]
        own = [text for text in texts if text.strip() and len(text) <= LONGEST][:SAMPLE]
        scores = [[hit.score for hit in self.behind(text, DEPTH, mode).hits] for text in own]
        between = [min(found) + self.height * (max(found) - min(found)) for found in scores if found]
        return median(between) if between else float("-inf")


class _ThresholdHigh(_Threshold):
    """Hits below the threshold of their mode are not returned."""

    def search(self, query: str, k: int, mode: str, scope: frozenset[str] = frozenset()) -> SearchResult:
        result = super().search(query, k, mode, scope)
        return self.above(result, mode) if self.touches(query) else result


class _ThresholdBeforeRerank(_Threshold):
    """Only what reaches the threshold in mode hybrid is reranked. Fused scores leave more near the best one."""

    height = 0.7

    def search(self, query: str, k: int, mode: str, scope: frozenset[str] = frozenset()) -> SearchResult:
        result = super().search(query, k, mode, scope)
        if mode != "rerank" or "hybrid" not in self.modes or not self.touches(query):
            return result
        left = {hit.doc_id for hit in self.above(self.behind(query, max(k, DEPTH), "hybrid", scope), "hybrid").hits}
        return replace(result, hits=tuple(hit for hit in result.hits if hit.doc_id in left))


THRESHOLD_DEFECTS = (
    Defect(
        "threshold-high",
        "pool",
        "a least score that was tuned on another model or corpus: right answers are cut off as too weak",
        _ThresholdHigh,
    ),
    Defect(
        "threshold-before-rerank",
        "pool",
        "a least score in front of the reranker: what it would have put first never reaches it",
        _ThresholdBeforeRerank,
        modes=frozenset({"rerank"}),
        needs=frozenset({"embedder", "reranker"}),
    ),
)
