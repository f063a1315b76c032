from gate.measures.p import P
from gate.records import JudgedRanking


def test_precision_counts_relevant_documents_of_the_top_k() -> None:
    # Relevant at 1 and 4, judged not relevant at 2, relevant at 6 below the cutoff: 2 of 5.
    ranking = JudgedRanking(ranks=((1, 3), (2, 0), (4, 1), (6, 1)), relevant=(3, 1, 1), retrieved=8)
    assert P().score(ranking, 5) == 2 / 5


def test_precision_divides_by_k_when_fewer_came_back() -> None:
    ranking = JudgedRanking(ranks=((1, 1), (2, 1)), relevant=(1, 1), retrieved=2)
    assert P().score(ranking, 10) == 2 / 10
