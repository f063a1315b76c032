"""What the controls have in common: they hold ids, scopes and replacements, and no text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from gate.records import Document, ScoredDoc, SearchResult


class Control:
    """A store without an index. Its kinds differ in the order in which they see the documents.

    Scopes, updates, deletions and supersessions are honoured, so that every topic can be asked.
    """

    name = "control"
    modes = frozenset({"keyword", "vector", "hybrid"})
    abilities = frozenset({"update", "delete", "supersede", "scope"})

    def __init__(self) -> None:
        self._scopes: dict[str, frozenset[str]] = {}
        self._replaced: dict[str, str] = {}

    def environment(self) -> Mapping[str, str]:
        return {"control": self.name}

    def add(self, documents: Sequence[Document]) -> None:
        for document in documents:
            self._scopes[document.doc_id] = document.scope

    def count(self) -> int:
        return len(self._scopes)

    def update(self, document: Document) -> None:
        self.add([document])

    def delete(self, doc_id: str) -> None:
        self._scopes.pop(doc_id, None)

    def supersede(self, old_id: str, new_id: str) -> None:
        self._replaced[old_id] = new_id

    def close(self) -> None:
        """Nothing is open."""

    def select(self, order: Iterable[str], k: int, scope: frozenset[str]) -> SearchResult:
        """The first `k` of an order that a search may return, replaced ones as their replacements."""
        chosen: dict[str, None] = {}
        for doc_id in order:
            if len(chosen) >= k:
                break
            newest = self._newest(doc_id)
            in_scope = all(not scope or self._scopes.get(one, scope) <= scope for one in (doc_id, newest))
            if newest in self._scopes and in_scope:
                chosen[newest] = None
        return SearchResult(tuple(ScoredDoc(doc_id, 1.0 / rank) for rank, doc_id in enumerate(chosen, start=1)))

    def _newest(self, doc_id: str) -> str:
        seen = {doc_id}
        while (after := self._replaced.get(doc_id, doc_id)) not in seen:
            seen.add(after)
            doc_id = after
        return doc_id
