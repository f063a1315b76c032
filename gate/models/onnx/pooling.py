"""One vector of a text from the vectors of its tokens."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from gate.models.onnx.tokens import Ids

TokenVectors = NDArray[np.float32]
Pooling = Callable[[TokenVectors, Ids], NDArray[np.float32]]


def _cls(tokens: TokenVectors, mask: Ids) -> NDArray[np.float32]:
    first: NDArray[np.float32] = tokens[np.arange(len(tokens)), mask.argmax(axis=1)]
    return first


def _mean(tokens: TokenVectors, mask: Ids) -> NDArray[np.float32]:
    weights = mask.astype(np.float32)[:, :, None]
    total: NDArray[np.float32] = (tokens * weights).sum(axis=1) / weights.sum(axis=1)
    return total


def _last(tokens: TokenVectors, mask: Ids) -> NDArray[np.float32]:
    last: NDArray[np.float32] = tokens[np.arange(len(tokens)), mask.shape[1] - 1 - mask[:, ::-1].argmax(axis=1)]
    return last


# [texts, tokens, dimension] and the mask [texts, tokens] to [texts, dimension].
POOLING: Mapping[str, Pooling] = {"cls": _cls, "mean": _mean, "last": _last}


def normalised(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    """Each vector over its Euclidean length; one of nothing but zeros stays."""
    lengths = np.sqrt(np.einsum("...j,...j->...", vectors, vectors))[..., None]
    made = vectors / np.where(lengths > 0, lengths, 1)
    return made.astype(np.float32, copy=False)
