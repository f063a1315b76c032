"""Defects of what a store makes of changes: deletions, replacements, new rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from gate.defects.boundary import Boundary, Remembering
from gate.defects.defect import Defect
from gate.protocols import Store
from gate.records import Document, SearchResult

# How many more hits are asked for at most, to make up for those that are hidden.
MORE = 400


class _Ghosts(Remembering):
    """What is deleted is gone from the count and stays in the indexes, until the store is opened again.

    It is really deleted when the store is closed, since an index that is built anew does not know it.
    """

    def __init__(self, store: Store, dose: float) -> None:
        super().__init__(store, dose)
        self._ghosts: set[str] = set()

    def add(self, documents: Sequence[Document]) -> None:
        self._ghosts.difference_update(document.doc_id for document in documents)
        super().add(documents)

    def count(self) -> int:
        return super().count() - len(self._ghosts)

    def remove(self, doc_id: str) -> None:
        if doc_id in self.documents and self.touches(doc_id):
            self._ghosts.add(doc_id)
        else:
            super().remove(doc_id)

    def close(self) -> None:
        for doc_id in sorted(self._ghosts):
            super().remove(doc_id)
        super().close()


class _Tombstones(_Ghosts):
    """The k best are chosen with what is deleted among them, and only then is that left out."""

    def rewrite_result(self, query: str, k: int, result: SearchResult) -> SearchResult:  # noqa: ARG002 - overridden
        return replace(result, hits=tuple(hit for hit in result.hits if hit.doc_id not in self._ghosts))


class _RowsInvisible(Remembering):
    """Vector search sees what was there when its index was made: the first batch, or what the store was opened with."""

    def __init__(self, store: Store, dose: float) -> None:
        super().__init__(store, dose)
        self._made = self.count() > 0
        self._unseen: set[str] = set()

    def add(self, documents: Sequence[Document]) -> None:
        super().add(documents)
        if self._made:
            self._unseen.update(document.doc_id for document in documents if self.touches(document.doc_id))
        self._made = True

    def search(self, query: str, k: int, mode: str, scope: frozenset[str] = frozenset()) -> SearchResult:
        if mode != "vector" or not self._unseen:
            return super().search(query, k, mode, scope)
        result = self.behind(query, k + min(len(self._unseen), MORE), mode, scope)
        return replace(result, hits=tuple(hit for hit in result.hits if hit.doc_id not in self._unseen)[:k])


class _SupersededReturned(Boundary):
    """A replacement is taken note of by nobody."""

    def retire(self, old_id: str, new_id: str) -> None:
        if not self.touches(old_id):
            super().retire(old_id, new_id)


class _TrueFactRetired(Boundary):
    """The new document is retired in favour of the old one."""

    def retire(self, old_id: str, new_id: str) -> None:
        if self.touches(old_id):
            super().retire(new_id, old_id)
        else:
            super().retire(old_id, new_id)


FRESHNESS_DEFECTS = (
    Defect(
        "ghost-after-delete",
        "freshness",
        "a row deleted from the table and not from the index beside it",
        _Ghosts,
        needs=frozenset({"delete"}),
    ),
    Defect(
        "tombstones-eat-k",
        "freshness",
        "deleted entries that are only marked: they take places among the k best and are left out afterwards",
        _Tombstones,
        needs=frozenset({"delete"}),
    ),
    Defect(
        "rows-invisible",
        "freshness",
        "a vector index that is made once and not again, so that later rows are found by keywords alone",
        _RowsInvisible,
        modes=frozenset({"vector"}),
    ),
    Defect(
        "superseded-returned",
        "freshness",
        "a replacement that is stored and not looked at: what was retired comes back",
        _SupersededReturned,
        needs=frozenset({"supersede"}),
    ),
    Defect(
        "true-fact-retired",
        "freshness",
        "two ids in the wrong order: the fact that holds is retired, and the old one comes back",
        _TrueFactRetired,
        needs=frozenset({"supersede"}),
    ),
)
