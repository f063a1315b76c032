"""Ways in which an embedder fails: it raises, or it answers with vectors that mean nothing."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

import numpy as np

from gate.faults.fault import BrokenPart
from gate.protocols import Embedder, Reranker, Vectors


class BrokenEmbedder(ABC):
    """An embedder that fails while it is armed, and is its healthy self before and after."""

    def __init__(self, healthy: Embedder) -> None:
        self.name = healthy.name
        self.dimension = healthy.dimension
        self.armed = False
        self.calls = 0
        self._healthy = healthy

    def embed(self, texts: Sequence[str], kind: str) -> Vectors:
        if not self.armed:
            return self._healthy.embed(texts, kind)
        self.calls += 1
        return self.fail(texts)

    @abstractmethod
    def fail(self, texts: Sequence[str]) -> Vectors:
        """What comes of a call while armed."""


class RaisingEmbedder(BrokenEmbedder):
    """Raises what HTTP clients raise: an error of no type that a store could have been told about."""

    def fail(self, texts: Sequence[str]) -> Vectors:
        raise RuntimeError(f"the embedding service did not answer a request of {len(texts)} texts: connection refused")


class ZeroEmbedder(BrokenEmbedder):
    """Returns vectors of the right shape that are all zero, as a service under load or an empty pooling does."""

    def fail(self, texts: Sequence[str]) -> Vectors:
        return np.zeros((len(texts), self.dimension), dtype=np.float32)


class NanEmbedder(BrokenEmbedder):
    """Returns vectors of the right shape that are all NaN, as half-precision overflow does."""

    def fail(self, texts: Sequence[str]) -> Vectors:
        return np.full((len(texts), self.dimension), np.nan, dtype=np.float32)


class EmbedderFault:
    """A fault of the embedder alone: `broken` is the class that stands in for the healthy one."""

    part = "embedder"
    modes = frozenset({"vector", "hybrid", "rerank"})

    def __init__(self, name: str, says: str, broken: type[BrokenEmbedder]) -> None:
        self.name = name
        self.says = says
        self._broken = broken

    def break_embedder(self, embedder: Embedder) -> BrokenPart:
        return self._broken(embedder)

    def break_reranker(self, reranker: Reranker) -> BrokenPart:
        """Raises TypeError: `part` says that this one breaks an embedder."""
        raise TypeError(f"{self.name} breaks an embedder, not the reranker {reranker.name}")


EMBEDDER_FAULTS = (
    EmbedderFault("embedder-raises", "every call of the embedder raises", RaisingEmbedder),
    EmbedderFault("embedder-zeros", "the embedder returns vectors of zeros", ZeroEmbedder),
    EmbedderFault("embedder-nan", "the embedder returns vectors of NaN", NanEmbedder),
)
