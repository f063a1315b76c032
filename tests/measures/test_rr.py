from gate.measures.rr import RR
from gate.records import JudgedRanking


def test_reciprocal_rank_is_that_of_the_first_relevant_document() -> None:
    ranking = JudgedRanking(ranks=((1, 0), (4, 1), (5, 3)), relevant=(3, 1), retrieved=9)
    assert RR().score(ranking, 10) == 1 / 4


def test_reciprocal_rank_is_0_below_the_cutoff() -> None:
    ranking = JudgedRanking(ranks=((4, 1),), relevant=(1,), retrieved=9)
    assert RR().score(ranking, 3) == 0
    assert RR().score(ranking, 4) == 1 / 4


def test_reciprocal_rank_without_a_cutoff_looks_at_the_whole_ranking() -> None:
    ranking = JudgedRanking(ranks=((200, 1),), relevant=(1,), retrieved=500)
    assert RR().score(ranking, 0) == 1 / 200
