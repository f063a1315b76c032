"""Calling an embedder or a reranker that may fail: a good answer, or None, and never an exception.

Nothing is remembered between calls, neither answers nor failures: the next call after a
failure is a new chance.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from gate.protocols import Embedder, Reranker

Vector = NDArray[np.float32]


def query_vector(embedder: Embedder, query: str) -> Vector | None:
    """The query's vector, or None where the embedder raises or answers with no finite, non-zero vector."""
    rows = _embed(embedder, [query], "query")
    return None if rows is None else rows[0]


def document_vectors(embedder: Embedder, texts: Sequence[str]) -> list[Vector | None]:
    """A vector or None a text. Where a whole batch fails, one text is tried alone, and the rest only if that works."""
    rows = _embed(embedder, texts, "document") if texts else []
    if rows is not None:
        return rows
    if len(texts) == 1:
        return [None]
    shortest = min(range(len(texts)), key=lambda at: (len(texts[at]), at))
    alone = _embed(embedder, [texts[shortest]], "document")
    if alone is None or alone[0] is None:
        return [None] * len(texts)
    single = [alone if at == shortest else _embed(embedder, [text], "document") for at, text in enumerate(texts)]
    return [None if rows is None else rows[0] for rows in single]


def relevance(reranker: Reranker, query: str, texts: Sequence[str]) -> list[float] | None:
    """One finite score a text, or None where the reranker raises, answers in another shape, or all alike.

    Equal scores for different texts order nothing: a reranker that does not work looks like that.
    """
    try:
        scores = np.asarray(reranker.score(query, texts), dtype=np.float64)
    except Exception:  # noqa: BLE001 - whatever a part raises, the search goes on without it
        return None
    if scores.shape != (len(texts),) or not np.isfinite(scores).all():
        return None
    if len(set(texts)) > 1 and (scores == scores[0]).all():
        return None
    return [float(score) for score in scores]


def _embed(embedder: Embedder, texts: Sequence[str], kind: str) -> list[Vector | None] | None:
    """The rows, None for each that is not finite or all zero; None where there is no row for each text."""
    try:
        rows = np.asarray(embedder.embed(texts, kind))
        if rows.dtype.kind not in "fiu":
            return None
        with np.errstate(over="ignore"):
            rows = rows.astype(np.float32)
    except Exception:  # noqa: BLE001 - whatever a part raises, the search goes on without it
        return None
    if rows.shape != (len(texts), embedder.dimension):
        return None
    good = np.logical_and(np.isfinite(rows).all(axis=1), rows.any(axis=1))
    return [row if fine else None for row, fine in zip(rows, good, strict=True)]
