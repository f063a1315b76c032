from gate.measures.all_r import AllR
from gate.records import JudgedRanking


def test_all_relevant_documents_have_to_stand_in_the_top_k() -> None:
    ranking = JudgedRanking(ranks=((1, 1), (2, 0), (4, 3)), relevant=(3, 1), retrieved=9)
    assert [AllR().score(ranking, k) for k in (1, 3, 4, 9)] == [0, 0, 1, 1]


def test_a_relevant_document_that_did_not_come_back_spoils_it() -> None:
    ranking = JudgedRanking(ranks=((1, 1),), relevant=(1, 1), retrieved=9)
    assert AllR().score(ranking, 10) == 0


def test_more_relevant_documents_than_k_give_0() -> None:
    ranking = JudgedRanking(ranks=((1, 1), (2, 1), (3, 1)), relevant=(1, 1, 1), retrieved=3)
    assert AllR().score(ranking, 2) == 0
