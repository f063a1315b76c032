"""Which document stands in which slot, who may see it, and what has replaced it."""

from __future__ import annotations

import numpy as np

from gate.stores.reference.ranking import Scores, Slots

GONE = -1


class Catalogue:
    """Document ids by slot, with scopes and supersessions. Slots of deleted documents are given out again."""

    def __init__(self) -> None:
        self.doc_ids: list[str] = []
        self._slots: dict[str, int] = {}
        self._free: list[int] = []
        self._scopes: dict[frozenset[str], int] = {}
        self._scope_of = np.zeros(1024, dtype=np.intp)
        self._successors: dict[str, str] = {}
        self._heirs: Slots | None = None
        self._best = np.zeros(0)
        self._replaced: dict[str, list[int]] = {}

    def __len__(self) -> int:
        return len(self._slots)

    def __contains__(self, doc_id: str) -> bool:
        return doc_id in self._slots

    def slot(self, doc_id: str) -> int:
        """The slot of a stored document. Raises KeyError."""
        return self._slots[doc_id]

    def put(self, doc_id: str, scope: frozenset[str]) -> int:
        """Gives a document that is not stored a slot."""
        if self._free:
            slot = self._free.pop()
            self.doc_ids[slot] = doc_id
        else:
            slot = len(self.doc_ids)
            self.doc_ids.append(doc_id)
            if slot >= len(self._scope_of):
                self._scope_of = np.concatenate([self._scope_of, np.zeros_like(self._scope_of)])
        self._slots[doc_id] = slot
        self._scope_of[slot] = self._scopes.setdefault(scope, len(self._scopes))
        self._heirs = None
        return slot

    def take(self, doc_id: str) -> int:
        """Frees the slot of a stored document and returns it. Raises KeyError."""
        slot = self._slots.pop(doc_id)
        self.doc_ids[slot] = ""
        self._free.append(slot)
        self._heirs = None
        return slot

    def supersede(self, old_id: str, new_id: str) -> None:
        """Says that `new_id` replaces `old_id`, stored or not. Raises ValueError where that closes a circle."""
        if self.heir(new_id) == old_id:
            raise ValueError(f"'{new_id}' cannot replace '{old_id}', which replaces it")
        self._successors[old_id] = new_id
        self._heirs = None

    def forget(self, doc_id: str) -> None:
        """Takes a deleted document out of its chain: what it replaced leads on to what replaced it, if anything did."""
        after = self._successors.pop(doc_id, None)
        if after is not None:
            for old, new in self._successors.items():
                if new == doc_id:
                    self._successors[old] = after
        self._heirs = None

    def heir(self, doc_id: str) -> str:
        """The id at the end of the chain that replaces `doc_id`, which may be itself."""
        while doc_id in self._successors:
            doc_id = self._successors[doc_id]
        return doc_id

    def superseded(self) -> frozenset[str]:
        """The ids that something replaces."""
        return frozenset(self._successors)

    def lineage(self, doc_id: str) -> list[int]:
        """The slots of a stored document and of all stored ones that it replaces."""
        if self._heirs is None:
            self._heirs = self._lead()
        return [self._slots[doc_id], *self._replaced.get(doc_id, ())]

    def allows(self, doc_id: str, scope: frozenset[str]) -> bool:
        """Whether a stored document is there for a search with `scope`."""
        if not scope:
            return True
        allowed = self._allowed(scope)
        return bool(allowed[self._scope_of[self._slots[doc_id]]])

    def visible(self, slots: Slots, scores: Scores, scope: frozenset[str]) -> tuple[Slots, Scores]:
        """Of found slots, those that may be seen: in scope, and each replaced one as what replaces it.

        A replacement has the better of its own score and those of what it replaces. Slots in
        are distinct, and so are slots out.
        """
        if scope:
            inside = self._allowed(scope)[self._scope_of[slots]]
            slots, scores = slots[inside], scores[inside]
        if not self._successors:
            return slots, scores
        if self._heirs is None:
            self._heirs = self._lead()
        heirs = self._heirs[slots]
        moved = heirs != slots
        if not moved.any():
            return slots, scores
        old, old_scores = heirs[moved], scores[moved]
        there = old != GONE
        if scope:
            there &= self._allowed(scope)[self._scope_of[old]]
        old, old_scores = old[there], old_scores[there]
        slots, scores = slots[~moved], scores[~moved]
        best = self._best
        best[slots] = scores
        np.maximum.at(best, old, old_scores)
        # Reading a score clears it: a replacement that was found itself is not taken twice.
        scores, best[slots] = best[slots], -np.inf
        old = np.unique(old)
        old_scores, best[old] = best[old], -np.inf
        first = old_scores > -np.inf
        return np.concatenate([slots, old[first]]), np.concatenate([scores, old_scores[first]])

    def _allowed(self, scope: frozenset[str]) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        return np.fromiter((known <= scope for known in self._scopes), dtype=np.bool_, count=len(self._scopes))

    def _lead(self) -> Slots:
        """By slot, the slot of what replaces its document: itself, or GONE where that is no longer stored."""
        heirs = np.arange(len(self.doc_ids), dtype=np.intp)
        self._best = np.full(len(heirs), -np.inf)
        self._replaced = {}
        for old in self._successors:
            if old in self._slots:
                heir = self.heir(old)
                heirs[self._slots[old]] = self._slots.get(heir, GONE)
                self._replaced.setdefault(heir, []).append(self._slots[old])
        return heirs
