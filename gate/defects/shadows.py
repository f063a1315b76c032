"""Defects of a document that is stored twice, seen by some searches in one state and by others in another.

The second copy stands in the store under an id that is made from the document's own, and shows
under the document's own.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from gate.defects.boundary import Boundary
from gate.defects.defect import Defect
from gate.protocols import Store
from gate.records import Document, ScoredDoc, SearchResult

UPDATED, AGAIN = "--updated", "--again"


class _UpdateOneMode(Boundary):
    """An update reaches keyword search alone; where vectors count too, both states of a document are found."""

    def __init__(self, store: Store, dose: float) -> None:
        super().__init__(store, dose)
        self._updated: set[str] = set()

    def replace(self, document: Document) -> None:
        if not self.touches(document.doc_id):
            super().replace(document)
            return
        copy = replace(document, doc_id=document.doc_id + UPDATED)
        if document.doc_id in self._updated:
            super().replace(copy)
        else:
            self._store.add([copy])
            self._updated.add(document.doc_id)

    def remove(self, doc_id: str) -> None:
        super().remove(doc_id)
        if doc_id in self._updated:
            super().remove(doc_id + UPDATED)
            self._updated.remove(doc_id)

    def retire(self, old_id: str, new_id: str) -> None:
        super().retire(old_id, new_id)
        if old_id in self._updated:
            super().retire(old_id + UPDATED, new_id)

    def count(self) -> int:
        return super().count() - len(self._updated)

    def search(self, query: str, k: int, mode: str, scope: frozenset[str] = frozenset()) -> SearchResult:
        if not self._updated:
            return super().search(query, k, mode, scope)
        # Each update may hide one hit, or show it twice.
        result = self.behind(query, k + len(self._updated), mode, scope)
        return replace(result, hits=_distinct(self._visible(result.hits, mode), UPDATED)[:k])

    def _visible(self, hits: Iterable[ScoredDoc], mode: str) -> Iterable[ScoredDoc]:
        if mode == "keyword":
            return (hit for hit in hits if hit.doc_id not in self._updated)
        if mode in ("vector", "facts"):
            return (hit for hit in hits if not hit.doc_id.endswith(UPDATED))
        return hits


class _ReingestDuplicates(Boundary):
    """A document that is added again stands there twice."""

    def __init__(self, store: Store, dose: float) -> None:
        super().__init__(store, dose)
        self._copies: dict[str, int] = {}

    def add(self, documents: Sequence[Document]) -> None:
        stored = []
        for document in documents:
            doc_id = document.doc_id
            self._copies[doc_id] = self._copies.get(doc_id, 0) + (1 if self.touches(doc_id) else 0)
            more = max(0, self._copies[doc_id] - 1)
            stored.append(replace(document, doc_id=f"{doc_id}{AGAIN}-{more}") if more else document)
        super().add(stored)

    def remove(self, doc_id: str) -> None:
        for number in range(1, self._copies.pop(doc_id, 0)):
            super().remove(f"{doc_id}{AGAIN}-{number}")
        super().remove(doc_id)

    def retire(self, old_id: str, new_id: str) -> None:
        for number in range(1, self._copies.get(old_id, 0)):
            super().retire(f"{old_id}{AGAIN}-{number}", new_id)
        super().retire(old_id, new_id)

    def rewrite_result(self, query: str, k: int, result: SearchResult) -> SearchResult:  # noqa: ARG002 - overridden
        return replace(result, hits=tuple(_shown(hit, AGAIN) for hit in result.hits))


def _shown(hit: ScoredDoc, marker: str) -> ScoredDoc:
    own, found, _ = hit.doc_id.rpartition(marker)
    return ScoredDoc(own, hit.score) if found else hit


def _distinct(hits: Iterable[ScoredDoc], marker: str) -> tuple[ScoredDoc, ...]:
    """The hits under their documents' own ids, the first of each."""
    best: dict[str, ScoredDoc] = {}
    for hit in hits:
        shown = _shown(hit, marker)
        best.setdefault(shown.doc_id, shown)
    return tuple(best.values())


SHADOW_DEFECTS = (
    Defect(
        "update-one-mode",
        "freshness",
        "an update that writes the text and its keywords anew and leaves the embedding as it was",
        _UpdateOneMode,
        modes=frozenset({"vector", "hybrid", "rerank", "facts"}),
        needs=frozenset({"update"}),
    ),
    Defect(
        "reingest-duplicates",
        "freshness",
        "an insert where an upsert was meant: what is stored again stands there twice",
        _ReingestDuplicates,
    ),
)
