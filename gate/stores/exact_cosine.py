"""The control that compares every vector: the ceiling of any vector mode over the same embedder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from gate.errors import UsageError
from gate.protocols import Embedder, Reranker
from gate.records import Document, SearchResult
from gate.stores.control import Control


class ExactCosineStore(Control):
    """Brute force in float64; equal cosines (to 1e-9) in the order of ids.

    The ability `embedder` is not declared: a ceiling is not a store whose parts may fail.
    """

    name = "exact-cosine"
    modes = frozenset({"vector"})

    def __init__(self, embedder: Embedder) -> None:
        super().__init__()
        self._embedder = embedder
        self._vectors: dict[str, NDArray[np.float64]] = {}
        self._matrix: tuple[list[str], NDArray[np.float64], NDArray[np.float64]] | None = None

    def environment(self) -> Mapping[str, str]:
        return {"control": self.name, "embedder": self._embedder.name, "numpy": np.__version__}

    def add(self, documents: Sequence[Document]) -> None:
        super().add(documents)
        vectors = self._embedder.embed([document.index_text or document.text for document in documents], "document")
        for document, vector in zip(documents, vectors, strict=True):
            self._vectors[document.doc_id] = np.asarray(vector, dtype=np.float64)
        self._matrix = None

    def delete(self, doc_id: str) -> None:
        super().delete(doc_id)
        self._vectors.pop(doc_id, None)
        self._matrix = None

    def search(self, query: str, k: int, mode: str, scope: frozenset[str] = frozenset()) -> SearchResult:  # noqa: ARG002
        asked = np.asarray(self._embedder.embed([query], "query"), dtype=np.float64)[0]
        if not self._vectors or not asked.any():
            return SearchResult(())
        if self._matrix is None:
            doc_ids = sorted(doc_id for doc_id, vector in self._vectors.items() if vector.any())
            matrix = np.array([self._vectors[doc_id] for doc_id in doc_ids])
            self._matrix = doc_ids, matrix, np.sqrt((matrix * matrix).sum(axis=1))
        doc_ids, matrix, lengths = self._matrix
        cosines = np.round(np.einsum("ij,j->i", matrix, asked) / (lengths * np.sqrt((asked * asked).sum())), 9)
        return self.select((doc_ids[at] for at in np.argsort(-cosines, kind="stable").tolist()), k, scope)


def open_store(path: Path, embedder: Embedder | None = None, reranker: Reranker | None = None) -> ExactCosineStore:  # noqa: ARG001
    """Opens an empty one. Nothing is kept at `path`. Raises UsageError without an embedder."""
    if embedder is None:
        raise UsageError(
            "embedder-missing",
            "the store 'exact-cosine' is nothing without an embedder",
            hint="Name an arm that has one.",
        )
    return ExactCosineStore(embedder)
