"""Defects of what is still there after a store was closed and opened again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from gate.defects.boundary import Remembering
from gate.defects.defect import Defect
from gate.defects.living import Living
from gate.defects.ranking import CANDIDATES
from gate.protocols import Store
from gate.records import Document, SearchResult


class _LastWriterWins(Living):
    """Each write puts its own documents in place of the file: all is in memory, and on disk what the last one wrote.

    What was lost is deleted when the store is closed, which takes a store that can.
    """

    def __init__(self, store: Store, dose: float) -> None:
        super().__init__(store, dose)
        self._written: frozenset[str] = frozenset()

    def add(self, documents: Sequence[Document]) -> None:
        super().add(documents)
        self._written = frozenset(document.doc_id for document in documents)

    def replace(self, document: Document) -> None:
        super().replace(document)
        self._written = frozenset({document.doc_id})

    def retire(self, old_id: str, new_id: str) -> None:
        super().retire(old_id, new_id)
        # A store may have no such row any more.
        self.documents.pop(old_id, None)

    def close(self) -> None:
        if "delete" in self.abilities:
            for doc_id in sorted(self.documents.keys() - self._written):
                if self.touches(doc_id):
                    super().remove(doc_id)
        super().close()


class _EmptyAfterReopen(Remembering):
    """The rows are there and counted, and the index over them is empty until something is added."""

    def __init__(self, store: Store, dose: float) -> None:
        super().__init__(store, dose)
        self._reopened = self.count() > 0

    def rewrite_depth(self, query: str, k: int) -> int:  # noqa: ARG002 - overridden
        return CANDIDATES * k if self._reopened else k

    def rewrite_result(self, query: str, k: int, result: SearchResult) -> SearchResult:  # noqa: ARG002 - overridden
        if not self._reopened:
            return result
        known = (hit for hit in result.hits if hit.doc_id in self.documents or not self.touches(hit.doc_id))
        return replace(result, hits=tuple(known)[:k])


DURABILITY_DEFECTS = (
    Defect(
        "last-writer-wins",
        "durability",
        "two writers, or two batches, that each write the whole file: only the last one's rows are on disk",
        _LastWriterWins,
        needs=frozenset({"reopen", "delete"}),
        faults=("embedder-raises",),
        unmeasurable=True,
    ),
    Defect(
        "empty-after-reopen",
        "durability",
        "an index that is kept in memory and not built again when the store is opened over its rows",
        _EmptyAfterReopen,
        needs=frozenset({"reopen"}),
        faults=("embedder-raises",),
    ),
)
