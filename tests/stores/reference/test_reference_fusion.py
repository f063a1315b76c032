"""Fusion of scores, by hand: 0.7 of the first side and 0.3 of the second, each as a share of its best."""

from __future__ import annotations

import numpy as np
import pytest

from gate.stores.reference.fusion import DEPTH, fuse
from gate.stores.reference.ranking import Scores, Slots


def side(**scores: float) -> tuple[Slots, Scores]:
    return np.array([int(name[1:]) for name in scores], dtype=np.intp), np.array(list(scores.values()))


def fused(first: tuple[Slots, Scores], second: tuple[Slots, Scores], k: int = 10) -> dict[int, float]:
    slots, scores = fuse(first, second, k)
    assert len(set(slots.tolist())) == len(slots)
    return dict(zip(slots.tolist(), scores.tolist(), strict=True))


def test_scores_are_sums_of_weighted_shares_of_the_best() -> None:
    got = fused(side(d1=8.0, d2=6.0), side(d2=0.8, d3=0.4), k=3)
    assert got == pytest.approx({1: 0.7, 2: 0.7 * 6 / 8 + 0.3, 3: 0.3 * 4 / 8})


def test_equal_scores_of_one_side_are_decided_by_the_other() -> None:
    got = fused(side(d1=5.0, d2=5.0, d3=1.0), side(d2=0.9, d1=0.8, d3=0.7), k=3)
    assert sorted(got, key=got.__getitem__, reverse=True) == [2, 1, 3]


def test_a_side_whose_scores_are_none_above_0_says_nothing() -> None:
    got = fused(side(d1=5.0), side(d2=0.0, d3=-0.5), k=3)
    assert got == pytest.approx({1: 0.7, 2: 0.0, 3: 0.0})


def test_one_empty_side_leaves_the_order_of_the_other() -> None:
    nothing = (np.zeros(0, dtype=np.intp), np.zeros(0))
    got = fused(nothing, side(d4=0.3, d5=0.2))
    assert sorted(got, key=got.__getitem__, reverse=True) == [4, 5]
    assert fused(nothing, nothing) == {}


def test_a_longer_result_starts_like_a_shorter_one_and_reaches_all() -> None:
    n = 3 * DEPTH
    words = np.arange(n, dtype=np.intp), np.linspace(9, 1, n)
    vectors = np.arange(n, 2 * n, dtype=np.intp), np.linspace(0.9, 0.1, n)
    short, full = fused(words, vectors, 10), fused(words, vectors, 2 * n)
    assert len(full) == 2 * n
    assert {slot: full[slot] for slot in short} == short
    late = sorted((slot for slot in full if slot not in short), key=lambda slot: -full[slot])
    assert max(full[slot] for slot in late) < min(short.values())
    # First the rest of the second side in its order, then that of the first.
    assert late == [*range(n + DEPTH, 2 * n), *range(DEPTH, n)]
