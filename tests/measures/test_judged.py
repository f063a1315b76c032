from gate.measures import judge, parse_measure, score_topics
from gate.measures.judged import Judged
from gate.records import JudgedRanking


def test_judged_counts_grade_0_as_a_judgement() -> None:
    ranking = JudgedRanking(ranks=((1, 0), (2, 1), (9, 1)), relevant=(1, 1), retrieved=20)
    assert Judged().score(ranking, 8) == 2 / 8


def test_judged_of_a_short_list_is_its_own_share() -> None:
    ranking = JudgedRanking(ranks=((1, 0), (2, 1)), relevant=(1,), retrieved=4)
    assert Judged().score(ranking, 10) == 2 / 4


def test_nothing_returned_is_not_well_judged() -> None:
    rankings = {"t": judge((), {"d": 1}, {}, 0, True)}
    assert score_topics(rankings, parse_measure("Judged@10")) == {"t": 0.0}
