"""A broken embedder, and the fault that puts it in the place of a healthy one."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

import numpy as np

from gate.faults.fault import SAMPLE, BrokenPart
from gate.faults.switch import Switch
from gate.protocols import Embedder, Reranker, Vectors


class BrokenEmbedder(Switch, ABC):
    """An embedder that fails while it is armed, and is its healthy self before and after."""

    def __init__(self, healthy: Embedder) -> None:
        super().__init__()
        self.name = healthy.name
        self.dimension = healthy.dimension
        self.healthy = healthy

    def embed(self, texts: Sequence[str], kind: str) -> Vectors:
        if not self.armed:
            return self.healthy.embed(texts, kind)
        number = self.enter()
        try:
            return self.fail(texts, kind, number)
        finally:
            self.leave()

    @abstractmethod
    def fail(self, texts: Sequence[str], kind: str, number: int) -> Vectors:
        """What comes of call `number`, from 1, while armed; a call that goes wrong is counted by `fails`."""


class WrongEmbedder(BrokenEmbedder):
    """Answers every call, and calls it success: the answer is what `wrong` makes of the right one."""

    def fail(self, texts: Sequence[str], kind: str, number: int) -> Vectors:  # noqa: ARG002 - the others count
        right = np.asarray(self.healthy.embed(texts, kind))
        answer = self.wrong(right, kind)
        if not np.array_equal(answer, right):
            self.fails()
        return answer

    @abstractmethod
    def wrong(self, right: Vectors, kind: str) -> Vectors:
        """The answer in the place of the right one."""


class EmbedderFault:
    """A fault of the embedder alone: `broken` is the class that stands in for the healthy one."""

    part = "embedder"
    modes = frozenset({"vector", "hybrid", "rerank"})

    def __init__(
        self,
        name: str,
        says: str,
        broken: type[BrokenEmbedder],
        *,
        topics: int = SAMPLE,
        holds: bool = False,
        delays: bool = False,
    ) -> None:
        self.name, self.says, self.topics, self.holds, self.delays = name, says, topics, holds, delays
        self._broken = broken

    def break_embedder(self, embedder: Embedder) -> BrokenPart:
        return self._broken(embedder)

    def break_reranker(self, reranker: Reranker) -> BrokenPart:
        """Raises TypeError: `part` says that this one breaks an embedder."""
        raise TypeError(f"{self.name} breaks an embedder, not the reranker {reranker.name}")
