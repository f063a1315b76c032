"""Defects of text handling."""

from __future__ import annotations

from dataclasses import replace

from gate.defects.boundary import Boundary
from gate.protocols import Store
from gate.records import Document, SearchResult


class AsciiOnly:
    """`ascii-only`: what is not ASCII is dropped from documents and queries before the store sees them."""

    name = "ascii-only"
    family = "text"
    stands_for = "a tokenizer or clean-up written for English, such as [a-z0-9]+, that loses every other script"

    def plant(self, store: Store, dose: float) -> Store:
        return _AsciiBoundary(store, dose)


class _AsciiBoundary(Boundary):
    def rewrite_document(self, document: Document) -> Document:
        if not self.touches(document.doc_id):
            return document
        return replace(
            document,
            text=_ascii(document.text),
            index_text=_ascii(document.index_text),
            facts=tuple((_ascii(key), _ascii(value)) for key, value in document.facts),
        )

    def rewrite_query(self, query: str) -> str:
        return _ascii(query) if self.touches(query) else query

    def search(self, query: str, k: int, mode: str, scope: frozenset[str] = frozenset()) -> SearchResult:
        # A query without a token left finds nothing. Some stores raise on a blank one instead, and
        # would then show as not measured, not as worse.
        if not self.rewrite_query(query).strip():
            return SearchResult(())
        return super().search(query, k, mode, scope)


def _ascii(text: str) -> str:
    return text.encode("ascii", "ignore").decode("ascii")
