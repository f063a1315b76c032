import pytest

from gate.measures import MEASURES, judge, parse_measure, score_topics


def test_coverage_is_what_the_store_said_of_answerable_and_unanswerable_topics_alike() -> None:
    rankings = {
        "answered": judge(("a",), {"a": 1}, {}, 0, False, 0.75),
        "unanswerable": judge(("a",), {}, {}, 0, True, 0.25),
        "covers nothing": judge(("a",), {"a": 1}, {}, 0, False, 0.0),
    }
    assert score_topics(rankings, parse_measure("Coverage")) == {
        "answered": 0.75,
        "unanswerable": 0.25,
        "covers nothing": 0.0,
    }


def test_a_topic_without_evidence_has_no_coverage_and_is_not_0() -> None:
    rankings = {
        "silent": judge(("a",), {"a": 1}, {}, 0, False),
        "told": judge(("a",), {"a": 1}, {}, 0, False, 0.5),
    }
    assert score_topics(rankings, parse_measure("Coverage")) == {"told": 0.5}
    with pytest.raises(ValueError, match="without evidence"):
        MEASURES["Coverage"].score(rankings["silent"], 0)


def test_no_hits_cover_nothing_whatever_the_store_says() -> None:
    rankings = {"says so": judge((), {"a": 1}, {}, 0, True, 0.9), "silent": judge((), {}, {}, 0, True)}
    assert score_topics(rankings, parse_measure("Coverage")) == {"says so": 0.0, "silent": 0.0}
