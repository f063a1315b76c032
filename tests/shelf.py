"""A store in memory that does what the best ones do to text, so that a defect in front of it shows; and what asks it.

Normalises, folds case and accents, stems English; one and two characters of scripts without spaces are terms.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence

import Stemmer

from gate.defects import DEFECTS
from gate.protocols import Store
from gate.records import Document, Evidence, ScoredDoc, SearchResult

UNSPACED = "\u0e00-\u0e7f\u3041-\u30ff\u4e00-\u9fff\uac00-\ud7a3\U00020000-\U0002ffff"
_TOKEN = re.compile(f"[{UNSPACED}]+|[^\\W{UNSPACED}]+")
_STEMMER = Stemmer.Stemmer("english")


def terms(text: str) -> set[str]:
    found: set[str] = set()
    apart = unicodedata.normalize("NFKD", text)
    plain = "".join(character for character in apart if not "\u0300" <= character <= "\u036f")
    for token in _TOKEN.findall(unicodedata.normalize("NFC", plain).casefold()):
        if re.match(f"[{UNSPACED}]", token):
            found |= {token[at : at + 2] for at in range(len(token) - 1)} or {token}
        else:
            found.add(_STEMMER.stemWord(token))
    return found


class Shelf:
    """Ranks by the share of the query's terms that a document holds, then by id. Scopes are honoured."""

    name = "shelf"
    modes = frozenset({"keyword", "vector", "hybrid", "rerank"})
    abilities = frozenset({"update", "delete", "supersede", "scope", "embedder", "reranker"})

    def __init__(self) -> None:
        self.documents: dict[str, Document] = {}
        self.asked: list[tuple[str, int, str]] = []

    def environment(self) -> Mapping[str, str]:
        return {"engine": "shelf 1"}

    def add(self, documents: Sequence[Document]) -> None:
        self.documents.update((document.doc_id, document) for document in documents)

    def count(self) -> int:
        return len(self.documents)

    def search(self, query: str, k: int, mode: str, scope: frozenset[str] = frozenset()) -> SearchResult:
        self.asked.append((query, k, mode))
        wanted = terms(query)
        scored = [
            (len(wanted & terms(document.index_text or document.text)) / len(wanted), doc_id)
            for doc_id, document in self.documents.items()
            if wanted and (not scope or document.scope <= scope)
        ]
        best = sorted((-score, doc_id) for score, doc_id in scored if score > 0)[:k]
        hits = tuple(ScoredDoc(doc_id, -score) for score, doc_id in best)
        return SearchResult(hits, context="said", evidence=Evidence(bool(hits), 1.0))

    def close(self) -> None:
        self.documents.clear()

    def update(self, document: Document) -> None:
        if document.doc_id not in self.documents:
            raise KeyError(document.doc_id)
        self.documents[document.doc_id] = document

    def delete(self, doc_id: str) -> None:
        del self.documents[doc_id]

    def supersede(self, old_id: str, new_id: str) -> None:
        if old_id not in self.documents or new_id not in self.documents:
            raise KeyError(new_id)
        del self.documents[old_id]


def planted(name: str, dose: float = 1.0, inner: Store | None = None) -> Store:
    """A store with a defect in front of it."""
    return DEFECTS[name].plant(Shelf() if inner is None else inner, dose)


def stored(store: Store, *texts: str) -> Store:
    """The store with texts `d0`, `d1` ... in it."""
    store.add([Document(f"d{at}", text) for at, text in enumerate(texts)])
    return store


def found(store: Store, query: str, k: int = 10, mode: str = "keyword", scope: Iterable[str] = ()) -> list[str]:
    """The ids that a search gives."""
    return [hit.doc_id for hit in store.search(query, k, mode, frozenset(scope)).hits]


def with_and_without(name: str) -> tuple[Callable[..., list[str]], Callable[..., list[str]]]:
    """What a search finds with a defect and without, over the same texts: each `(query, *texts)`."""

    def without(query: str, *texts: str) -> list[str]:
        return found(stored(Shelf(), *texts), query)

    def with_defect(query: str, *texts: str) -> list[str]:
        return found(stored(planted(name), *texts), query)

    return with_defect, without
