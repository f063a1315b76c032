"""How far scores move: of models that do not move, that move by a known amount, and that look at their neighbours."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from gate.models.jitter import DOCUMENTS, QUERIES, given
from gate.models.spec import CROSS_ENCODER, EMBEDDER
from gate.protocols import Vectors


class Lengths:
    """Scores by length, each moved by `step` a call."""

    def __init__(self, step: float = 0.0, batch: float = 0.0) -> None:
        self.step, self.batch, self.calls = step, batch, 0

    def score(self, query: str, texts: Sequence[str]) -> list[float]:
        self.calls += 1
        return [len(query) + len(text) + self.step * self.calls + self.batch * len(texts) for text in texts]


class Turning:
    """Vectors in a plane; those of documents are turned by `angle` more with each call."""

    def __init__(self, angle: float) -> None:
        self.angle, self.calls = angle, 0

    def embed(self, texts: Sequence[str], kind: str) -> Vectors:
        self.calls += 1
        turn = self.angle * self.calls if kind == "document" else 0.0
        return np.array([[3 * np.cos(turn), 3 * np.sin(turn)]] * len(texts), dtype=np.float32)


def test_what_does_not_move_is_the_same() -> None:
    model = Lengths()
    first, again = given(model, CROSS_ENCODER), given(model, CROSS_ENCODER)
    assert first.scores.shape == (len(QUERIES), len(DOCUMENTS))
    assert first.same(again)
    assert first.apart(again) == 0.0


def test_scores_that_move_are_apart_by_the_widest_of_them() -> None:
    model = Lengths(step=0.25)
    first, again = given(model, CROSS_ENCODER), given(model, CROSS_ENCODER)
    assert not first.same(again)
    assert first.apart(again) == len(QUERIES) * 0.25


def test_a_model_that_looks_at_its_neighbours_moves_when_texts_are_alone() -> None:
    model = Lengths(batch=0.5)
    apart = given(model, CROSS_ENCODER).apart(given(model, CROSS_ENCODER, alone=True))
    assert apart == 0.5 * (len(DOCUMENTS) - 1)


def test_vectors_are_apart_by_their_cosines() -> None:
    """The documents are turned by 60 degrees in the second call and by 120 in the fourth: cosines of 0.5 and -0.5."""
    model = Turning(np.pi / 6)
    first, again = given(model, EMBEDDER), given(model, EMBEDDER)
    assert first.scores == pytest.approx(np.full((len(QUERIES), len(DOCUMENTS)), 0.5))
    assert first.apart(again) == pytest.approx(1.0)
