from gate.measures.hit import Hit
from gate.records import JudgedRanking


def test_hit_needs_one_relevant_document_in_the_top_k() -> None:
    ranking = JudgedRanking(ranks=((1, 0), (3, 1)), relevant=(1, 1), retrieved=9)
    assert [Hit().score(ranking, k) for k in (1, 2, 3, 9)] == [0, 0, 1, 1]
