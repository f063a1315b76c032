"""Exact cosine over vectors in columns.

Products are summed in float32, which is exact for vectors of small integers in any order of
summation; norms and quotients follow in float64. A dimension is a row, so that of a query with
many zeros, as hashed ones are, only the rows of its other dimensions are read.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gate.protocols import Vectors
from gate.stores.reference.ranking import Scores, Slots

_BLOCK = 2048  # columns: what is summed at a time stays in a processor's cache


class DenseIndex:
    """Slots to vectors. A slot without a vector is never found.

    Slots are columns of blocks of one size. New vectors are put into their columns together, when next searched.
    """

    def __init__(self, dimension: int) -> None:
        self._dimension = dimension
        self._blocks: list[Vectors] = []
        self._norms = np.zeros(0, dtype=np.float64)
        self._new: dict[int, NDArray[np.float32]] = {}
        self._slots: Slots = np.zeros(0, dtype=np.intp)
        self._changed = False

    def set(self, slot: int, vector: NDArray[np.float32]) -> None:
        """Gives a slot its vector, which has to be finite and not all zero."""
        self._new[slot] = vector
        self._changed = True
        if len(self._new) >= _BLOCK:
            self._place()

    def remove(self, slot: int) -> None:
        """Takes a slot's vector away, where it has one."""
        self._new.pop(slot, None)
        if slot < len(self._norms):
            self._norms[slot] = 0.0
        self._changed = True

    def search(self, query: NDArray[np.float32]) -> tuple[Slots, Scores]:
        """All slots with a vector, ascending, and their cosines with the query's, which is not all zero."""
        if self._changed:
            self._place()
            self._slots = np.flatnonzero(self._norms)
            self._changed = False
        if not len(self._slots):
            return self._slots, np.zeros(0)
        blocks, rows = self._blocks, np.flatnonzero(query)
        if 2 * len(rows) < self._dimension:
            blocks, query = [block.take(rows, axis=0) for block in blocks], query[rows]
        # Not `@`, whose threads wait for one another on a busy machine: one order of summation on any number of cores.
        products = np.concatenate([np.einsum("j,ji->i", query, block) for block in blocks])
        return self._slots, products[self._slots] / (self._norms[self._slots] * _norms(query))

    def _place(self) -> None:
        if not self._new:
            return
        slots = np.fromiter(self._new, dtype=np.intp, count=len(self._new))
        vectors = np.stack(list(self._new.values()))
        self._new = {}
        number, column = np.divmod(slots, _BLOCK)
        while len(self._blocks) <= number.max():
            self._blocks.append(np.zeros((self._dimension, _BLOCK), dtype=np.float32))
            self._norms = np.concatenate([self._norms, np.zeros(_BLOCK)])
        for each in np.unique(number):
            here = number == each
            self._blocks[each][:, column[here]] = vectors[here].T
        self._norms[slots] = _norms(vectors)


def _norms(vectors: NDArray[np.float32]) -> NDArray[np.float64]:
    """The Euclidean lengths, in float64, of the vectors in the last axis."""
    wide = vectors.astype(np.float64)
    lengths: NDArray[np.float64] = np.sqrt(np.einsum("...j,...j->...", wide, wide))
    return lengths
