"""Defects of how many hits come back, and of which documents there are to choose from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from gate.defects.boundary import Boundary, Remembering
from gate.defects.defect import Defect
from gate.defects.pool_thresholds import THRESHOLD_DEFECTS
from gate.protocols import Store
from gate.records import Document, SearchResult

CAP = 3
FIXED = 10
PAGE = 10
NEWEST = 500
DEEPER = 2  # times k that are looked through for hits among the newest documents
TAIL = 10  # one document in so many of a batch is in its last part
_WRONG_FOR_ALL = "k is handled in one place: where it is wrong, it is wrong for every query"


class _KCapped(Boundary):
    """At most three hits, whatever k is."""

    def rewrite_depth(self, query: str, k: int) -> int:
        return min(k, CAP) if self.touches(query) else k

    def rewrite_result(self, query: str, k: int, result: SearchResult) -> SearchResult:
        # Not every store holds to the k that it is asked for.
        return replace(result, hits=tuple(result.hits)[: min(k, CAP)]) if self.touches(query) else result


class _KIgnored(Boundary):
    """Always ten hits, whatever k is."""

    def rewrite_depth(self, query: str, k: int) -> int:
        return FIXED if self.touches(query) else k

    def rewrite_result(self, query: str, k: int, result: SearchResult) -> SearchResult:  # noqa: ARG002
        return replace(result, hits=tuple(result.hits)[:FIXED]) if self.touches(query) else result


class _KOffByOne(Boundary):
    """One hit less than k."""

    def rewrite_result(self, query: str, k: int, result: SearchResult) -> SearchResult:
        return replace(result, hits=tuple(result.hits)[: k - 1]) if self.touches(query) else result


class _FirstHitSkipped(Boundary):
    """The best hit is never returned."""

    def rewrite_depth(self, query: str, k: int) -> int:
        return k + 1 if self.touches(query) else k

    def rewrite_result(self, query: str, k: int, result: SearchResult) -> SearchResult:
        return replace(result, hits=tuple(result.hits)[1 : k + 1]) if self.touches(query) else result


class _PagesRepeat(Boundary):
    """The second page is the first one again."""

    def rewrite_result(self, query: str, k: int, result: SearchResult) -> SearchResult:
        if not self.touches(query):
            return result
        hits = tuple(result.hits)
        return replace(result, hits=(hits[:PAGE] + hits[:PAGE] + hits[2 * PAGE :])[: min(k, len(hits))])


class _NewestOnly(Remembering):
    """Only the 500 newest documents are ranked: by `created_at`, and by arrival where that is the same."""

    def __init__(self, store: Store, dose: float) -> None:
        super().__init__(store, dose)
        self._older: frozenset[str] | None = None

    def add(self, documents: Sequence[Document]) -> None:
        self._older = None
        super().add(documents)

    def replace(self, document: Document) -> None:
        self._older = None
        super().replace(document)

    def rewrite_depth(self, query: str, k: int) -> int:
        return k * DEEPER if self.touches(query) else k

    def rewrite_result(self, query: str, k: int, result: SearchResult) -> SearchResult:
        if not self.touches(query):
            return result
        if self._older is None:
            by_age = sorted(self.documents.values(), key=lambda document: document.created_at)
            self._older = frozenset(document.doc_id for document in by_age[:-NEWEST])
        return replace(result, hits=tuple(hit for hit in result.hits if hit.doc_id not in self._older)[:k])


class _FilterAfterTopK(Remembering):
    """The best k of all documents, and of those the ones in the scope."""

    def search(self, query: str, k: int, mode: str, scope: frozenset[str] = frozenset()) -> SearchResult:
        if not scope or not self.touches(query):
            return super().search(query, k, mode, scope)
        result = self.behind(query, k, mode)
        return replace(result, hits=tuple(hit for hit in result.hits if self._allowed(hit.doc_id, scope)))

    def _allowed(self, doc_id: str, scope: frozenset[str]) -> bool:
        return doc_id not in self.documents or self.documents[doc_id].scope <= scope


class _BatchTailLost(Boundary):
    """The last tenth of each batch is not stored, and counted all the same."""

    def __init__(self, store: Store, dose: float) -> None:
        super().__init__(store, dose)
        self._lost: set[str] = set()

    def add(self, documents: Sequence[Document]) -> None:
        end = len(documents) - len(documents) // TAIL
        lost = {document.doc_id for document in documents[end:] if self.touches(document.doc_id)}
        stored = [document for document in documents if document.doc_id not in lost]
        self._lost = (self._lost - {document.doc_id for document in stored}) | lost
        super().add(stored)

    def count(self) -> int:
        return super().count() + len(self._lost)

    # A store that thinks it has a document does not fail where it is changed.

    def replace(self, document: Document) -> None:
        if document.doc_id in self._lost:
            self._lost.discard(document.doc_id)
            super().add([document])
        else:
            super().replace(document)

    def remove(self, doc_id: str) -> None:
        if doc_id in self._lost:
            self._lost.discard(doc_id)
        else:
            super().remove(doc_id)

    def retire(self, old_id: str, new_id: str) -> None:
        if new_id not in self._lost and old_id not in self._lost:
            super().retire(old_id, new_id)


POOL_DEFECTS = (
    Defect("k-capped", "pool", "a default or a test's value of k that overrides the caller's", _KCapped),
    Defect(
        "k-ignored",
        "pool",
        "a k that is never handed on: the engine's own default of ten holds",
        _KIgnored,
        undosed=_WRONG_FOR_ALL,
    ),
    Defect(
        "k-off-by-one",
        "pool",
        "a range that ends one early",
        _KOffByOne,
        undosed=_WRONG_FOR_ALL,
    ),
    Defect(
        "first-hit-skipped",
        "pool",
        "an offset that counts from one where the engine counts from zero",
        _FirstHitSkipped,
    ),
    Defect(
        "pages-repeat",
        "pool",
        "pages fetched one by one with an offset that the engine ignores: hits come twice, later ones never",
        _PagesRepeat,
    ),
    Defect(
        "newest-only",
        "pool",
        "a window or a LIMIT on the newest rows before anything is ranked: old memories are out of reach",
        _NewestOnly,
    ),
    Defect(
        "filter-after-top-k",
        "pool",
        "a filter applied to the best k of everybody: a small scope gets few hits or none",
        _FilterAfterTopK,
        needs=frozenset({"scope"}),
    ),
    *THRESHOLD_DEFECTS,
    Defect(
        "batch-tail-lost",
        "pool",
        "a last buffer that is never flushed: some of each batch is not there, and the count says it is",
        _BatchTailLost,
    ),
)
