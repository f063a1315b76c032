"""An embedder and a reranker that may fail: a good answer, or None, and never an exception.

Nothing is remembered between calls, neither answers nor failures: the next call after a
failure is a new chance.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import isclose

import numpy as np
from numpy.typing import NDArray

from gate.protocols import Embedder, Reranker
from gate.stores.reference.worker import Worker

Vector = NDArray[np.float32]

# Seconds that a search waits for its vector, and for the scores of its hits. Each document may take as long as a query.
PATIENCE = 0.5
RERANKING_PATIENCE = 1.0
# A short text of plain words: whatever an embedder makes of it, it makes again.
CANARY = "a canary in a coal mine"
# How far the canary's vector may be from what it was, as a share of its length: more than what a model's
# batches differ by, and far less than the distance to any other text.
TOLERANCE = 1e-3


class QueryEmbedder:
    """The embedder as a store calls it. With each query goes a text whose vector is known, the canary.

    Vectors of the right shape may still be those of another model, or all the same: then the
    canary's is not what it was when the first documents' vectors were made. `keep` is given it then; before
    there is nothing that a query's vector could be held against, nor any vector to search.
    """

    def __init__(self, embedder: Embedder, canary: Vector | None, keep: Callable[[Vector], None]) -> None:
        self._embedder, self._canary, self._keep = embedder, canary, keep
        self._worker = Worker("reference-embedder")

    def query(self, query: str) -> Vector | None:
        """The query's vector, or None where the embedder fails, is late, or is not the one that it was."""
        rows = self._embed([query, CANARY], "query")
        if rows is None or not self._is_known(rows[1]):
            return None
        return rows[0]

    def documents(self, texts: Sequence[str]) -> list[Vector | None]:
        """A vector or None a text. Where a batch fails, one text is tried alone, and the rest only if that works."""
        if not texts or not self._well():
            return [None] * len(texts)
        rows = self._embed(texts, "document")
        if rows is not None:
            return rows
        if len(texts) == 1:
            return [None]
        shortest = min(range(len(texts)), key=lambda at: (len(texts[at]), at))
        alone = self._embed([texts[shortest]], "document")
        if alone is None or alone[0] is None:
            return [None] * len(texts)
        single = [alone if at == shortest else self._embed([text], "document") for at, text in enumerate(texts)]
        return [None if rows is None else rows[0] for rows in single]

    def close(self) -> None:
        self._worker.close()

    def _well(self) -> bool:
        """Whether the embedder works, and is the one that it was. What it is at first is kept."""
        rows = self._embed([CANARY], "query")
        if rows is None or rows[0] is None:
            return False
        if self._canary is None:
            self._canary = rows[0]
            self._keep(rows[0])
        return self._is_known(rows[0])

    def _is_known(self, vector: Vector | None) -> bool:
        """Whether a vector of the canary is what it was, as far as that is known."""
        if vector is None or self._canary is None:
            return vector is not None
        off = vector - self._canary
        return bool(off @ off <= TOLERANCE**2 * (self._canary @ self._canary))

    def _embed(self, texts: Sequence[str], kind: str) -> list[Vector | None] | None:
        """The rows, None for each that is not finite or all zero; None where there is no row for each text."""
        patience = PATIENCE * (len(texts) if kind == "document" else 1)
        try:
            rows = np.asarray(self._worker.call(lambda: self._embedder.embed(texts, kind), patience))
            if rows.dtype.kind not in "fiu":
                return None
            with np.errstate(over="ignore"):
                rows = rows.astype(np.float32)
        except Exception:  # noqa: BLE001 - whatever a part raises, the search goes on without it
            return None
        if rows.shape != (len(texts), self._embedder.dimension):
            return None
        good = np.logical_and(np.isfinite(rows).all(axis=1), rows.any(axis=1))
        return [row if fine else None for row, fine in zip(rows, good, strict=True)]


class HitReranker:
    """The reranker as a store calls it. Among the texts stand two of them twice.

    A text has one score wherever it stands. Scores that came in another order than the texts, or
    that only count them, give two to the same one.
    """

    def __init__(self, reranker: Reranker) -> None:
        self._reranker = reranker
        self._worker = Worker("reference-reranker")

    def relevance(self, query: str, texts: Sequence[str]) -> list[float] | None:
        """One finite score a text, or None where the reranker fails, is late, or its scores order nothing.

        Equal scores for different texts order nothing: a reranker that does not work looks like that.
        """
        order = _two_twice(len(texts))
        asked = [texts[at] for at in order]
        try:
            scores = np.asarray(self._call(query, asked), dtype=np.float64)
        except Exception:  # noqa: BLE001 - whatever a part raises, the search goes on without it
            return None
        if scores.shape != (len(asked),) or not np.isfinite(scores).all():
            return None
        if len(set(texts)) > 1 and (scores == scores[0]).all():
            return None
        found: dict[int, float] = {}
        for at, score in zip(order, scores.tolist(), strict=True):
            if not isclose(found.setdefault(at, score), score, rel_tol=TOLERANCE, abs_tol=1e-6):
                return None
        return [found[at] for at in range(len(texts))]

    def close(self) -> None:
        self._worker.close()

    def _call(self, query: str, texts: Sequence[str]) -> Sequence[float]:
        return self._worker.call(lambda: self._reranker.score(query, texts), RERANKING_PATIENCE)


def _two_twice(many: int) -> list[int]:
    """The places of texts in the order in which they are scored: the first and the last stand there twice.

    Whatever of reversing, sorting or turning the scores gives both of one text the same again leaves all
    scores alike or in their places: no two pairs mirror each other, and none lies side by side.
    """
    if many < 3:
        return [0, 0, 1] if many == 2 else list(range(many))
    return [0, 1, many - 1, *range(2, many - 1), 0, many - 1]
