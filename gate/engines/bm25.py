"""BM25 as bm25s computes it (Lù, "BM25S: Orders of magnitude faster lexical search", 2024), over tokens given to it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gate.engines.engine import Engine
from gate.engines.tokens import Tokens
from gate.records import Document, Topic

K1, B = 1.2, 0.75  # Lucene's
_REPEATS = 0.5  # the least overlap (Jaccard) of tokens with which a hit repeats an earlier one
_WINDOW = 60  # hits among which repeats are looked for
_DIGITS = 4  # scores are single precision; what is equal to this many decimals is equal


class Index:
    """Documents as tokens, in memory. Raises ImportError without bm25s, or without what the tokens need.

    Engines of the same `tokens` and `pieces` share one.
    """

    def __init__(self, engine: Engine, documents: Sequence[Document]) -> None:
        import bm25s

        self._documents = documents
        listed: list[list[str]] = []
        owners: list[int] = []
        for number, document in enumerate(documents):
            for piece in engine.pieces(document):
                listed.append(engine.tokens(piece))
                owners.append(number)
        self._owners = np.array(owners, dtype=np.int64)
        self._known = {token for tokens in listed for token in tokens}
        self._bm25: Any = bm25s.BM25(k1=K1, b=B)
        if self._known:
            self._bm25.index(listed, show_progress=False)

    def search(self, engine: Engine, topic: Topic, k: int) -> list[str]:
        """The ids of at most `k` documents that share a token with the question, best first.

        Of equal ones the earlier in the stream of documents, whose order tells nothing.
        """
        scores = self._scores(engine.asks or engine.tokens, topic.text)
        if engine.scoped and topic.scope:
            hidden = [number for number, document in enumerate(self._documents) if not document.scope <= topic.scope]
            scores[hidden] = 0
        best = self._without_repeats(engine, _best(scores, _WINDOW))[:k] if engine.distinct else _best(scores, k)
        return [self._documents[number].doc_id for number in best]

    def _scores(self, tokens: Tokens, question: str) -> NDArray[np.float64]:
        asked = [token for token in tokens(question) if token in self._known]
        scores = np.zeros(len(self._documents))
        if asked:
            found = np.round(np.asarray(self._bm25.get_scores(asked), dtype=np.float64), _DIGITS)
            np.maximum.at(scores, self._owners, found)
        return scores

    def _without_repeats(self, engine: Engine, numbers: Sequence[int]) -> list[int]:
        kept: list[tuple[int, set[str]]] = []
        for number in numbers:
            own = {token for piece in engine.pieces(self._documents[number]) for token in engine.tokens(piece)}
            if all(len(own & other) < _REPEATS * len(own | other) for _, other in kept):
                kept.append((number, own))
        return [number for number, _ in kept]


def _best(scores: NDArray[np.float64], k: int) -> list[int]:
    """The places of the `k` highest scores above 0, highest first, the earlier one first where two are equal."""
    found = np.flatnonzero(scores)
    if len(found) > k:
        least = np.partition(scores[found], len(found) - k)[len(found) - k]
        found = found[scores[found] >= least]
    return [int(number) for number in found[np.argsort(-scores[found], kind="stable")][:k]]
