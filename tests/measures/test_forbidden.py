from gate.measures import judge, parse_measure, score_topics
from gate.measures.forbidden import Forbidden
from gate.records import JudgedRanking


def test_one_forbidden_document_in_the_top_k_is_a_leak() -> None:
    ranking = JudgedRanking(ranks=((3, 0), (7, 0)), relevant=(1,), forbidden=(3, 7), has_forbidden=True, retrieved=9)
    assert [Forbidden().score(ranking, k) for k in (2, 3, 10)] == [0, 1, 1]


def test_forbidden_is_the_share_of_leaking_topics_among_those_with_forbidden_documents() -> None:
    rankings = {
        "leaks": judge(("old", "new"), {"new": 1, "old": 0}, {"old": "superseded"}, 0, False),
        "keeps": judge(("new",), {"new": 1, "old": 0}, {"old": "superseded"}, 0, False),
        "silent": judge((), {"new": 1, "old": 0}, {"old": "superseded"}, 0, True),
        "nothing to keep": judge(("new",), {"new": 1}, {}, 0, False),
    }
    assert score_topics(rankings, parse_measure("Forbidden@10")) == {"leaks": 1.0, "keeps": 0.0, "silent": 0.0}


def test_forbidden_counts_for_a_topic_without_relevant_documents() -> None:
    rankings = {"t": judge(("deleted",), {"deleted": 0}, {"deleted": "deleted"}, 0, False)}
    assert score_topics(rankings, parse_measure("Forbidden@1")) == {"t": 1.0}
    assert score_topics(rankings, parse_measure("R@1")) == {}
