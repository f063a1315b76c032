"""Cosines by the definition, whatever the query's zeros and the history of the index."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from gate.stores.reference.dense import DenseIndex

Vector = NDArray[np.float32]


def vector(*numbers: float) -> Vector:
    return np.array(numbers, dtype=np.float32)


def cosines(index: DenseIndex, query: Vector) -> dict[int, float]:
    slots, scores = index.search(query)
    return dict(zip(slots.tolist(), scores.tolist(), strict=True))


def test_cosines_are_those_of_a_calculation_by_hand() -> None:
    index = DenseIndex(4)
    index.set(0, vector(3, 4, 0, 0))
    index.set(2, vector(0, 0, 0, 2))
    # One dimension of four is not zero, then all are.
    assert cosines(index, vector(0, 5, 0, 0)) == pytest.approx({0: 0.8, 2: 0.0}, abs=1e-15)
    assert cosines(index, vector(1, 1, 1, 1)) == pytest.approx({0: 0.7, 2: 0.5}, abs=1e-15)


def test_nothing_is_found_where_nothing_is_stored() -> None:
    index = DenseIndex(4)
    assert cosines(index, vector(1, 0, 0, 0)) == {}
    index.set(5, vector(1, 0, 0, 0))
    index.remove(5)
    assert cosines(index, vector(1, 0, 0, 0)) == {}


@pytest.mark.parametrize("searched", [True, False])
def test_a_slot_has_the_vector_that_it_was_given_last(searched: bool) -> None:
    index, query = DenseIndex(2), vector(1, 0)
    for slot in range(3):
        index.set(slot, vector(1, 0))
    if searched:
        index.search(query)
    index.remove(0)
    index.set(1, vector(0, 1))
    index.remove(2)
    index.set(2, vector(-1, 0))
    assert cosines(index, query) == {1: 0.0, 2: -1.0}


@pytest.mark.parametrize("zeros", [0.0, 0.9])
def test_many_blocks_are_searched_as_one(zeros: float) -> None:
    drawn = np.random.default_rng(7)
    vectors = drawn.integers(-3, 4, size=(5000, 32)).astype(np.float32)
    vectors[:, 0] = 1.0
    query = np.where(drawn.random(32) < zeros, 0, drawn.integers(1, 4, size=32)).astype(np.float32)
    query[0] = 1.0
    index = DenseIndex(32)
    for slot in (*range(4999, 2000, -1), *range(2001)):
        index.set(slot, vectors[slot])
    wide, asked = vectors.astype(np.float64), query.astype(np.float64)
    expected = wide @ asked / (np.linalg.norm(wide, axis=1) * np.linalg.norm(asked))
    slots, scores = index.search(query)
    assert slots.tolist() == list(range(5000))
    assert scores.tolist() == pytest.approx(expected.tolist(), abs=1e-12)
