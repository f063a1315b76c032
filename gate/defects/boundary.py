"""A store with something planted in front of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gate.defects.dose import touched
from gate.protocols import Deletes, KnowsLabels, Store, Supersedes, Updates
from gate.records import Document, SearchResult


class Boundary:
    """Passes every call through to the store behind it, and lets a defect rewrite what passes.

    A defect overrides what it needs: a `rewrite_` method where that is enough, else `add`, `search`, `replace`
    (the store's update), `remove` (its delete) or `retire` (its supersede). `dose` in (0, 1] is the share of
    documents and queries that it touches. The boundary has the name, modes and abilities of its store, and
    exactly those optional methods that its store has.
    """

    def __init__(self, store: Store, dose: float) -> None:
        self.name = store.name
        self.modes = store.modes
        self.abilities = store.abilities
        self.dose = dose
        self._store = store
        # Set one by one: callers tell what a store can do by the methods it has.
        if isinstance(store, Updates):
            self.update = self.replace
        if isinstance(store, Deletes):
            self.delete = self.remove
        if isinstance(store, Supersedes):
            self.supersede = self.retire
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
        return self.rewrite_result(query, k, self.behind(asked, depth, mode, scope))

    def close(self) -> None:
        self._store.close()

    def behind(self, query: str, k: int, mode: str, scope: frozenset[str] = frozenset()) -> SearchResult:
        """What the store itself answers."""
        # A store without scopes need not take one.
        return self._store.search(query, k, mode, scope) if scope else self._store.search(query, k, mode)

    def replace(self, document: Document) -> None:
        assert isinstance(self._store, Updates)
        self._store.update(self.rewrite_document(document))

    def remove(self, doc_id: str) -> None:
        assert isinstance(self._store, Deletes)
        self._store.delete(doc_id)

    def retire(self, old_id: str, new_id: str) -> None:
        assert isinstance(self._store, Supersedes)
        self._store.supersede(old_id, new_id)

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
        return touched(key, self.dose)


class Remembering(Boundary):
    """A boundary that knows what was stored through it: `documents[doc_id]`, as the caller gave them.

    A store that was opened with documents in it already is not known, and is passed through.
    """

    def __init__(self, store: Store, dose: float) -> None:
        super().__init__(store, dose)
        self.documents: dict[str, Document] = {}

    def add(self, documents: Sequence[Document]) -> None:
        self.documents |= {document.doc_id: document for document in documents}
        super().add(documents)

    def replace(self, document: Document) -> None:
        self.documents[document.doc_id] = document
        super().replace(document)
