"""Defects of time. What takes it is work that slow stores do; nothing waits, no answer changes."""

from __future__ import annotations

from collections.abc import Sequence

from gate.defects.boundary import Boundary, Remembering
from gate.defects.defect import Defect
from gate.defects.dose import touched
from gate.records import Document, SearchResult

SPIKES = 20  # one query in so many
SPIKE = 50  # times as long
BEGINNING = 48  # characters


class _Slower2x(Boundary):
    """Each search is made twice."""

    def search(self, query: str, k: int, mode: str, scope: frozenset[str] = frozenset()) -> SearchResult:
        if self.touches(query):
            super().search(query, k, mode, scope)
        return super().search(query, k, mode, scope)


class _Spikes(Boundary):
    """One query in twenty takes fifty times as long."""

    def search(self, query: str, k: int, mode: str, scope: frozenset[str] = frozenset()) -> SearchResult:
        if touched(query, self.dose / SPIKES):
            for _ in range(SPIKE - 1):
                super().search(query, k, mode, scope)
        return super().search(query, k, mode, scope)


class _RebuildPerQuery(Remembering):
    """The lengths of all documents are counted for each search, and thrown away."""

    def search(self, query: str, k: int, mode: str, scope: frozenset[str] = frozenset()) -> SearchResult:
        if self.touches(query):
            self.lengths(list(self.documents.values()))
        return super().search(query, k, mode, scope)

    def lengths(self, documents: Sequence[Document]) -> dict[str, int]:
        """The number of words of each document, where one space stands between two."""
        return {document.doc_id: (document.index_text or document.text).count(" ") + 1 for document in documents}


class _IngestQuadratic(Remembering):
    """Each document that comes is compared with all that are there."""

    def add(self, documents: Sequence[Document]) -> None:
        for document in documents:
            if self.touches(document.doc_id):
                self.likest(document, list(self.documents.values()))
            self.documents[document.doc_id] = document
        super().add(documents)

    def likest(self, document: Document, others: Sequence[Document]) -> int:
        """The most pairs of characters that the beginning of a document shares with that of another, cut up anew."""
        own = pairs(document.text)
        return max((len(own & pairs(other.text)) for other in others), default=0)


def pairs(text: str) -> set[str]:
    """Each two characters that stand side by side at the beginning of a text."""
    start = text[:BEGINNING]
    return {start[at : at + 2] for at in range(len(start) - 1)}


LATENCY_DEFECTS = (
    Defect(
        "slower-2x",
        "latency",
        "work that is done twice: a query sent to two replicas, a retry that always happens, a second parse",
        _Slower2x,
        slows=True,
    ),
    Defect(
        "spikes",
        "latency",
        "a slow path that a few queries take: a cold cache, a plan without an index, a lock",
        _Spikes,
        slows=True,
    ),
    Defect(
        "rebuild-per-query",
        "latency",
        "an index, a table of lengths or a client that is made anew for each search",
        _RebuildPerQuery,
        slows=True,
    ),
    Defect(
        "ingest-quadratic",
        "latency",
        "each new document compared with, or written behind, all that are there: storing gets slower and slower",
        _IngestQuadratic,
        modes=frozenset(),
    ),
)
