"""How far the scores of a model move when nothing about what is asked has changed.

Kernels add in another order with other threads, another batch or another moment, and two texts of
nearly the same score may then change places. What is measured here is how near is nearly.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gate.models.spec import EMBEDDER

QUERIES: Sequence[str] = (
    "When does the ferry to the island leave in winter?",
    "Which database did we choose for the queue?",
    "Who looks after the greenhouse in August?",
    "冬天开往岛上的渡轮几点出发？",
)
DOCUMENTS: Sequence[str] = (
    "In winter the ferry leaves at seven and at half past four, and not at all on Sundays.",
    "Boats.",
    (
        "The queue moved to PostgreSQL in March, after two weeks of tests with copies of the real traffic; the old"
        " broker was kept for a month, in case something had been overlooked, and was then switched off for good."
    ),
    "Marta waters the greenhouse while everybody else is away.",
    "The second key of the boathouse is in the tin behind the paint.",
    "We agreed that the weekly report is due on Thursday at noon.",
    "冬季渡轮早上七点和下午四点半出发，星期天停航。",
    "Die Fähre fährt im Winter nur zweimal am Tag.",
    "def leave(at: int) -> bool: return at in (7, 16)",
    "The dentist can see us on the ninth, if the train is on time.",
    "Nobody has answered the letter about the roof yet.",
    "In August the tomatoes need water twice a day, early and late, and the door has to stay open until sunset.",
)


@dataclass(frozen=True, slots=True)
class Given:
    """What a model gave: `values` as they came, and `scores` [queries, documents], by which it ranks."""

    values: NDArray[np.float64]
    scores: NDArray[np.float64]

    def same(self, other: Given) -> bool:
        """Whether every number is the same."""
        return bool(np.array_equal(self.values, other.values))

    def apart(self, other: Given) -> float:
        """The widest distance between two scores of the same query and document."""
        return float(np.abs(self.scores - other.scores).max())


def given(model: Any, kind: str, *, alone: bool = False, few: bool = False) -> Given:
    """What a model of a kind gives for our texts, or a `few`, all at once or each `alone`. Raises NotMeasured."""
    asked, stored = (QUERIES[:2], DOCUMENTS[:4]) if few else (QUERIES, DOCUMENTS)
    if kind == EMBEDDER:
        queries, documents = (
            _embedded(model, texts, side, alone) for texts, side in ((asked, "query"), (stored, "document"))
        )
        return Given(np.concatenate([queries.ravel(), documents.ravel()]), _cosines(queries, documents))
    groups = [[text] for text in stored] if alone else [list(stored)]
    scores = np.array([[score for group in groups for score in model.score(query, group)] for query in asked])
    return Given(scores.ravel(), scores)


def moved(model: Any, kind: str) -> float:
    """The widest that a score of a few texts moves between one batch, the same again, and each text alone."""
    first = given(model, kind, few=True)
    return max(first.apart(given(model, kind, few=True, alone=alone)) for alone in (False, True))


def _embedded(model: Any, texts: Sequence[str], side: str, alone: bool) -> NDArray[np.float64]:
    groups = [[text] for text in texts] if alone else [list(texts)]
    return np.concatenate([np.asarray(model.embed(group, side), dtype=np.float64) for group in groups])


def _cosines(queries: NDArray[np.float64], documents: NDArray[np.float64]) -> NDArray[np.float64]:
    found: NDArray[np.float64] = np.einsum("qd,td->qt", _directions(queries), _directions(documents))
    return found


def _directions(vectors: NDArray[np.float64]) -> NDArray[np.float64]:
    made: NDArray[np.float64] = vectors / np.maximum(np.sqrt((vectors * vectors).sum(axis=1, keepdims=True)), 1e-12)
    return made
