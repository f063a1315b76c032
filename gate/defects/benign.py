"""Changes that are no loss: no gate may fail them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from zlib import crc32

from gate.defects.boundary import Boundary
from gate.defects.defect import Defect
from gate.protocols import Store
from gate.records import Document, ScoredDoc, SearchResult

# Half of this is what scores move by at most: ranks are told apart by differences of 1e-9.
TIE_WIDTH = 1e-9
# Hits that harmless churn leaves where they are, and those of a first page, which none of it joins or leaves.
STEADY, PAGE = 6, 10
# One search in this many is made twice.
TWICE = 10


class _OtherOrder(Boundary):
    """Documents reach the store last one first, once all of them are known: when anything else is asked of it."""

    def __init__(self, store: Store, dose: float) -> None:
        super().__init__(store, dose)
        self._held: list[Sequence[Document]] = []

    def add(self, documents: Sequence[Document]) -> None:
        self._held.append(documents)

    def environment(self) -> Mapping[str, str]:
        self._hand_over()
        return super().environment()

    def count(self) -> int:
        self._hand_over()
        return super().count()

    def behind(self, query: str, k: int, mode: str, scope: frozenset[str] = frozenset()) -> SearchResult:
        self._hand_over()
        return super().behind(query, k, mode, scope)

    def replace(self, document: Document) -> None:
        self._hand_over()
        super().replace(document)

    def remove(self, doc_id: str) -> None:
        self._hand_over()
        super().remove(doc_id)

    def retire(self, old_id: str, new_id: str) -> None:
        self._hand_over()
        super().retire(old_id, new_id)

    def close(self) -> None:
        self._hand_over()
        super().close()

    def _hand_over(self) -> None:
        """In batches as large as they came, those that the defect does not touch first and in their own order."""
        held, self._held = self._held, []
        # What stands there twice has to be stored in its own order: the last one counts.
        documents = list({document.doc_id: document for batch in held for document in batch}.values())
        moved = [document for document in documents if self.touches(document.doc_id)]
        ordered = [document for document in documents if not self.touches(document.doc_id)] + moved[::-1]
        size = max(map(len, held), default=1)
        for start in range(0, len(ordered), size):
            super().add(ordered[start : start + size])


class _Jitter(Boundary):
    """Scores move by less than what tells two of them apart; the order is as it was."""

    def rewrite_result(self, query: str, k: int, result: SearchResult) -> SearchResult:  # noqa: ARG002 - overridden
        if not self.touches(query):
            return result
        return replace(result, hits=tuple(ScoredDoc(hit.doc_id, hit.score + _moved(query, hit)) for hit in result.hits))


class _Churn(Boundary):
    """Neighbours change places below the first six hits: for every document that falls by one place another rises.

    Half of the queries exchange 7 with 8 and 9 with 10, the other half 8 with 9; all exchange 11 with 12 and so on.
    """

    def rewrite_result(self, query: str, k: int, result: SearchResult) -> SearchResult:  # noqa: ARG002 - overridden
        if not self.touches(query):
            return result
        hits = list(result.hits)
        page = min(PAGE, len(hits))
        for at in (*range(STEADY + _half(query), page - 1, 2), *range(PAGE, len(hits) - 1, 2)):
            upper, lower = hits[at], hits[at + 1]
            hits[at : at + 2] = [ScoredDoc(lower.doc_id, upper.score), ScoredDoc(upper.doc_id, lower.score)]
        return replace(result, hits=tuple(hits))


class _SlowerTenth(Boundary):
    """One search in ten is made twice: a tenth more work in all, and no answer is another."""

    def __init__(self, store: Store, dose: float) -> None:
        super().__init__(store, dose)
        self._searches = 0.0

    def behind(self, query: str, k: int, mode: str, scope: frozenset[str] = frozenset()) -> SearchResult:
        self._searches += self.dose / TWICE
        if self._searches >= 1.0:
            self._searches -= 1.0
            super().behind(query, k, mode, scope)
        return super().behind(query, k, mode, scope)


def _moved(query: str, hit: ScoredDoc) -> float:
    """By how much a score moves: always the same for a query and a document, less than half of the tie width."""
    drawn = crc32(f"{query} {hit.doc_id}".encode("utf-8", "surrogatepass")) / 2**32
    return (drawn - 0.5) * 0.8 * TIE_WIDTH


def _half(query: str) -> int:
    return crc32(query.encode("utf-8", "surrogatepass")) & 1


BENIGN_DEFECTS = (
    Defect(
        "other-order",
        "benign",
        "documents that arrive in another order: a loader with threads, an export that is sorted otherwise",
        _OtherOrder,
        benign=True,
    ),
    Defect(
        "jitter",
        "benign",
        "scores that differ in digits which decide nothing: another processor, another order of summation",
        _Jitter,
        benign=True,
    ),
    Defect(
        "churn-harmless",
        "benign",
        "ranks that move where nothing hangs on them, as many up as down: a new version of a library",
        _Churn,
        benign=True,
    ),
    Defect(
        "slower-tenth",
        "benign",
        "a tenth more work a search: a machine that others use too, one more check",
        _SlowerTenth,
        benign=True,
    ),
)
