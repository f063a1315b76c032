"""The control that cuts text only where letters end: no stems, no pairs of characters, no dictionary.

What a tokenizer brings is seen against it: inflected forms stay apart, and a sentence in a
script without spaces is one token.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from math import log
from pathlib import Path

from gate.protocols import Embedder, Reranker
from gate.records import Document, SearchResult
from gate.stores.control import Control

K1, B = 1.2, 0.75
_WORD = re.compile(r"\w+")


class WholeWordsStore(Control):
    """BM25 (Robertson and Zaragoza 2009, with an idf that is always positive) over case-folded runs of letters."""

    name = "whole-words"
    modes = frozenset({"keyword"})

    def __init__(self) -> None:
        super().__init__()
        self._lengths: dict[str, int] = {}
        self._total = 0
        self._postings: dict[str, dict[str, int]] = {}

    def add(self, documents: Sequence[Document]) -> None:
        for document in documents:
            self._forget(document.doc_id)
            words = _words(document.index_text or document.text)
            self._lengths[document.doc_id] = len(words)
            self._total += len(words)
            for word, times in Counter(words).items():
                self._postings.setdefault(word, {})[document.doc_id] = times
        super().add(documents)

    def delete(self, doc_id: str) -> None:
        self._forget(doc_id)
        super().delete(doc_id)

    def search(self, query: str, k: int, mode: str, scope: frozenset[str] = frozenset()) -> SearchResult:  # noqa: ARG002
        total = len(self._lengths)
        mean = self._total / total if total else 0.0
        scores: Counter[str] = Counter()
        for word in sorted(set(_words(query))):
            found = self._postings.get(word, {})
            idf = log(1 + (total - len(found) + 0.5) / (len(found) + 0.5))
            for doc_id, times in found.items():
                length = 1 - B + B * self._lengths[doc_id] / mean
                scores[doc_id] += idf * times * (K1 + 1) / (times + K1 * length)  # type: ignore[assignment]
        return self.select(sorted(scores, key=lambda doc_id: (-round(scores[doc_id], 9), doc_id)), k, scope)

    def _forget(self, doc_id: str) -> None:
        length = self._lengths.pop(doc_id, None)
        if length is not None:
            self._total -= length
            for found in self._postings.values():
                found.pop(doc_id, None)


def _words(text: str) -> list[str]:
    return _WORD.findall(text.casefold())


def open_store(path: Path, embedder: Embedder | None = None, reranker: Reranker | None = None) -> WholeWordsStore:  # noqa: ARG001
    """Opens an empty one. Nothing is kept at `path`."""
    return WholeWordsStore()
