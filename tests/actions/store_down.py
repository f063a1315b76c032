"""A store that cannot be opened, for the workflow that shows what the gate says of one."""

from __future__ import annotations

from pathlib import Path


def open_store(path: Path, embedder: object = None, reranker: object = None) -> None:
    """Never opens."""
    raise ConnectionError("the index is down")
