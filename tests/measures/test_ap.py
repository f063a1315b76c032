import pytest

from gate.measures.ap import AP
from gate.records import JudgedRanking


def test_average_precision_averages_the_precision_at_each_relevant_document() -> None:
    # Precision 1/1, 2/3 and 3/6 at the relevant ones; a fourth never came back and counts 0.
    ranking = JudgedRanking(ranks=((1, 1), (2, 0), (3, 2), (6, 1)), relevant=(2, 1, 1, 1), retrieved=10)
    assert AP().score(ranking, 100) == pytest.approx((1 + 2 / 3 + 3 / 6) / 4, abs=1e-15)


def test_average_precision_stops_at_the_cutoff() -> None:
    ranking = JudgedRanking(ranks=((1, 1), (6, 1)), relevant=(1, 1), retrieved=10)
    assert AP().score(ranking, 5) == 1 / 2
