"""What the lines of a finding use: to open a store as the gate does, and to see what it answers."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from gate.defects import parse_plant
from gate.models import arm as find_arm
from gate.models import open_parts
from gate.protocols import Embedder, OpenStore, Store, Vectors
from gate.records import SearchResult
from gate.stopwatch import now
from gate.stores import find_store


class Counted:
    """An embedder that counts the texts it is given, by kind."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self.name, self.dimension = embedder.name, embedder.dimension
        self.texts = {"document": 0, "query": 0}

    def embed(self, texts: Sequence[str], kind: str) -> Vectors:
        self.texts[kind] = self.texts.get(kind, 0) + len(texts)
        return self._embedder.embed(texts, kind)


def counted(arm: str = "cpu-hash") -> Counted:
    """The arm's embedder, counting."""
    embedder = open_parts(find_arm(arm)).embedder
    assert embedder is not None, arm
    return Counted(embedder)


def folder() -> Path:
    """A new empty folder."""
    return Path(tempfile.mkdtemp(prefix="gate-by-hand-"))


def opened(
    factory: OpenStore | str,
    path: Path | None = None,
    *,
    embedder: Embedder | None = None,
    arm: str = "cpu-hash",
    plant: str = "",
) -> Store:
    """A store, opened as the gate opens it, in a new folder unless one is given."""
    parts = open_parts(find_arm(arm))
    open_store = find_store(factory) if isinstance(factory, str) else factory
    embedder, reranker = embedder or parts.embedder, parts.reranker
    if not plant:
        return open_store(path or folder(), embedder, reranker)
    defect, dose = parse_plant(plant)
    embedder = defect.plant_embedder(embedder, dose) if embedder is not None else None
    reranker = defect.plant_reranker(reranker, dose) if reranker is not None else None
    return defect.plant(open_store(path or folder(), embedder, reranker), dose)


def ids(result: SearchResult) -> list[str]:
    """The ids of the hits, best first."""
    return [hit.doc_id for hit in result.hits]


def scores(result: SearchResult) -> list[float]:
    """The scores of the hits, best first."""
    return [float(hit.score) for hit in result.hits]


def raised(call: Callable[..., object], *arguments: object) -> str:
    """The type of what a call raises; empty where it raises nothing."""
    try:
        call(*arguments)
    except Exception as error:  # noqa: BLE001 - a store may raise anything
        return type(error).__name__
    return ""


def timed(call: Callable[..., object], *arguments: object) -> float:
    """The seconds that a call takes."""
    began = now()
    call(*arguments)
    return now() - began
