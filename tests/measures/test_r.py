from gate.measures.r import R
from gate.records import JudgedRanking


def test_recall_divides_by_all_relevant_documents() -> None:
    # Two of four relevant ones stand in the top 5; a third stands at 6, the fourth did not come back.
    ranking = JudgedRanking(ranks=((1, 3), (2, 0), (5, 1), (6, 1)), relevant=(3, 2, 1, 1), retrieved=8)
    assert R().score(ranking, 5) == 2 / 4
    assert R().score(ranking, 6) == 3 / 4
