"""Defects of how many hits come back."""

from __future__ import annotations

from dataclasses import replace

from gate.defects.boundary import Boundary
from gate.protocols import Store
from gate.records import SearchResult

CAP = 3


class KCapped:
    """`k-capped`: at most three hits, whatever k is."""

    name = "k-capped"
    family = "pool"
    stands_for = "a default or a test's value of k that overrides the caller's"

    def plant(self, store: Store, dose: float) -> Store:
        return _KCappedBoundary(store, dose)


class _KCappedBoundary(Boundary):
    def rewrite_depth(self, query: str, k: int) -> int:
        return min(k, CAP) if self.touches(query) else k

    def rewrite_result(self, query: str, k: int, result: SearchResult) -> SearchResult:
        # Not every store holds to the k that it is asked for.
        return replace(result, hits=tuple(result.hits)[: min(k, CAP)]) if self.touches(query) else result
