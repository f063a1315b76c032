"""A store small enough to be worked out by hand: it finds what shares a word with the question, in order of storing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gate.defects import DEFECTS
from gate.protocols import Store
from gate.records import Document, Evidence, ScoredDoc, SearchResult


class Shelf:
    """`answers[mode]` are hits that a mode gives whatever it is asked; `degraded` what every search goes without.

    Wrapping the same shelf again stands for opening it again: nothing is lost when it is closed.
    """

    name = "shelf"
    modes = frozenset({"keyword", "vector", "hybrid", "facts"})
    abilities = frozenset({"update", "delete", "supersede", "scope", "reopen", "embedder"})

    def __init__(self, **answers: Sequence[tuple[str, float]]) -> None:
        self.answers = {mode: tuple(ScoredDoc(*hit) for hit in hits) for mode, hits in answers.items()}
        self.documents: dict[str, Document] = {}
        self.heirs: dict[str, str] = {}
        self.degraded: frozenset[str] = frozenset()
        self.asked: list[tuple[str, int, str, frozenset[str]]] = []
        self.batches: list[list[str]] = []
        self.closed = 0

    def environment(self) -> Mapping[str, str]:
        return {"documents": str(len(self.documents))}

    def add(self, documents: Sequence[Document]) -> None:
        self.batches.append([document.doc_id for document in documents])
        self.documents |= {document.doc_id: document for document in documents}

    def update(self, document: Document) -> None:
        assert document.doc_id in self.documents
        self.documents[document.doc_id] = document

    def delete(self, doc_id: str) -> None:
        self.documents.pop(doc_id, None)

    def supersede(self, old_id: str, new_id: str) -> None:
        self.heirs[old_id] = new_id

    def count(self) -> int:
        return len(self.documents)

    def close(self) -> None:
        self.closed += 1

    def search(self, query: str, k: int, mode: str, scope: frozenset[str] = frozenset()) -> SearchResult:
        self.asked.append((query, k, mode, scope))
        hits = self.answers.get(mode)
        if hits is None:
            words = set(query.split())
            found = [one.doc_id for one in self.documents.values() if words & set(one.text.split())]
            led = dict.fromkeys(self.heirs.get(doc_id, doc_id) for doc_id in found)
            seen = [doc_id for doc_id in led if not scope or self.documents[doc_id].scope <= scope]
            hits = tuple(ScoredDoc(doc_id, 1.0 / rank) for rank, doc_id in enumerate(seen, start=1))
        return SearchResult(hits[:k], self.degraded, evidence=Evidence(bool(hits), 0.5))


def plant(name: str, store: Store, dose: float = 1.0) -> Store:
    """The store with a defect in front of it."""
    return DEFECTS[name].plant(store, dose)


def ids(result: SearchResult) -> list[str]:
    return [hit.doc_id for hit in result.hits]


def found(store: Store, query: str, mode: str = "keyword", k: int = 10, scope: str = "") -> list[str]:
    """The ids that a search gives; `scope` are words."""
    return ids(store.search(query, k, mode, frozenset(scope.split())))


def told(**texts: str) -> list[Document]:
    """Documents of these ids and texts."""
    return [Document(doc_id, text) for doc_id, text in texts.items()]
