"""A broken reranker, and the fault that puts it in the place of a healthy one."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from gate.faults.fault import SAMPLE, BrokenPart
from gate.faults.switch import Switch
from gate.protocols import Embedder, Reranker


class BrokenReranker(Switch, ABC):
    """A reranker that fails while it is armed, and is its healthy self before and after."""

    def __init__(self, healthy: Reranker) -> None:
        super().__init__()
        self.name = healthy.name
        self.healthy = healthy

    def score(self, query: str, texts: Sequence[str]) -> Sequence[float]:
        if not self.armed:
            return self.healthy.score(query, texts)
        self.enter()
        try:
            return self.fail(query, texts)
        finally:
            self.leave()

    @abstractmethod
    def fail(self, query: str, texts: Sequence[str]) -> Sequence[float]:
        """What comes of a call while armed; a call that goes wrong is counted by `fails`."""


class WrongReranker(BrokenReranker):
    """Answers every call, and calls it success: the answer is what `wrong` makes of the right one."""

    def fail(self, query: str, texts: Sequence[str]) -> Sequence[float]:
        right = [float(score) for score in self.healthy.score(query, texts)]
        answer = self.wrong(right)
        if list(answer) != right:
            self.fails()
        return answer

    @abstractmethod
    def wrong(self, right: list[float]) -> Sequence[float]:
        """The answer in the place of the right one."""


class RerankerFault:
    """A fault of the reranker alone: `broken` is the class that stands in for the healthy one."""

    part = "reranker"
    modes = frozenset({"rerank"})
    delays = False

    def __init__(
        self, name: str, says: str, broken: type[BrokenReranker], *, topics: int = SAMPLE, holds: bool = False
    ) -> None:
        self.name, self.says, self.topics, self.holds = name, says, topics, holds
        self._broken = broken

    def break_embedder(self, embedder: Embedder) -> BrokenPart:
        """Raises TypeError: `part` says that this one breaks a reranker."""
        raise TypeError(f"{self.name} breaks a reranker, not the embedder {embedder.name}")

    def break_reranker(self, reranker: Reranker) -> BrokenPart:
        return self._broken(reranker)
