"""Exact cosine over vectors in one matrix.

Products are summed in float32, which is exact for vectors of small integers in any order of
summation; norms and quotients follow in float64.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gate.protocols import Vectors
from gate.stores.reference.ranking import Scores, Slots


class DenseIndex:
    """Slots to vectors. A slot without a vector is never found."""

    def __init__(self, dimension: int) -> None:
        self._vectors: Vectors = np.zeros((1024, dimension), dtype=np.float32)
        self._norms = np.zeros(1024, dtype=np.float64)
        self._end = 0
        self._slots: Slots | None = None

    def set(self, slot: int, vector: NDArray[np.float32]) -> None:
        """Gives a slot its vector, which has to be finite and not all zero."""
        if slot >= len(self._norms):
            more = max(len(self._norms), slot + 1 - len(self._norms))
            self._vectors = np.concatenate([self._vectors, np.zeros((more, self._vectors.shape[1]), dtype=np.float32)])
            self._norms = np.concatenate([self._norms, np.zeros(more)])
        self._vectors[slot] = vector
        self._norms[slot] = norm(vector)
        self._end = max(self._end, slot + 1)
        self._slots = None

    def remove(self, slot: int) -> None:
        """Takes a slot's vector away, where it has one."""
        if slot < self._end:
            self._norms[slot] = 0.0
            self._slots = None

    def search(self, query: NDArray[np.float32]) -> tuple[Slots, Scores]:
        """All slots with a vector, ascending, and their cosines with the query's, which is not all zero."""
        if self._slots is None:
            self._slots = np.flatnonzero(self._norms[: self._end])
        # Not `@`, whose threads wait for one another on a busy machine: one order of summation on any number of cores.
        products = np.einsum("ij,j->i", self._vectors[: self._end], query)
        norms = self._norms[: self._end]
        if len(self._slots) < self._end:
            products, norms = products[self._slots], norms[self._slots]
        return self._slots, products / (norms * norm(query))


def norm(vector: NDArray[np.float32]) -> float:
    """The Euclidean length, in float64."""
    wide = vector.astype(np.float64)
    return float(np.sqrt(wide @ wide))
