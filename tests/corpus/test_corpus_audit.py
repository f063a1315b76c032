"""What is said of a slice without an engine, counted here by hand."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.corpus.audit import anatomy, near_duplicates, topics_of
from gate.corpus.tokens import folded, pairs
from gate.records import Corpus, Document, Slice, Topic


def corpus(texts: dict[str, str], topics: list[Topic], qrels: dict[str, dict[str, int]]) -> Corpus:
    documents = [Document(doc_id, text) for doc_id, text in texts.items()]
    return Corpus("mine", "full", lambda: iter(documents), tuple(topics), qrels, {}, (Slice("one", ""),))


def topic(topic_id: str, text: str, cluster: str = "c", scope: frozenset[str] = frozenset()) -> Topic:
    return Topic(topic_id, text, scope, ("one",), cluster)


def test_counts_are_those_of_a_hand_calculation() -> None:
    texts = {
        "right": "red boat",  # 2 of the 4 tokens of q1
        "adds": "red house",  # relevant too: red again, house of q1
        "half": "the red BOAT again",  # 2 of 4: confusable
        "less": "a boat",  # 1 of 4
        "other": "nothing of it",
    }
    topics = [topic("q1", "red boat house cellar", "c1"), topic("q2", "Nothing", "c2")]
    (found,) = anatomy(corpus(texts, topics, {"q1": {"right": 3, "adds": 1, "less": 0}, "q2": {}}), ["one"])
    assert (found.slice, found.topics, found.clusters) == ("one", 2, 2)
    assert found.relevant == (2 + 0) / 2
    # q1: `half`; q2: `other`, which holds its one token.
    assert found.confusable == (1 + 1) / 2
    # q1 alone has relevant documents: red, boat and house of its four tokens.
    assert found.answered == 3 / 4
    assert found.near_duplicates == 0


def test_a_document_just_below_half_of_the_tokens_is_not_confusable() -> None:
    topics = [topic("q", "one two three four five")]
    (found,) = anatomy(corpus({"a": "one two", "b": "one two three"}, topics, {}), ["one"])
    assert found.confusable == 1


def test_a_slice_without_answers_shares_nothing_rather_than_zero() -> None:
    (found,) = anatomy(corpus({"a": "one"}, [topic("q", "one")], {"q": {"a": 0}}), ["one"])
    assert found.answered is None
    assert found.relevant == 0


def test_a_question_without_tokens_is_confused_with_nothing() -> None:
    (found,) = anatomy(corpus({"a": "one"}, [topic("q", "?!")], {"q": {"a": 1}}), ["one"])
    assert (found.confusable, found.answered) == (0, 0)


def test_judgements_for_documents_that_are_not_there_do_no_harm() -> None:
    (found,) = anatomy(corpus({"a": "one"}, [topic("q", "one two")], {"q": {"a": 1, "gone": 1}}), ["one"])
    assert (found.relevant, found.answered) == (2, 0.5)


def test_pairs_of_characters_are_the_tokens_of_unspaced_scripts() -> None:
    # The question is 订单, 单号 and 号是: the answer has the last, the other document the first two.
    topics = [topic("q", "订单号是")]
    (found,) = anatomy(corpus({"a": "号是", "b": "订单号"}, topics, {"q": {"a": 3}}), ["one"])
    assert found.confusable == 1
    assert found.answered == pytest.approx(1 / 3)


def repeated(*topics: Topic) -> set[str]:
    return near_duplicates(topics, {one.topic_id: frozenset(pairs(folded(one.text))) for one in topics})


def test_the_same_text_but_for_case_accents_and_width_is_a_near_duplicate() -> None:
    assert repeated(topic("a", "Où est le café？"), topic("b", "ou est LE CAFE?"), topic("c", "le the")) == {"a", "b"}


def test_an_overlap_of_nine_tenths_is_one_and_less_is_not() -> None:
    nine = "b c d e f g h i j"
    assert repeated(topic("a", f"{nine} k"), topic("b", nine)) == {"a", "b"}
    eight = "b c d e f g h i"
    assert repeated(topic("a", f"{eight} j"), topic("b", eight)) == set()


def test_the_same_question_of_two_scopes_is_two_questions() -> None:
    ann, ben = frozenset({"ann"}), frozenset({"ben"})
    assert repeated(topic("a", "where is it", scope=ann), topic("b", "where is it", scope=ben)) == set()
    assert repeated(topic("a", "where is it", scope=ann), topic("b", "where is it", scope=ann)) == {"a", "b"}


@given(st.lists(st.frozensets(st.sampled_from("abcdefghijkl"), min_size=1), max_size=12))
def test_near_duplicates_are_those_that_comparing_all_would_find(sets: list[frozenset[str]]) -> None:
    topics = [topic(str(number), " ".join(sorted(tokens))) for number, tokens in enumerate(sets)]
    expected = {
        str(number)
        for one, other in combinations(range(len(sets)), 2)
        if 10 * len(sets[one] & sets[other]) >= 9 * len(sets[one] | sets[other])
        for number in (one, other)
    }
    assert repeated(*topics) == expected


def test_topics_of_all_are_every_topic() -> None:
    made = corpus({}, [topic("q", "x"), Topic("p", "y")], {})
    assert [one.topic_id for one in topics_of(made, "all")] == ["q", "p"]
    assert [one.topic_id for one in topics_of(made, "one")] == ["q"]
