"""Defects of who may see what."""

from __future__ import annotations

from dataclasses import replace

from gate.defects.boundary import Boundary
from gate.defects.defect import Defect
from gate.defects.living import Living
from gate.records import ScoredDoc, SearchResult

# First hits whose references are followed.
REFERRING = 3


class _Ignored(Boundary):
    """Everybody sees everything."""

    def search(self, query: str, k: int, mode: str, scope: frozenset[str] = frozenset()) -> SearchResult:
        return super().search(query, k, mode, frozenset() if self.touches(query) else scope)


class _IgnoredInVector(Boundary):
    """Everybody sees everything in vector search."""

    def search(self, query: str, k: int, mode: str, scope: frozenset[str] = frozenset()) -> SearchResult:
        ignored = mode == "vector" and self.touches(query)
        return super().search(query, k, mode, frozenset() if ignored else scope)


class _ThroughReferences(Living):
    """What the first hits refer to is brought in behind them, whoever may see it."""

    def search(self, query: str, k: int, mode: str, scope: frozenset[str] = frozenset()) -> SearchResult:
        result = super().search(query, k, mode, scope)
        if not scope or not self.touches(query):
            return result
        first, rest = result.hits[:REFERRING], result.hits[REFERRING:]
        brought = [ScoredDoc(ref, hit.score) for hit in first for ref in self._outside(hit.doc_id, scope)]
        # Two hits may refer to the same document.
        distinct = {hit.doc_id: hit for hit in reversed(brought)}
        return replace(result, hits=(*first, *reversed(distinct.values()), *rest)[:k])

    def _outside(self, doc_id: str, scope: frozenset[str]) -> list[str]:
        """What a document refers to that its reader may not see."""
        refs = self.documents[doc_id].refs if doc_id in self.documents else ()
        there = [self.documents[ref] for ref in refs if ref in self.documents]
        return [one.doc_id for one in there if self.seen(one, frozenset()) and not self.seen(one, scope)]


SCOPE = frozenset({"scope"})
SCOPE_DEFECTS = (
    Defect(
        "scope-ignored",
        "scope",
        "a filter that is not passed on, or an empty one that means everything",
        _Ignored,
        needs=SCOPE,
    ),
    Defect(
        "scope-ignored-in-vector",
        "scope",
        "a filter that the keyword query has and the vector query has not",
        _IgnoredInVector,
        modes=frozenset({"vector"}),
        needs=SCOPE,
    ),
    Defect(
        "scope-through-references",
        "scope",
        "links that are followed after the filter: what a visible document refers to comes along",
        _ThroughReferences,
        needs=SCOPE,
    ),
)
