"""What a driver's author reads: the shapes that a store, an embedder and a reranker have.

A store is opened by a factory `open_store(path, embedder=None, reranker=None)`, where `path`
is an empty folder of its own. Errors of any type may be raised; the gate reports them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from gate.records import Document, SearchResult

Vectors = NDArray[np.float32]


class Embedder(Protocol):
    """Texts to vectors.

    `name` identifies the model and everything that changes its vectors. `embed` returns one
    row of `dimension` float32 a text, in order; `kind` is `query` or `document`, for models
    that prefix them differently. Rows need not be normalised.
    """

    name: str
    dimension: int

    def embed(self, texts: Sequence[str], kind: str) -> Vectors: ...


class Reranker(Protocol):
    """A query and texts to scores: one float a text, in order, higher is better."""

    name: str

    def score(self, query: str, texts: Sequence[str]) -> Sequence[float]: ...


class Store(Protocol):
    """The thing under test.

    `modes` is a subset of keyword, vector, hybrid, rerank, facts; `abilities` of update,
    delete, supersede, scope, reopen, evidence, embedder, reranker. A method that belongs to an
    ability is called only when the ability is declared (see `Updates` and its neighbours).
    Searching must have no side effects on later searches.
    """

    name: str
    modes: frozenset[str]
    abilities: frozenset[str]

    def environment(self) -> Mapping[str, str]:
        """The LIVE device, model and versions: what really runs, not what was asked for."""
        ...

    def add(self, documents: Sequence[Document]) -> None:
        """Store a batch. What was added is searchable when the call returns."""
        ...

    def count(self) -> int:
        """The number of documents stored and not deleted."""
        ...

    def search(self, query: str, k: int, mode: str, scope: frozenset[str] = frozenset()) -> SearchResult:
        """At most `k` hits, best first. With a `scope`, only documents whose scope is a subset of it."""
        ...

    def close(self) -> None: ...


@runtime_checkable
class Updates(Protocol):
    """Ability `update`: replace a document's text and metadata, in every mode at once."""

    def update(self, document: Document) -> None: ...


@runtime_checkable
class Deletes(Protocol):
    """Ability `delete`: the document is gone from every mode when the call returns."""

    def delete(self, doc_id: str) -> None: ...


@runtime_checkable
class Supersedes(Protocol):
    """Ability `supersede`: searches that would find `old_id` find `new_id` and never `old_id`."""

    def supersede(self, old_id: str, new_id: str) -> None: ...


@runtime_checkable
class KnowsLabels(Protocol):
    """A control that is told the answers, to bracket the measures: `answers[query]` are ids, best first."""

    def reveal(self, answers: Mapping[str, Sequence[str]]) -> None: ...


@runtime_checkable
class Truncates(Protocol):
    """A model that knows how many of the documents it was given were too long for it, and cut."""

    @property
    def truncated(self) -> int: ...


class OpenStore(Protocol):
    """The factory of a store. `path` is an empty folder, or one of the store's own when it is reopened."""

    def __call__(self, path: Path, embedder: Embedder | None = None, reranker: Reranker | None = None) -> Store: ...
