"""An embedder that answers with vectors that mean nothing, and calls it success."""

from __future__ import annotations

import numpy as np

from gate.faults.embedder import EmbedderFault, WrongEmbedder
from gate.protocols import Vectors

# What the constant vector is the vector of.
_ALWAYS = "the same answer to every question"


class ZeroEmbedder(WrongEmbedder):
    """Returns vectors of the right shape that are all zero, as a service under load or an empty pooling does."""

    def wrong(self, right: Vectors, kind: str) -> Vectors:  # noqa: ARG002 - the others look at it
        return np.zeros((len(right), self.dimension), dtype=np.float32)


class NanEmbedder(WrongEmbedder):
    """Returns vectors of the right shape that are all NaN, as half-precision overflow does."""

    def wrong(self, right: Vectors, kind: str) -> Vectors:  # noqa: ARG002 - the others look at it
        return np.full((len(right), self.dimension), np.nan, dtype=np.float32)


class ConstantEmbedder(WrongEmbedder):
    """Returns one good vector for every text, as a cache with a wrong key or a stuck worker does."""

    def wrong(self, right: Vectors, kind: str) -> Vectors:
        one = self.healthy.embed([_ALWAYS], kind)
        return np.repeat(one, len(right), axis=0)


class ShortVectorEmbedder(WrongEmbedder):
    """Returns vectors of another length, as a model does whose number of dimensions was configured anew."""

    def wrong(self, right: Vectors, kind: str) -> Vectors:  # noqa: ARG002 - the others look at it
        length = self.dimension // 2 or 2
        return np.resize(right, (len(right), length)) if length > self.dimension else right[:, :length]


class OtherModelEmbedder(WrongEmbedder):
    """Returns vectors of another model's space: as long and as far apart as the right ones, and unlike them.

    The dimensions stand in the opposite order, every second one with the opposite sign.
    """

    def wrong(self, right: Vectors, kind: str) -> Vectors:  # noqa: ARG002 - the others look at it
        signs = np.where(np.arange(self.dimension) % 2, -1.0, 1.0).astype(np.float32)
        other: Vectors = right[:, ::-1] * signs
        return other


class EmptyEmbedder(WrongEmbedder):
    """Returns no vector at all, as a client does that takes an answer without data for an empty one."""

    def wrong(self, right: Vectors, kind: str) -> Vectors:  # noqa: ARG002 - the others look at it
        return right[:0]


EMBEDDER_VECTORS = (
    EmbedderFault("embedder-zeros", "the embedder returns vectors of zeros", ZeroEmbedder, topics=0),
    EmbedderFault("embedder-nan", "the embedder returns vectors of NaN", NanEmbedder, topics=0),
    EmbedderFault("embedder-constant", "the embedder returns the same vector for every text", ConstantEmbedder),
    EmbedderFault("embedder-length", "the embedder returns vectors of another length", ShortVectorEmbedder),
    EmbedderFault("embedder-other-model", "the embedder returns vectors of another model's space", OtherModelEmbedder),
    EmbedderFault("embedder-empty", "the embedder returns an empty list and calls it success", EmptyEmbedder),
)
