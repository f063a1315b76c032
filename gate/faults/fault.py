"""What a fault is: a way in which an embedder or reranker fails, while the store must survive it."""

from __future__ import annotations

from typing import Protocol

from gate.protocols import Embedder, Reranker


class BrokenPart(Protocol):
    """An embedder or reranker with a switch.

    Healthy until `armed` is True (documents are ingested in health), failing while it is, and
    healthy again after. `calls` counts the calls that arrived while it was armed, whatever
    their kind.
    """

    armed: bool
    calls: int


class Fault(Protocol):
    """`name` is `part-what` (`embedder-raises`); `part` is `embedder` or `reranker`; `modes` can lose that part."""

    name: str
    part: str
    modes: frozenset[str]
    says: str

    def break_embedder(self, embedder: Embedder) -> BrokenPart: ...

    def break_reranker(self, reranker: Reranker) -> BrokenPart: ...
