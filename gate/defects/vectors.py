"""Defects of vectors: how they are made, and how they are compared.

Those of the embedder keep its name and dimension: the store is told nothing of the change.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from gate.defects.boundary import Boundary
from gate.defects.defect import Defect
from gate.defects.dose import touched
from gate.protocols import Embedder, Store, Vectors
from gate.records import Document, ScoredDoc, SearchResult

PREFIX = "Represent this question for retrieving the passages that answer it: "
KEPT = 8  # one dimension in so many is kept
POOL = 200  # hits that are put in order again
_BY_VECTOR = frozenset({"vector", "hybrid", "rerank"})


class _Altered:
    """An embedder that alters the vectors of the texts that it touches."""

    def __init__(self, embedder: Embedder, dose: float) -> None:
        self.name = embedder.name
        self.dimension = embedder.dimension
        self._embedder = embedder
        self._dose = dose

    def embed(self, texts: Sequence[str], kind: str) -> Vectors:
        vectors = self._embedder.embed(texts, kind)
        rows = np.array([self.touches(text, kind) for text in texts], dtype=bool)
        if not rows.any():
            return vectors
        altered = np.array(vectors, dtype=np.float32)
        altered[rows] = self.alter(altered[rows])
        return altered

    def touches(self, text: str, kind: str) -> bool:  # noqa: ARG002 - overridden
        return touched(text, self._dose)

    def alter(self, vectors: Vectors) -> Vectors:
        return vectors


class _Saturated(_Altered):
    """Every component is at its limit: 0 below zero, else 1."""

    def alter(self, vectors: Vectors) -> Vectors:
        return np.array(vectors >= 0, dtype=np.float32)


class _DimensionsCut(_Altered):
    """All but the first eighth of the dimensions are zero. A vector that would vanish keeps its largest component."""

    def alter(self, vectors: Vectors) -> Vectors:
        cut = vectors.copy()
        cut[:, max(1, self.dimension // KEPT) :] = 0.0
        gone = np.flatnonzero(~cut.any(axis=1))
        largest = np.abs(vectors[gone]).argmax(axis=1)
        cut[gone, largest] = vectors[gone, largest]
        return cut


class _MixedModels(_Altered):
    """Half of the documents are embedded by another model: one that has its dimensions in another order."""

    def touches(self, text: str, kind: str) -> bool:
        return kind == "document" and touched(text, self._dose / 2)

    def alter(self, vectors: Vectors) -> Vectors:
        return -np.roll(vectors, self.dimension // 2, axis=1)


class _PrefixOneSide:
    """Queries are embedded behind an instruction, documents are not."""

    def __init__(self, embedder: Embedder, dose: float) -> None:
        self.name = embedder.name
        self.dimension = embedder.dimension
        self._embedder = embedder
        self._dose = dose

    def embed(self, texts: Sequence[str], kind: str) -> Vectors:
        if kind == "query":
            texts = [PREFIX + text if touched(text, self._dose) else text for text in texts]
        return self._embedder.embed(texts, kind)


class _NotNormalised(Boundary):
    """Scores grow with the length of a document's vector, which grows with the root of its text's."""

    def __init__(self, store: Store, dose: float) -> None:
        super().__init__(store, dose)
        self._lengths: dict[str, float] = {}

    def add(self, documents: Sequence[Document]) -> None:
        for document in documents:
            self._lengths[document.doc_id] = self._length(document)
        super().add(documents)

    def replace(self, document: Document) -> None:
        self._lengths[document.doc_id] = self._length(document)
        super().replace(document)

    def search(self, query: str, k: int, mode: str, scope: frozenset[str] = frozenset()) -> SearchResult:
        if mode not in _BY_VECTOR:
            return super().search(query, k, mode, scope)
        result = self.behind(query, max(k, POOL), mode, scope)
        hits = tuple(result.hits)
        lowest = min((hit.score for hit in hits), default=0.0)
        # From the lowest: a negative score would shrink as it is made longer.
        longer = [ScoredDoc(hit.doc_id, (hit.score - lowest) * self._lengths.get(hit.doc_id, 1.0)) for hit in hits]
        longer.sort(key=lambda hit: -hit.score)
        return replace(result, hits=tuple(longer[:k]))

    def _length(self, document: Document) -> float:
        if not self.touches(document.doc_id):
            return 1.0
        return math.sqrt(max(1, len(document.index_text or document.text)))


VECTOR_DEFECTS = (
    Defect(
        "not-normalised",
        "vectors",
        "dot products of vectors that are not of one length, taken for cosines: long documents come first",
        _NotNormalised,
        modes=_BY_VECTOR,
    ),
    Defect(
        "prefix-one-side",
        "vectors",
        "a model's instruction put before queries only, where both sides or none should have one",
        in_embedder=_PrefixOneSide,
        modes=_BY_VECTOR,
        needs=frozenset({"embedder"}),
    ),
    Defect(
        "saturated",
        "vectors",
        "a wrong scale or zero point in quantisation: every component is at its lower or upper limit",
        in_embedder=_Saturated,
        modes=_BY_VECTOR,
        needs=frozenset({"embedder"}),
    ),
    Defect(
        "mixed-models",
        "vectors",
        "a model changed without embedding again what was stored before: two spaces in one index",
        in_embedder=_MixedModels,
        modes=_BY_VECTOR,
        needs=frozenset({"embedder"}),
    ),
    Defect(
        "dimensions-cut",
        "vectors",
        "vectors cut to fit a narrower column, of a model that was not trained to be cut",
        in_embedder=_DimensionsCut,
        modes=_BY_VECTOR,
        needs=frozenset({"embedder"}),
    ),
)
