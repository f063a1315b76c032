"""Defects of ranking."""

from __future__ import annotations

from dataclasses import replace

from gate.defects.boundary import Boundary
from gate.defects.defect import Defect
from gate.records import SearchResult

# Engines refuse windows deeper than this (Elasticsearch's index.max_result_window by default).
DEEPEST = 10_000


class _Reversed(Boundary):
    """The worst of all that matches comes first.

    A sort in the wrong direction turns around everything that matched, and only then is the
    list cut to k: the store is asked for all it has (`DEEPEST` at most), and the last k come
    back, last one first. Turning around only the top k would leave recall at the full depth
    untouched, which no wrong sort does.
    """

    def rewrite_depth(self, query: str, k: int) -> int:
        return max(k, min(self.count(), DEEPEST)) if self.touches(query) else k

    def rewrite_result(self, query: str, k: int, result: SearchResult) -> SearchResult:
        return replace(result, hits=tuple(result.hits)[::-1][:k]) if self.touches(query) else result


RANKING_DEFECTS = (
    Defect(
        "reversed",
        "ranking",
        "the sign of a score flipped: a distance taken for a similarity, or a sort in the wrong direction",
        _Reversed,
    ),
)
