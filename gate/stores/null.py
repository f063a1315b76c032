"""The control that finds nothing: the floor of every measure."""

from __future__ import annotations

from pathlib import Path

from gate.protocols import Embedder, Reranker
from gate.records import SearchResult
from gate.stores.control import Control


class NullStore(Control):
    """Stores, and finds nothing."""

    name = "null"

    def search(self, query: str, k: int, mode: str, scope: frozenset[str] = frozenset()) -> SearchResult:  # noqa: ARG002
        return SearchResult(())


def open_store(path: Path, embedder: Embedder | None = None, reranker: Reranker | None = None) -> NullStore:  # noqa: ARG001
    """Opens an empty one. Nothing is kept at `path`."""
    return NullStore()
