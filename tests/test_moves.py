from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from builders import check, corpus, run_of

from gate.measures import parse_measure
from gate.moves import AHEAD_SHOWN, SHOWN, TEXT_SHOWN, missed, topic_move, with_texts
from gate.records import Ahead, Corpus, MovedDoc, TopicMove

R5 = parse_measure("R@5")


def ranks(docs: Sequence[str]) -> dict[str, int]:
    return {doc: rank for rank, doc in enumerate(docs, start=1)}


def move(judged: Corpus, stood: Mapping[str, int] | None, now: Sequence[str], measure: str = "R@5") -> TopicMove:
    return topic_move(judged.topics[0], judged, parse_measure(measure), stood, ranks(now), None, 0.0)


def places(told: TopicMove) -> list[tuple[str, int | None, int | None]]:
    return [(doc.doc_id, doc.before, doc.after) for doc in told.moved]


def test_what_fell_what_rose_and_what_stayed() -> None:
    judged = corpus({"q": {"a": 3, "b": 1, "c": 1, "d": 1, "zero": 0}})
    told = move(judged, {"a": 1, "b": 2, "c": 3, "zero": 4}, ["b", "x", "c", "d", "a"])
    assert places(told) == [("a", 1, 5), ("b", 2, 1), ("d", None, 4)]
    assert told.moved[0].grade == 3


def test_what_stands_ahead_is_of_no_worth_and_above_what_fell() -> None:
    judged = corpus({"q": {"a": 1, "b": 1, "zero": 0}})
    told = move(judged, {"a": 1, "b": 2}, ["b", "zero", "x", "a", "y"])
    assert told.ahead == (Ahead("zero", 2), Ahead("x", 3))


def test_everything_returned_stands_ahead_of_what_is_gone() -> None:
    told = move(corpus({"q": {"a": 1}}), {"a": 1}, ["v", "w", "x", "y"])
    assert told.ahead == (Ahead("v", 1), Ahead("w", 2), Ahead("x", 3))
    assert len(told.ahead) == AHEAD_SHOWN


def test_nothing_stands_ahead_where_nothing_fell() -> None:
    assert move(corpus({"q": {"a": 1}}), {"a": 3}, ["x", "a"]).ahead == ()


def test_an_empty_answer_has_nothing_ahead() -> None:
    told = move(corpus({"q": {"a": 1}}), {"a": 1}, [])
    assert (places(told), told.ahead) == ([("a", 1, None)], ())


def test_a_forbidden_document_is_told_when_it_crosses_the_cutoff() -> None:
    judged = corpus({"q": {"a": 1}}, forbidden={"q": {"old": "superseded"}})
    assert move(judged, {"a": 1}, ["a", "old"]).moved == (MovedDoc("old", 0, None, 2, forbidden="superseded"),)
    assert places(move(judged, {"a": 1, "old": 2}, ["a"])) == [("old", 2, None)]
    assert places(move(judged, {"a": 1, "old": 2}, ["a", "x", "old"])) == []


def test_a_measure_of_forbidden_documents_shows_no_others() -> None:
    judged = corpus({"q": {"a": 1}}, forbidden={"q": {"old": "stale value"}})
    told = move(judged, {"a": 1}, ["old"], "Forbidden@10")
    assert (places(told), told.ahead) == ([("old", None, 1)], ())


def test_without_a_baseline_what_the_cutoff_leaves_out_is_told() -> None:
    judged = corpus({"q": {"a": 1, "b": 1, "c": 1}})
    told = move(judged, None, ["a", "v", "w", "x", "y", "b"])
    assert places(told) == [("b", None, 6), ("c", None, None)]
    assert told.ahead == (Ahead("v", 2), Ahead("w", 3), Ahead("x", 4))


def test_without_a_baseline_the_order_is_told_where_all_are_within_the_cutoff() -> None:
    judged = corpus({"q": {"a": 1, "b": 1}})
    told = move(judged, None, ["a", "x", "b"], "nDCG@10")
    assert (places(told), told.ahead) == ([("b", None, 3)], (Ahead("x", 2),))


def test_missed_topics_come_poorest_first_and_perfect_ones_not_at_all() -> None:
    judged = corpus({"q1": {"a": 1, "b": 1}, "q2": {"c": 1}, "q3": {"d": 1}})
    run = run_of({"q1": ["a"], "q2": ["x"], "q3": ["d"]})
    told = missed(run, judged.topics, judged, R5, {"q1": 0.5, "q2": 0.0, "q3": 1.0}, ">=")
    assert [(one.topic_id, one.before, one.after) for one in told] == [("q2", None, 0.0), ("q1", None, 0.5)]


def test_missed_turns_round_for_a_measure_of_which_less_is_better() -> None:
    judged = corpus({"q1": {"a": 1}, "q2": {"b": 1}}, forbidden={"q1": {"old": "deleted"}, "q2": {"gone": "deleted"}})
    run = run_of({"q1": ["old"], "q2": ["b"]})
    (told,) = missed(run, judged.topics, judged, parse_measure("Forbidden@10"), {"q1": 1.0, "q2": 0.0}, "<=")
    assert (told.topic_id, places(told)) == ("q1", [("old", None, 1)])


def test_missed_counts_repeats_the_worst_first() -> None:
    judged = corpus({"q1": {"a": 1}, "q2": {"b": 1}, "q3": {"c": 1}})
    run = run_of({"q1": ["a"], "q2": ["b"], "q3": ["c"]})
    told = missed(run, judged.topics, judged, parse_measure("Duplicates"), {"q1": 1.0, "q2": 3.0, "q3": 0.0}, "<=")
    assert [one.topic_id for one in told] == ["q2", "q1"]


def test_no_more_topics_are_shown_than_a_reader_takes_in() -> None:
    judged = corpus({f"q{n}": {"a": 1} for n in range(SHOWN + 5)})
    run = run_of({topic.topic_id: ["x"] for topic in judged.topics})
    assert len(missed(run, judged.topics, judged, R5, {t.topic_id: 0.0 for t in judged.topics}, ">=")) == SHOWN


def test_texts_are_those_of_the_check_s_own_corpus() -> None:
    told = TopicMove("q", "where?", 1.0, 0.0, (MovedDoc("1", 1, 1, None),), (Ahead("2", 1),))
    mine = replace(check("fail"), moves=(told,))
    other = replace(mine, cell=mine.cell.replace("seeded@", "notes@"))
    corpora = [
        corpus({}, texts={"1": "The key is under the mat.", "2": "x" * 500}),
        corpus({}, texts={"1": "A note of its own.", "2": "Another."}, name="notes"),
    ]
    first, second, third = with_texts([mine, other, check("pass")], corpora)
    assert first.moves[0].moved[0].text == "The key is under the mat."
    assert first.moves[0].ahead[0].text == "x" * TEXT_SHOWN
    assert second.moves[0].moved[0].text == "A note of its own."
    assert third == check("pass")


def test_a_corpus_of_which_nothing_is_told_is_not_read() -> None:
    def unread() -> None:
        raise AssertionError

    silent = replace(corpus({}), documents=unread)  # type: ignore[arg-type]
    assert with_texts([check("pass")], [silent]) == [check("pass")]


def test_where_the_best_there_is_breaks_a_ceiling_no_topic_is_to_blame() -> None:
    judged = corpus({"q1": {"a": 1}})
    run = run_of({"q1": ["a"]})
    assert missed(run, judged.topics, judged, R5, {"q1": 1.0}, "<=") == ()
