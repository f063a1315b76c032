"""Which sentences state a fact, and which fact is current."""

from __future__ import annotations

import itertools

import pytest

from gate.records import Document
from gate.stores.reference.facts import FactTable, context, stated

MINE, YOURS = frozenset({"user:a"}), frozenset({"user:b"})


@pytest.mark.parametrize(
    ("text", "pairs"),
    [
        ("My city is Porto.", [("city", "Porto")]),
        ("By the way, my home address is 12 Elm Street, Leeds.", [("home address", "12 Elm Street, Leeds")]),
        ("my city has changed to Braga", [("city", "Braga")]),
        ("My phone number is now 555-0100.", [("phone number", "555-0100")]),
        ("I changed my city to Faro!", [("city", "Faro")]),
        ("I've switched my editor from Vim to Helix.", [("editor", "Helix")]),
        ("Please set my time zone to Europe/Lisbon", [("time zone", "Europe/Lisbon")]),
        ("From now on my editor is Helix 25.1; thanks", [("editor", "Helix 25.1")]),
        ("My new city is Lagos now.", [("city", "Lagos")]),
        ("My city is Porto and my editor is Vim.", [("city", "Porto"), ("editor", "Vim")]),
        ("My city is Porto. Sorry: my city is Braga.", [("city", "Porto"), ("city", "Braga")]),
        ("我的城市是波尔图。", [("城市", "波尔图")]),
        ("我的城市改成了布拉加，记一下", [("城市", "布拉加")]),
        ("我的电话现在是5550100", [("电话", "5550100")]),
        ("我的编辑器换成了Helix！", [("编辑器", "Helix")]),
    ],
)
def test_plain_statements_are_understood(text: str, pairs: list[tuple[str, str]]) -> None:
    assert list(stated(Document("d", text))) == pairs


@pytest.mark.parametrize(
    "text",
    [
        "What is my city?",
        "Is my city in the list?",
        "I wonder if my city is affected",
        "My city is not Porto.",
        "my city was Porto",
        "The city is Porto.",
        "我的城市是什么？",
        "army is large",
    ],
)
def test_questions_negations_and_other_sentences_state_nothing(text: str) -> None:
    assert stated(Document("d", text)) == ()


def test_pairs_of_the_writer_are_facts() -> None:
    assert stated(Document("d", "see form", facts=(("City", " Porto "), ("", "x")))) == (("city", "Porto"),)


def table(*documents: Document) -> FactTable:
    facts = FactTable()
    for document in documents:
        facts.add(document.doc_id, stated(document), document.created_at, document.scope)
    return facts


def current(facts: FactTable, query: str, scope: frozenset[str] = frozenset(), *hidden: str) -> list[tuple[str, str]]:
    return [(one.doc_id, one.value) for one in facts.search(query, scope, frozenset(hidden))]


def test_the_latest_by_its_own_date_is_current_whatever_the_order_of_arrival() -> None:
    documents = [
        Document("x", "my city is Porto", created_at="2026-01-01T00:00:00Z"),
        Document("b", "my city has changed to Braga", created_at="2026-03-01T00:00:00Z"),
        Document("y", "I changed my city to Faro", created_at="2026-02-01T00:00:00Z"),
    ]
    for order in itertools.permutations(documents):
        assert current(table(*order), "What is my city?") == [("b", "Braga")]


def test_equal_dates_go_by_document_id_and_the_last_of_one_document_counts() -> None:
    one = Document("a", "my city is Porto")
    other = Document("b", "my city is Braga. No, my city is Faro.")
    assert current(table(one, other), "my city") == current(table(other, one), "my city") == [("b", "Faro")]


def test_each_scope_has_its_own_current_value() -> None:
    facts = table(Document("a", "my city is Porto", scope=MINE), Document("b", "my city is Braga", scope=YOURS))
    assert current(facts, "city", MINE) == [("a", "Porto")]
    assert current(facts, "city", YOURS) == [("b", "Braga")]
    assert current(facts, "city", frozenset({"user:c"})) == []
    assert len(current(facts, "city")) == 2


def test_the_most_specific_key_comes_first_and_inflections_name_it() -> None:
    facts = table(Document("a", "my city is Porto"), Document("b", "my home city is Braga"))
    assert current(facts, "Which home cities did I name?") == [("b", "Braga"), ("a", "Porto")]
    assert current(facts, "Which city?") == [("a", "Porto")]
    assert current(facts, "Which town?") == []


def test_chinese_keys_are_found_inside_a_question() -> None:
    assert current(table(Document("a", "我的城市是波尔图。")), "我的城市是哪里？") == [("a", "波尔图")]


def test_hidden_and_removed_statements_bring_the_one_before_back() -> None:
    facts = table(
        Document("a", "my city is Porto", created_at="2026-01-01"),
        Document("b", "my city is Braga", created_at="2026-02-01"),
    )
    assert current(facts, "city", frozenset(), "b") == [("a", "Porto")]
    facts.remove("b")
    assert current(facts, "city") == [("a", "Porto")]
    facts.remove("a")
    assert current(facts, "city") == []


def test_context_is_a_line_a_fact() -> None:
    facts = table(
        Document("a", "my city is Porto", created_at="2026-03-01T09:00:00Z"), Document("b", "my editor is Vim")
    )
    assert (
        context(facts.search("city and editor", frozenset(), frozenset()))
        == "editor: Vim\ncity: Porto (since 2026-03-01)"
    )
