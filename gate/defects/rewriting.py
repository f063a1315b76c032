"""A store whose text is rewritten on the way in."""

from __future__ import annotations

from dataclasses import replace

from gate.defects.boundary import Boundary
from gate.records import Document, SearchResult


class Rewritten(Boundary):
    """Rewrites the text of documents and queries: `of_document` and `of_query` say how.

    What is planted has to hold in front of any store, also of one that folds, normalises or stems. So where a
    real defect fails to make two texts the same, the rewriting makes them different in a way that no store undoes.
    """

    def of_document(self, text: str) -> str:
        return text

    def of_query(self, text: str) -> str:
        return text

    def rewrite_document(self, document: Document) -> Document:
        if not self.touches(document.doc_id):
            return document
        return replace(
            document,
            text=self.of_document(document.text),
            index_text=self.of_document(document.index_text),
            facts=tuple((self.of_document(key), self.of_document(value)) for key, value in document.facts),
        )

    def rewrite_query(self, query: str) -> str:
        return self.of_query(query) if self.touches(query) else query

    def search(self, query: str, k: int, mode: str, scope: frozenset[str] = frozenset()) -> SearchResult:
        # A query without a token left finds nothing. Some stores raise on a blank one instead, and
        # would then show as not measured, not as worse.
        if not self.rewrite_query(query).strip():
            return SearchResult(())
        return super().search(query, k, mode, scope)
