"""Defects of how many hits come back, and of which documents there are to choose from."""

from __future__ import annotations

from dataclasses import replace

from gate.defects.boundary import Boundary
from gate.defects.defect import Defect
from gate.records import SearchResult

CAP = 3


class _KCapped(Boundary):
    """At most three hits, whatever k is."""

    def rewrite_depth(self, query: str, k: int) -> int:
        return min(k, CAP) if self.touches(query) else k

    def rewrite_result(self, query: str, k: int, result: SearchResult) -> SearchResult:
        # Not every store holds to the k that it is asked for.
        return replace(result, hits=tuple(result.hits)[: min(k, CAP)]) if self.touches(query) else result


POOL_DEFECTS = (Defect("k-capped", "pool", "a default or a test's value of k that overrides the caller's", _KCapped),)
