from math import log2

import pytest

from gate.measures.ndcg import NDCG, discount
from gate.records import JudgedRanking


def test_ndcg_discounts_grades_and_divides_by_the_best_order() -> None:
    # log2 of 2, 4 and 8 are whole, so that the sum can be made by hand:
    # ranks 1 and 3 hold grades 1 and 3: 1/1 + 3/2 = 2.5; best: 3/1 + 2/log2(3) + 1/2.
    ranking = JudgedRanking(ranks=((1, 1), (2, 0), (3, 3)), relevant=(3, 2, 1), retrieved=5)
    assert NDCG().score(ranking, 3) == pytest.approx(2.5 / (3.5 + 2 / log2(3)), abs=1e-15)


def test_ndcg_of_the_best_order_is_exactly_1() -> None:
    ranking = JudgedRanking(ranks=((1, 3), (2, 3), (3, 2), (4, 1)), relevant=(3, 3, 2, 1), retrieved=4)
    assert NDCG().score(ranking, 10) == 1.0


def test_ndcg_compares_with_the_best_that_fits_into_k() -> None:
    ranking = JudgedRanking(ranks=((1, 1),), relevant=(1, 1, 1), retrieved=4)
    assert NDCG().score(ranking, 1) == 1.0


def test_discounts_are_within_one_unit_in_the_last_place_of_the_machines_own() -> None:
    for rank in range(1, 1001):
        assert discount(rank) == pytest.approx(1 / log2(rank + 1), rel=4e-16)
