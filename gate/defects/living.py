"""A boundary that knows what is stored and what became of it."""

from __future__ import annotations

from gate.defects.boundary import Remembering
from gate.protocols import Store
from gate.records import Document


class Living(Remembering):
    """`documents` are those that are stored and not deleted; `retired` are the ids of those that another replaced."""

    def __init__(self, store: Store, dose: float) -> None:
        super().__init__(store, dose)
        self.retired: set[str] = set()

    def remove(self, doc_id: str) -> None:
        self.documents.pop(doc_id, None)
        super().remove(doc_id)

    def retire(self, old_id: str, new_id: str) -> None:
        self.retired.add(old_id)
        super().retire(old_id, new_id)

    def seen(self, document: Document, scope: frozenset[str]) -> bool:
        """Whether a search of that scope may find a stored document."""
        return document.doc_id not in self.retired and (not scope or document.scope <= scope)
