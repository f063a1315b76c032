from gate.measures import judge, parse_measure, score_topics


def test_refused_counts_only_topics_without_relevant_documents() -> None:
    rankings = {
        "silent": judge((), {}, {}, 0, True),
        "says so": judge(("a", "b"), {"a": 0}, {}, 0, True),
        "answers": judge(("a", "b"), {"a": 0}, {}, 0, False),
        "answerable": judge((), {"a": 1}, {}, 0, True),
    }
    assert score_topics(rankings, parse_measure("Refused")) == {"silent": 1.0, "says so": 1.0, "answers": 0.0}
