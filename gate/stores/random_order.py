"""The control that ranks at random: what a measure gives to a store that knows nothing.

The order is seeded by the query. SplitMix64's mixing: Steele, Lea and Flood, "Fast Splittable
Pseudorandom Number Generators", OOPSLA 2014.
"""

from __future__ import annotations

from pathlib import Path
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from gate.protocols import Embedder, Reranker
from gate.records import SearchResult
from gate.stores.control import Control

_STEP = np.uint64(0x9E3779B97F4A7C15)
_FIRST = np.uint64(0xBF58476D1CE4E5B9)
_SECOND = np.uint64(0x94D049BB133111EB)


class RandomStore(Control):
    """Every stored document, in an order that depends on nothing but the query and the ids."""

    name = "random"

    def search(self, query: str, k: int, mode: str, scope: frozenset[str] = frozenset()) -> SearchResult:  # noqa: ARG002
        if not query.strip():
            return SearchResult(())
        doc_ids = sorted(self._scopes)
        seeds = np.array([crc32(doc_id.encode()) for doc_id in doc_ids], dtype=np.uint64)
        order = np.argsort(
            _mixed(seeds << np.uint64(32) | np.uint64(crc32(query.encode("utf-8", "replace")))), kind="stable"
        )
        return self.select((doc_ids[at] for at in order.tolist()), k, scope)


def _mixed(seeds: NDArray[np.uint64]) -> NDArray[np.uint64]:
    z = seeds * _STEP
    z = (z ^ (z >> np.uint64(30))) * _FIRST
    z = (z ^ (z >> np.uint64(27))) * _SECOND
    return z ^ (z >> np.uint64(31))


def open_store(path: Path, embedder: Embedder | None = None, reranker: Reranker | None = None) -> RandomStore:  # noqa: ARG001
    """Opens an empty one. Nothing is kept at `path`."""
    return RandomStore()
