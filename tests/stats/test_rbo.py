"""Rank-biased overlap, worked out by hand."""

from __future__ import annotations

import pytest

from gate.stats.rbo import rank_biased_overlap


def test_the_same_ranking_is_one_and_disjoint_ones_are_zero() -> None:
    assert rank_biased_overlap("abcd", "abcd") == pytest.approx(1.0)
    assert rank_biased_overlap("abcd", "efgh") == 0.0


def test_two_swapped_items_by_hand() -> None:
    # Agreement 0 at depth 1 and 1 at depth 2: (1 - p)/p * (0 + 1 * p^2) + 1 * p^2 = p(1 - p) + p^2 = p.
    assert rank_biased_overlap("ab", "ba", p=0.9) == pytest.approx(0.9)
    assert rank_biased_overlap("ab", "ba", p=0.5) == pytest.approx(0.5)


def test_a_shorter_ranking_is_extrapolated_by_hand() -> None:
    # a | a b, s = 1, n = 2, X1 = X2 = 1: (1-p)/p * (p + p^2/2 + 1*(2-1)/(1*2) * p^2) + ((1-1)/2 + 1) p^2 = 1.
    assert rank_biased_overlap("a", "ab", p=0.9) == pytest.approx(1.0)
    # b | a b: X1 = 0, X2 = 1: (1-p)/p * (1/2 p^2 + 0) + (1/2 + 0) p^2 = p/2 (1 - p) + p^2/2 = p/2.
    assert rank_biased_overlap("b", "ab", p=0.9) == pytest.approx(0.45)


def test_it_does_not_matter_which_is_first() -> None:
    assert rank_biased_overlap("abcx", "bad") == pytest.approx(rank_biased_overlap("bad", "abcx"))


def test_the_first_ranks_matter_most() -> None:
    same = "abcdefghij"
    assert rank_biased_overlap(same, "bacdefghij") < rank_biased_overlap(same, "abcdefghji")


def test_nothing_and_nothing_are_the_same_and_nothing_and_something_are_not() -> None:
    assert rank_biased_overlap("", "") == 1.0
    assert rank_biased_overlap("", "a") == 0.0


@pytest.mark.parametrize("p", [0.0, 1.0, -1.0, 2.0])
def test_a_persistence_outside_of_its_range_is_an_error(p: float) -> None:
    with pytest.raises(ValueError, match="between 0 and 1"):
        rank_biased_overlap("a", "a", p)
