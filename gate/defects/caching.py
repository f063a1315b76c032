"""A cache of answers in front of a store, and defects of what its key leaves out."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from gate.defects.boundary import Boundary
from gate.defects.defect import Defect
from gate.protocols import Store
from gate.records import Document, SearchResult


class Caching(Boundary):
    """Gives the first answer again to all searches of one `key`, until something is stored, replaced or deleted."""

    def __init__(self, store: Store, dose: float) -> None:
        super().__init__(store, dose)
        self._kept: dict[Hashable, SearchResult] = {}

    def key(self, query: str, k: int, mode: str, scope: frozenset[str]) -> Hashable:
        """What the cache tells searches apart by: everything, unless a defect leaves something out."""
        return query, k, mode, scope

    def search(self, query: str, k: int, mode: str, scope: frozenset[str] = frozenset()) -> SearchResult:
        if not self.touches(query):
            return super().search(query, k, mode, scope)
        key = self.key(query, k, mode, scope)
        if key not in self._kept:
            self._kept[key] = super().search(query, k, mode, scope)
        return self._kept[key]

    def add(self, documents: Sequence[Document]) -> None:
        self._kept.clear()
        super().add(documents)

    def replace(self, document: Document) -> None:
        self._kept.clear()
        super().replace(document)

    def remove(self, doc_id: str) -> None:
        self._kept.clear()
        super().remove(doc_id)

    def retire(self, old_id: str, new_id: str) -> None:
        self._kept.clear()
        super().retire(old_id, new_id)


class _WithoutScope(Caching):
    """Whoever asks second gets what whoever asked first was allowed to see."""

    def key(self, query: str, k: int, mode: str, scope: frozenset[str]) -> Hashable:  # noqa: ARG002 - left out
        return query, k, mode


class _WithoutMode(Caching):
    """All modes answer what the first that was asked did."""

    def key(self, query: str, k: int, mode: str, scope: frozenset[str]) -> Hashable:  # noqa: ARG002 - left out
        return query, k, scope


CACHE_DEFECTS = (
    Defect(
        "cache-without-scope",
        "freshness",
        "a cache of answers whose key leaves out who asks",
        _WithoutScope,
        needs=frozenset({"scope"}),
    ),
    Defect(
        "cache-without-mode",
        "freshness",
        "a cache of answers whose key leaves out how the search is made",
        _WithoutMode,
    ),
)
