from gate.measures import judge, parse_measure, score_topics


def test_duplicates_are_the_repeats_that_were_dropped() -> None:
    rankings = {
        "repeats": judge(("a", "b"), {"a": 1}, {}, 3, False),
        "clean": judge(("a", "b"), {"a": 1}, {}, 0, False),
        "silent": judge((), {"a": 1}, {}, 0, True),
    }
    assert score_topics(rankings, parse_measure("Duplicates")) == {"repeats": 3.0, "clean": 0.0, "silent": 0.0}
