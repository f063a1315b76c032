from __future__ import annotations

from gate.measures import judge, parse_measure, score_topics


def test_false_refused_counts_only_topics_with_relevant_documents() -> None:
    rankings = {
        "silent": judge((), {"a": 1}, {}, 0, True),
        "denies": judge(("a", "b"), {"a": 1}, {}, 0, True),
        "answers": judge(("a", "b"), {"a": 1}, {}, 0, False),
        "unanswerable": judge((), {"a": 0}, {}, 0, True),
    }
    assert score_topics(rankings, parse_measure("FalseRefused")) == {"silent": 1.0, "denies": 1.0, "answers": 0.0}
