"""A store with something planted in front of it."""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence

from gate.protocols import Deletes, KnowsLabels, Store, Supersedes, Updates
from gate.records import Document, SearchResult


class Boundary:
    """Passes every call through to the store behind it, and lets a defect rewrite what passes.

    A defect overrides the `rewrite_` methods it needs. `dose` in (0, 1] is the share of
    documents and queries that it touches. The boundary has the name, modes and abilities of
    its store, and exactly those optional methods that its store has.
    """

    def __init__(self, store: Store, dose: float) -> None:
        self.name = store.name
        self.modes = store.modes
        self.abilities = store.abilities
        self.dose = dose
        self._store = store
        # Set one by one: callers tell what a store can do by the methods it has.
        if isinstance(store, Updates):
            updates: Updates = store
            self.update = lambda document: updates.update(self.rewrite_document(document))
        if isinstance(store, Deletes):
            self.delete = store.delete
        if isinstance(store, Supersedes):
            self.supersede = store.supersede
        if isinstance(store, KnowsLabels):
            self.reveal = store.reveal

    def environment(self) -> Mapping[str, str]:
        return self._store.environment()

    def add(self, documents: Sequence[Document]) -> None:
        self._store.add([self.rewrite_document(document) for document in documents])

    def count(self) -> int:
        return self._store.count()

    def search(self, query: str, k: int, mode: str, scope: frozenset[str] = frozenset()) -> SearchResult:
        asked = self.rewrite_query(query)
        depth = self.rewrite_depth(query, k)
        # A store without scopes need not take one.
        found = self._store.search(asked, depth, mode, scope) if scope else self._store.search(asked, depth, mode)
        return self.rewrite_result(query, k, found)

    def close(self) -> None:
        self._store.close()

    def rewrite_document(self, document: Document) -> Document:
        """The document as the store gets it."""
        return document

    def rewrite_query(self, query: str) -> str:
        """The query as the store gets it."""
        return query

    def rewrite_depth(self, query: str, k: int) -> int:  # noqa: ARG002 - overridden
        """How many hits the store is asked for, where `k` were wanted."""
        return k

    def rewrite_result(self, query: str, k: int, result: SearchResult) -> SearchResult:  # noqa: ARG002 - overridden
        """The answer as the caller gets it."""
        return result

    def touches(self, key: str) -> bool:
        """Whether the defect touches a document id or a query: the same ones at every run, nested by dose."""
        return zlib.crc32(key.encode("utf-8", "surrogatepass")) < self.dose * 2**32
