"""The embedded store, which needs nothing but the gate: its factory."""

from __future__ import annotations

from pathlib import Path

from gate.protocols import Embedder, Reranker
from gate.stores.reference.store import ReferenceStore


def open_store(path: Path, embedder: Embedder | None = None, reranker: Reranker | None = None) -> ReferenceStore:
    """Opens the store in a folder, or makes it there. Raises StoreError where its file cannot be used."""
    return ReferenceStore(path, embedder, reranker)
