"""What a fault is: a way in which an embedder or reranker fails, while the store must survive it."""

from __future__ import annotations

from typing import Protocol

from gate.protocols import Embedder, Reranker

# Topics a mode that most faults are asked on: what a failing part leaves of an answer is alike on all of them.
SAMPLE = 40
# Of a fault that holds calls back each topic may cost as long as a store is allowed to wait.
FEW = 3


class BrokenPart(Protocol):
    """An embedder or reranker with a switch.

    Healthy until `armed` is True (documents are ingested in health), failing while it is, and
    healthy again after: calls that are still held then have returned. `calls` counts the calls
    that arrived while it was armed, whatever their kind, and `failures` those of them that went wrong. A
    call that is only late has not gone wrong.
    """

    armed: bool

    @property
    def calls(self) -> int: ...

    @property
    def failures(self) -> int: ...


class Fault(Protocol):
    """`name` is `part-what` (`embedder-raises`); `part` is `embedder` or `reranker`; `modes` can lose that part.

    `topics` is how many topics a mode it is asked on, 0 for all. `holds` says that it keeps calls
    waiting; one that `delays` answers well in the end, so that a store may wait or go without.
    """

    name: str
    part: str
    modes: frozenset[str]
    says: str
    topics: int
    holds: bool
    delays: bool

    def break_embedder(self, embedder: Embedder) -> BrokenPart: ...

    def break_reranker(self, reranker: Reranker) -> BrokenPart: ...
