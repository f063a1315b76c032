"""Sessions and pieces of them in place of documents: what is in them, what is relevant, and what is not asked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest
from fakes import make_corpus
from hypothesis import given
from hypothesis import strategies as st

from gate.corpus import load_corpus
from gate.corpus.units import GRANULARITIES, units_of
from gate.errors import UsageError
from gate.records import Corpus, Document, Slice, Topic


def turn(doc_id: str, text: str = "", session: str = "s1", at: str = "", **others: Any) -> Document:
    return Document(doc_id, text or f"text of {doc_id}", session_id=session, created_at=at, **others)


def asked(
    documents: Sequence[Document],
    qrels: Mapping[str, Mapping[str, int]],
    topics: Sequence[Topic] = (),
    **others: Any,
) -> Corpus:
    named = topics or [Topic(topic_id, f"question {topic_id}") for topic_id in qrels]
    return replace(make_corpus(documents, named, qrels), **others)


def units(corpus: Corpus, granularity: str, dedup: bool = False) -> dict[str, str]:
    return {unit.doc_id: unit.text for unit in units_of(corpus, granularity, dedup).documents()}


# --- turns -------------------------------------------------------------------------------------


def test_turns_are_the_corpus_itself() -> None:
    corpus = asked([turn("d1")], {"q": {"d1": 1}})
    assert units_of(corpus, "turn", False) is corpus


# --- sessions ----------------------------------------------------------------------------------


def test_a_session_is_its_documents_in_order_of_time_then_of_arrival() -> None:
    documents = [
        turn("d3", at="2026-03"),
        turn("d1", at="2026-01"),
        turn("d2b", at="2026-02"),
        turn("d2a", at="2026-02"),
    ]
    assert units(asked(documents, {"q": {"d1": 1}}), "session") == {
        "s1": "text of d1\ntext of d2b\ntext of d2a\ntext of d3"
    }


def test_a_document_without_a_time_comes_before_those_with_one() -> None:
    documents = [turn("d1", at="2026-01"), turn("d0")]
    assert units(asked(documents, {"q": {"d1": 1}}), "session") == {"s1": "text of d0\ntext of d1"}


def test_sessions_that_are_scattered_over_the_stream_are_put_together() -> None:
    documents = [turn("a1", session="a"), turn("b1", session="b"), turn("alone", session=""), turn("a2", session="a")]
    corpus = asked(documents, {"q": {"a1": 1}})
    assert units(corpus, "session") == {
        "b": "text of b1",
        "alone": "text of alone",
        "a": "text of a1\ntext of a2",
    }


def test_a_session_is_handed_on_as_soon_as_it_is_complete() -> None:
    read: list[str] = []

    def stream() -> Iterator[Document]:
        for number in range(6):
            read.append(f"d{number}")
            yield turn(f"d{number}", session=f"s{number // 2}")

    made = units_of(replace(asked([], {"q": {"d0": 1}}), documents=stream), "session", False).documents()
    read.clear()
    assert next(made).doc_id == "s0"
    assert read == ["d0", "d1"]


def test_a_session_has_what_all_its_documents_share_and_nothing_that_changes_over_time() -> None:
    first = replace(turn("d1", at="2026-01", speaker="Ada", lang="en"), scope=frozenset({"user:a"}), refs=("d9",))
    second = replace(turn("d2", at="2026-02", speaker="user", lang="en"), supersedes="d1", facts=(("k", "v"),))
    corpus = asked([first, second], {"q": {"d1": 1}}, deletions=("d1",))
    made = units_of(corpus, "session", False)
    assert list(made.documents()) == [
        Document("s1", "text of d1\ntext of d2", session_id="s1", created_at="2026-01", lang="en")
    ]
    assert made.deletions == ()


def test_what_is_to_be_indexed_is_joined_too() -> None:
    documents = [turn("d1", index_text="tag"), turn("d2")]
    unit = next(units_of(asked(documents, {"q": {"d1": 1}}), "session", False).documents())
    assert (unit.text, unit.index_text) == ("text of d1\ntext of d2", "tag\ntext of d2")


def test_the_grade_of_a_session_is_the_largest_of_its_documents() -> None:
    documents = [turn("d1"), turn("d2"), turn("d3", session="s2"), turn("d4", session="")]
    qrels = {"q": {"d1": 1, "d2": 3, "d3": 0, "d4": 2, "absent": 1}}
    assert units_of(asked(documents, qrels), "session", False).qrels == {"q": {"s1": 3, "s2": 0, "d4": 2, "absent": 1}}


def test_a_corpus_that_changed_between_the_passes_is_refused() -> None:
    streams = iter([[turn("d1"), turn("d2")], [turn("d1")]])
    corpus = replace(asked([], {"q": {"d1": 1}}), documents=lambda: iter(next(streams)))
    made = units_of(corpus, "session", False)
    with pytest.raises(UsageError, match="other documents than when the corpus was first read"):
        list(made.documents())


# --- chunks ------------------------------------------------------------------------------------


def words(start: int, end: int) -> str:
    return " ".join(f"w{number}" for number in range(start, end))


def test_a_short_session_is_one_chunk_and_a_document_without_one_is_too() -> None:
    documents = [turn("d1"), turn("d2"), turn("alone", session="")]
    assert units(asked(documents, {"q": {"d1": 1}}), "chunk") == {
        "s1#0001": "text of d1\ntext of d2",
        "alone#0001": "text of alone",
    }


# Three documents of 240, 120 and 240 words: pieces hold words 0-299, 250-549 and 500-599.
LONG = [turn("d1", words(0, 240)), turn("d2", words(240, 360)), turn("d3", words(360, 600))]


def test_a_chunk_is_relevant_where_it_overlaps_a_relevant_document() -> None:
    qrels = {"first": {"d1": 2}, "second": {"d2": 1}, "third": {"d3": 1}, "all": {"d1": 1, "d2": 3, "d3": 0}}
    lifted = units_of(asked(LONG, qrels), "chunk", False).qrels
    assert lifted == {
        "first": {"s1#0001": 2},
        "second": {"s1#0001": 1, "s1#0002": 1},
        "third": {"s1#0002": 1, "s1#0003": 1},
        "all": {"s1#0001": 3, "s1#0002": 3, "s1#0003": 0},
    }


def test_chunks_are_numbered_from_one_and_hold_the_words_of_their_place() -> None:
    made = units(asked(LONG, {"q": {"d1": 1}}), "chunk")
    assert {name: (text.split()[0], text.split()[-1]) for name, text in made.items()} == {
        "s1#0001": ("w0", "w299"),
        "s1#0002": ("w250", "w549"),
        "s1#0003": ("w500", "w599"),
    }


def test_a_blank_relevant_document_stands_in_the_chunk_at_its_place() -> None:
    documents = [*LONG[:2], turn("blank", " "), turn("d3", words(360, 600))]
    assert units_of(asked(documents, {"q": {"blank": 1}}), "chunk", False).qrels == {"q": {"s1#0002": 1}}


@given(st.lists(st.tuples(st.integers(1, 700), st.booleans()), min_size=1, max_size=6))
def test_every_relevant_document_is_in_a_relevant_chunk_and_no_other_chunk_is_one(
    sizes: list[tuple[int, bool]],
) -> None:
    documents, relevant = [], {}
    for number, (size, wanted) in enumerate(sizes):
        documents.append(turn(f"d{number}", " ".join(f"d{number}w{place}" for place in range(size))))
        relevant[f"d{number}"] = int(wanted)
    made = units_of(asked(documents, {"q": relevant}), "chunk", False)
    for unit in made.documents():
        inside = {word.partition("w")[0] for word in unit.text.split()}
        assert made.qrels["q"][unit.doc_id] == max(relevant[doc_id] for doc_id in inside)


# --- the best unit of each session ---------------------------------------------------------------


@pytest.mark.parametrize("granularity", GRANULARITIES)
def test_with_dedup_relevance_is_the_session_s_whatever_is_stored(granularity: str) -> None:
    documents = [*LONG, turn("alone", session="")]
    made = units_of(asked(documents, {"q": {"d1": 1, "d3": 2, "alone": 1}}), granularity, True)
    assert made.qrels == {"q": {"s1": 2, "alone": 1}}
    assert {made.counts_as(unit) for unit in made.documents()} == {"s1", "alone"}


def test_with_dedup_turns_are_stored_as_they_are() -> None:
    corpus = asked(LONG, {"q": {"d1": 1}}, deletions=("d2",))
    made = units_of(corpus, "turn", True)
    assert list(made.documents()) == LONG
    assert made.deletions == ("d2",)


def test_without_dedup_a_unit_counts_as_itself() -> None:
    made = units_of(asked(LONG, {"q": {"d1": 1}}), "chunk", False)
    assert [made.counts_as(unit) for unit in made.documents()] == ["s1#0001", "s1#0002", "s1#0003"]


# --- what is not asked -------------------------------------------------------------------------


@pytest.mark.parametrize(("granularity", "dedup"), [("session", False), ("chunk", False), ("turn", True)])
def test_topics_about_single_documents_are_left_out_and_told(granularity: str, dedup: bool) -> None:
    topics = [
        Topic("plain", "a", slices=("memory", "mixed")),
        Topic("scoped", "b", scope=frozenset({"user:a"})),
        Topic("stale", "c", slices=("mixed",)),
        Topic("replaced", "d", slices=("superseded",)),
        Topic("fact", "e", slices=("values",)),
    ]
    slices = (
        Slice("memory", "", modes=frozenset({"keyword", "facts"})),
        Slice("mixed", ""),
        Slice("superseded", "", needs=frozenset({"supersede"})),
        Slice("values", "", modes=frozenset({"facts"})),
    )
    corpus = asked(
        [turn("d1")], {t.topic_id: {"d1": 1} for t in topics}, topics, slices=slices, forbidden={"stale": {"d1": "old"}}
    )
    made = units_of(corpus, granularity, dedup)
    assert [topic.topic_id for topic in made.topics] == ["plain"]
    assert [(s.name, s.modes >= {"facts"}) for s in made.slices] == [("memory", False), ("mixed", False)]
    assert (set(made.qrels), dict(made.forbidden)) == ({"plain"}, {})
    (note,) = made.notes
    assert note == (
        "tiny@smoke: 4 of 5 topics are not asked (all of superseded, values):"
        " they are about what happens to single documents"
    )


def test_a_plain_corpus_is_asked_whole_without_a_word() -> None:
    made = units_of(asked(LONG, {"q": {"d1": 1}}), "session", False)
    assert (len(made.topics), made.notes) == (1, ())


def test_a_corpus_without_sessions_is_told() -> None:
    made = units_of(asked([turn("d1", session="")], {"q": {"d1": 1}}), "session", False)
    assert made.notes == ("tiny@smoke names no sessions, so each document is one of its own",)


def test_a_corpus_of_which_nothing_can_be_asked_is_refused() -> None:
    corpus = asked([turn("d1")], {"q": {"d1": 1}}, [Topic("q", "a", scope=frozenset({"user:a"}))])
    with pytest.raises(UsageError, match="no topic of tiny@smoke can be asked of sessions"):
        units_of(corpus, "session", False)


@pytest.mark.parametrize("granularity", ["session", "chunk"])
def test_a_session_named_like_a_document_without_one_is_refused(granularity: str) -> None:
    corpus = asked([turn("d1", session="x"), turn("x", session="")], {"q": {"d1": 1}})
    with pytest.raises(UsageError, match="'x' is the id of a session of tiny@smoke, and of a document"):
        units_of(corpus, granularity, False)


def test_a_judged_document_that_is_not_in_the_corpus_cannot_be_found_as_a_session() -> None:
    corpus = asked([turn("d1", session="x")], {"q": {"d1": 1, "x": 1}})
    with pytest.raises(UsageError, match="'x' is the id of a session"):
        units_of(corpus, "session", False)


def test_a_document_may_be_named_like_the_session_of_another() -> None:
    corpus = asked([turn("s2", session="s1"), turn("d2", session="s2")], {"q": {"s2": 1}})
    assert units_of(corpus, "session", False).qrels == {"q": {"s1": 1}}


def test_the_seeded_corpus_can_be_asked_for_its_plain_slices() -> None:
    made = units_of(load_corpus("seeded@smoke"), "session", False)
    stored = {unit.doc_id for unit in made.documents()}
    relevant = {unit for grades in made.qrels.values() for unit, grade in grades.items() if grade > 0}
    assert relevant <= stored
    assert {"memory", "zh-Hans"} <= {s.name for s in made.slices}
