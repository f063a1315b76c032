"""Identifiers: only the identifier tells an answer from what is said of near ones."""

from __future__ import annotations

import re
from typing import Any

import pytest
from bm25_judge import recall_at_5

from gate.corpus.exact import Identifiers
from gate.corpus.family import Part
from gate.corpus.recipe import load_recipe, read_family
from gate.corpus.rng import Rng
from gate.engines.tokens import between_spaces, parts, wholes_and_parts
from gate.errors import UsageError
from gate.records import Document

SLICE = "identifiers"


@pytest.fixture(scope="module")
def shipped() -> dict[str, Any]:
    return dict(read_family(load_recipe("seeded"), "identifiers"))


def build(data: dict[str, Any], count: int, seed: int = 7) -> Part:
    return Identifiers().build(Rng(seed, "identifiers"), data, {SLICE: count})


def noise() -> list[Document]:
    """The same carrier words around other identifiers."""
    data = read_family(load_recipe("seeded"), "identifiers")
    part = Identifiers().build(Rng(8, "noise"), data, {SLICE: 27})
    return [document for document in part.documents if "near" in document.doc_id]


def words_of_letters(text: str) -> list[str]:
    """Split at punctuation, without digits and short pieces."""
    return [piece for piece in re.findall(r"[a-z0-9]+", text.lower()) if piece.isalpha() and len(piece) > 2]


def test_identifiers_kept_whole_and_in_parts_are_found_and_broken_or_glued_ones_are_not(
    shipped: dict[str, Any],
) -> None:
    part, others = build(shipped, 50), noise()
    assert recall_at_5(part, others, wholes_and_parts) >= 0.9
    assert 0.5 < recall_at_5(part, others, parts) < 0.9
    assert recall_at_5(part, others, between_spaces) <= 0.4
    assert recall_at_5(part, others, words_of_letters) <= 0.4


@pytest.mark.parametrize("count", [20, 50])
def test_every_topic_asked_for_is_made_from_enough_templates(shipped: dict[str, Any], count: int) -> None:
    part = build(shipped, count)
    assert len(part.topics) == len({topic.text for topic in part.topics}) == count
    assert len({topic.cluster for topic in part.topics}) >= 20
    assert all(topic.slices == (SLICE,) for topic in part.topics)


def test_two_documents_hold_the_identifier_and_five_hold_near_ones(shipped: dict[str, Any]) -> None:
    part = build(shipped, 50)
    texts = {document.doc_id: document.text for document in part.documents}
    assert len(texts) == 50 * 7
    for topic in part.topics:
        assert sorted(part.qrels[topic.topic_id].values()) == [1, 3]
        for number in range(5):
            assert f"{topic.topic_id}-near-{number}" in texts


def test_a_commit_is_asked_by_its_first_seven_digits_and_stored_whole(shipped: dict[str, Any]) -> None:
    part = build(shipped, 50)
    texts = {document.doc_id: document.text for document in part.documents}
    asked = [topic for topic in part.topics if topic.cluster == "identifiers/bisected"]
    assert asked
    for topic in asked:
        (prefix,) = re.findall(r"\b[0-9a-f]{7}\b", topic.text)
        holding = {key for key, text in texts.items() if re.search(rf"\b{prefix}[0-9a-f]{{33}}\b", text)}
        assert holding == set(part.qrels[topic.topic_id])
        near = texts[f"{topic.topic_id}-near-0"]
        assert re.search(rf"\b{prefix[:4]}[0-9a-f]{{36}}\b", near)


def test_a_setting_asked_in_words_is_stored_in_snake_case_and_camel_case(shipped: dict[str, Any]) -> None:
    part = build(shipped, 50)
    texts = {document.doc_id: document.text for document in part.documents}
    topic = next(topic for topic in part.topics if topic.cluster == "identifiers/value")
    first, second = re.findall(r"the (\w+) (\w+) set to", topic.text)[0]
    assert f"`{first}_{second}`" in texts[f"{topic.topic_id}-states"]
    assert f"`{first}{second.capitalize()}`" in texts[f"{topic.topic_id}-adds"]


def test_no_two_topics_share_an_identifier(shipped: dict[str, Any]) -> None:
    part = build(shipped, 50)
    addresses = [re.findall(r"\d+\.\d+\.\d+\.\d+", topic.text) for topic in part.topics]
    found = [address for some in addresses for address in some]
    assert len(found) == len(set(found)) > 3


def test_the_same_seed_gives_the_same_part_and_another_seed_another(shipped: dict[str, Any]) -> None:
    assert build(shipped, 20) == build(shipped, 20)
    assert build(shipped, 20) != build(shipped, 20, seed=8)


def test_documents_say_who_when_and_in_which_session(shipped: dict[str, Any]) -> None:
    for document in build(shipped, 20).documents:
        assert document.session_id
        assert document.speaker in ("user", "assistant")
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", document.created_at)
        assert document.lang == "en"


def test_there_are_no_distractors(shipped: dict[str, Any]) -> None:
    assert Identifiers().distractor(Rng(7), shipped, 0) is None


def refused(data: dict[str, Any], match: str) -> UsageError:
    with pytest.raises(UsageError, match=match) as caught:
        build(data, 27)
    assert caught.value.where
    return caught.value


def test_a_form_that_near_identifiers_share_is_refused(data: dict[str, Any]) -> None:
    data["kinds"]["path"]["forms"]["file"] = "{module}.{ext}"
    refused(data, "the form 'file' is the same for near identifiers")


def test_a_part_that_does_not_exist_cannot_vary(data: dict[str, Any]) -> None:
    data["kinds"]["path"]["varies"] = ["column"]
    refused(data, "cannot differ in 'column'")


def test_an_empty_range_is_refused(data: dict[str, Any]) -> None:
    data["kinds"]["path"]["parts"]["line"] = {"from": 9, "to": 8}
    refused(data, "no number from 9 to 8")


def test_too_few_identifiers_are_refused(data: dict[str, Any]) -> None:
    data["kinds"]["path"]["parts"]["line"] = {"from": 11, "to": 13}
    assert refused(data, "too few values").slug == "recipe-few-words"
