"""Topics about one exact value: what the two families made from it have in common."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from gate.corpus.entry import Entry
from gate.corpus.family import Part
from gate.corpus.rng import Rng
from gate.corpus.values import Kind, near_number, part_of_values
from gate.errors import UsageError

SLICE = "tickets"


class Ticket:
    """A number with its mark before it or after it."""

    def __init__(self, high: int = 9999) -> None:
        self.high = high

    def draw(self, rng: Rng) -> int:
        return 1000 + rng.below(self.high - 999)

    def near(self, rng: Rng, value: int) -> int:
        return near_number(rng, value, 1000, self.high)

    def forms(self, value: int) -> Mapping[str, str]:
        return {"before": f"no.{value}", "after": f"{value}t"}


def template() -> dict[str, Any]:
    return {
        "kind": "ticket",
        "asks": "who closed {after}?",
        "states": "{name} closed {before}.",
        "adds": "{before} was closed late.",
        "near": ["{name} asked who closed {before}.", "Nobody knows who closed {before}."],
    }


@pytest.fixture
def data() -> dict[str, Any]:
    return {
        "slices": {
            SLICE: {
                "lang": "en",
                "slots": {"name": ["Ines", "Ravi", "Noor"]},
                "templates": {f"closed-{number}": template() for number in range(12)},
            }
        }
    }


def build(data: dict[str, Any], count: int = 24, kind: Kind[int] | None = None, rewritten: bool = True) -> Part:
    kinds: dict[str, Kind[Any]] = {"ticket": kind or Ticket()}
    return part_of_values(Rng(7), Entry.of("tickets", data), kinds, {SLICE: count}, rewritten=rewritten)


def refused(data: dict[str, Any], match: str, **how: Any) -> UsageError:
    with pytest.raises(UsageError, match=match) as caught:
        build(data, **how)
    assert caught.value.where
    return caught.value


def first(data: dict[str, Any]) -> dict[str, Any]:
    chosen: dict[str, Any] = data["slices"][SLICE]["templates"]["closed-0"]
    return chosen


def test_two_documents_hold_the_value_and_five_hold_others(data: dict[str, Any]) -> None:
    part = build(data)
    texts = {document.doc_id: document.text for document in part.documents}
    assert len(part.topics) == 24
    assert len(texts) == 24 * 7
    for topic in part.topics:
        number = topic.text.removeprefix("who closed ").removesuffix("t?")
        holding = {key for key, text in texts.items() if f"no.{number}" in text}
        assert holding == set(part.qrels[topic.topic_id])
        assert sorted(part.qrels[topic.topic_id].values()) == [1, 3]


def test_no_two_documents_of_different_topics_hold_one_value(data: dict[str, Any]) -> None:
    held: dict[str, set[str]] = {}
    for document in build(data).documents:
        number = next(word.strip(".") for word in document.text.split() if word.startswith("no."))
        held.setdefault(number, set()).add(document.doc_id.rsplit("-", 1)[0])
    assert len(held) == 24 * 6
    for keys in held.values():
        assert len({"-".join(key.split("-")[:2]) for key in keys}) == 1


def test_words_of_the_question_are_the_same_in_all_documents_of_a_topic(data: dict[str, Any]) -> None:
    for chosen in data["slices"][SLICE]["templates"].values():
        chosen["asks"] = "who closed {after} for {name}?"
        chosen["states"] = "Closed {before}, says {name}."
        chosen["adds"] = "Closed late: {before}, by {name}."
        chosen["near"] = ["Nobody knows who closed {before} for {name}."]
    part = build(data)
    for topic in part.topics:
        name = topic.text.rstrip("?").rsplit(" ", 1)[1]
        family = [document for document in part.documents if document.doc_id.startswith(f"{topic.topic_id}-")]
        assert len(family) == 7
        assert all(name in document.text for document in family)


def test_the_answer_and_what_adds_to_it_are_of_one_session_in_this_order(data: dict[str, Any]) -> None:
    part = build(data)
    documents = {document.doc_id: document for document in part.documents}
    for topic in part.topics:
        states, adds = documents[f"{topic.topic_id}-states"], documents[f"{topic.topic_id}-adds"]
        assert states.session_id == adds.session_id
        assert states.created_at < adds.created_at
        assert documents[f"{topic.topic_id}-near-0"].session_id != states.session_id


def test_words_that_favour_the_answer_are_refused(data: dict[str, Any]) -> None:
    first(data)["states"] = "{name} knows who closed {before}."
    assert refused(data, "more of the question's words").where.endswith("templates.closed-0")


def test_a_near_text_with_no_more_of_the_words_than_the_answer_is_refused(data: dict[str, Any]) -> None:
    first(data)["near"].append("{name} closed {before} again.")
    refused(data, "not 1 against 1: closed, who")


@pytest.mark.parametrize("part", ["asks", "states", "adds"])
def test_a_text_without_the_value_is_refused(data: dict[str, Any], part: str) -> None:
    first(data)[part] = "{name} was there."
    refused(data, "each text has to hold a form of the value: {before}, {after}")


def test_an_answer_that_writes_the_value_as_the_question_does_is_refused_where_it_has_to_differ(
    data: dict[str, Any],
) -> None:
    first(data)["adds"] = "{after} was closed late."
    refused(data, "as the question does: {after}")
    assert len(build(data, rewritten=False).topics) == 24


def test_an_unknown_kind_is_refused(data: dict[str, Any]) -> None:
    first(data)["kind"] = "passport"
    refused(data, "there is no kind 'passport' here; known: ticket")


def test_too_few_values_are_refused(data: dict[str, Any]) -> None:
    assert refused(data, "too few values", kind=Ticket(1003)).slug == "recipe-few-words"


def test_too_few_templates_are_refused(data: dict[str, Any]) -> None:
    templates = data["slices"][SLICE]["templates"]
    data["slices"][SLICE]["templates"] = dict(list(templates.items())[:9])
    assert refused(data, "rest on 9 templates").slug == "recipe-few-templates"


def test_a_near_number_differs_in_a_digit_or_in_two_that_are_swapped() -> None:
    rng = Rng(7, "near")
    found = {near_number(rng, 481, 101, 989) for _ in range(300)}
    assert 481 not in found
    assert {841, 418, 482, 981} <= found
    for number in found:
        same = sum(left == right for left, right in zip(str(number), "481", strict=True))
        assert same == 2 or sorted(str(number)) == sorted("481")


def test_a_number_without_neighbours_is_near_to_itself_only() -> None:
    assert near_number(Rng(7), 5, 5, 5) == 5
