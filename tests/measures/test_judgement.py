from gate.measures import MEASURES, RUN_MEASURES, judge, judge_ranks, parse_measure, score_topics


def test_judging_keeps_the_ranks_of_judged_documents_only() -> None:
    qrels = {"a": 2, "b": 0, "c": 1, "absent": 3}
    ranking = judge(("x", "a", "y", "b", "old"), qrels, {"old": "superseded", "gone": "deleted"}, 2, False)
    assert ranking.ranks == ((2, 2), (4, 0), (5, 0))
    assert ranking.relevant == (3, 2, 1)
    assert ranking.forbidden == (5,)
    assert (ranking.has_forbidden, ranking.retrieved, ranking.duplicates, ranking.refused) == (True, 5, 2, False)


def test_negative_grades_count_as_0() -> None:
    ranking = judge(("a", "b"), {"a": -2, "b": 1}, {}, 0, False)
    assert ranking.ranks == ((1, 0), (2, 1))
    assert ranking.relevant == (1,)


def test_the_ranks_of_judged_documents_are_enough() -> None:
    doc_ids = ("x", "c", "old", "a", "y", "b")
    qrels, forbidden = {"a": 2, "b": 0, "c": 1}, {"old": "superseded"}
    kept = {"a": 4, "b": 6, "c": 2, "old": 3, "no longer judged": 1}
    assert judge_ranks(kept, qrels, forbidden, 6, 1, False) == judge(doc_ids, qrels, forbidden, 1, False)


def test_a_topic_without_results_counts_with_the_measures_own_value() -> None:
    rankings = {"found": judge(("a",), {"a": 1}, {}, 0, False), "empty": judge((), {"a": 1}, {}, 0, True)}
    for label in ("P@1", "R@1", "Hit@1", "RR", "AP@1", "nDCG@1", "AllR@1", "Judged@1"):
        assert score_topics(rankings, parse_measure(label)) == {"found": 1.0, "empty": 0.0}


def test_topics_without_relevant_documents_count_for_refused_alone() -> None:
    rankings = {"t": judge(("a",), {"a": 0}, {}, 0, False)}
    scored = {name: score_topics(rankings, parse_measure(name if not m.takes_cutoff else f"{name}@5"))
              for name, m in MEASURES.items()}  # fmt: skip
    assert {name for name, values in scored.items() if values} == {"Refused"}


def test_run_measures_have_no_value_per_topic() -> None:
    assert not set(MEASURES) & set(RUN_MEASURES)
