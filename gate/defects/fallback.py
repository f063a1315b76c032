"""Defects of what a search does without its embedder or reranker, and of what it says of that."""

from __future__ import annotations

from dataclasses import replace

from gate.defects.boundary import Boundary
from gate.defects.caching import Caching
from gate.defects.defect import Defect
from gate.records import SearchResult

EMBEDDER = frozenset({"embedder"})
# The modes that can lose a part.
WITH_PARTS = frozenset({"vector", "hybrid", "rerank"})


class _Empty(Boundary):
    """An answer that goes without a part has no hits."""

    def rewrite_result(self, query: str, k: int, result: SearchResult) -> SearchResult:  # noqa: ARG002 - overridden
        return replace(result, hits=()) if result.degraded and self.touches(query) else result


class _Undeclared(Boundary):
    """No answer says that it goes without a part."""

    def rewrite_result(self, query: str, k: int, result: SearchResult) -> SearchResult:  # noqa: ARG002 - overridden
        return replace(result, degraded=frozenset()) if self.touches(query) else result


class _AlwaysDegraded(Boundary):
    """Every answer of a mode that needs an embedder says that it goes without."""

    def search(self, query: str, k: int, mode: str, scope: frozenset[str] = frozenset()) -> SearchResult:
        result = super().search(query, k, mode, scope)
        if mode not in WITH_PARTS or not self.touches(query):
            return result
        return replace(result, degraded=frozenset(result.degraded) | EMBEDDER)


class _Cached(Caching):
    """Answers are kept until something is stored, those of a search that went without a part like all others."""


FALLBACK_DEFECTS = (
    Defect(
        "fallback-empty",
        "fallback",
        "a fallback that is there and finds nothing: an empty index behind it, a query that it cannot read",
        _Empty,
        modes=WITH_PARTS,
        needs=EMBEDDER,
        faults=("embedder-raises",),
    ),
    Defect(
        "fallback-undeclared",
        "fallback",
        "an exception caught around the embedder with nothing told to whoever asked",
        _Undeclared,
        modes=WITH_PARTS,
        needs=EMBEDDER,
        faults=("embedder-raises",),
    ),
    Defect(
        "always-degraded",
        "fallback",
        "a health flag that is set once and never taken back, so that nobody listens to it any more",
        _AlwaysDegraded,
        modes=WITH_PARTS,
        needs=EMBEDDER,
    ),
    Defect(
        "fallback-cached",
        "fallback",
        "a cache of answers that keeps what was given while the embedder failed, and gives it again after recovery",
        _Cached,
        modes=WITH_PARTS,
        needs=EMBEDDER,
        faults=("embedder-raises",),
    ),
)
