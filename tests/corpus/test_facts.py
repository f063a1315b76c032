"""Facts that change: the newest value answers, replaced ones are forbidden."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import Any

import pytest
import yaml

from gate.corpus.facts import Facts
from gate.corpus.family import Part
from gate.corpus.rng import Rng
from gate.data import data_path
from gate.errors import UsageError
from gate.records import Document, Topic

# The forms in which a fact may be stated, written anew: the templates have to keep to them.
ENGLISH = re.compile(
    r"\b(?:my (?P<k1>[a-z ]+?) (?:is now|has changed to|is) (?P<v1>[\w ]+)"
    r"|(?:changed|set) my (?P<k2>[a-z ]+?) to (?P<v2>[\w ]+))\.",
    re.IGNORECASE,
)
CHINESE = re.compile(r"我的(?P<k1>\w+?)(?:改成了|换成了|现在是|是)(?P<v1>\w+)。")


@pytest.fixture(scope="module")
def shipped() -> dict[str, Any]:
    data: dict[str, Any] = yaml.safe_load(data_path("corpora", "seeded", "facts.yml").read_text(encoding="utf-8"))
    return data


@pytest.fixture(scope="module")
def part(shipped: dict[str, Any]) -> Part:
    return build(shipped, 100)


def build(data: dict[str, Any], count: int, seed: int = 7) -> Part:
    return Facts().build(Rng(seed, "facts"), data, {"facts": count})


def stated(text: str) -> tuple[str, str] | None:
    found = ENGLISH.search(text) or CHINESE.search(text)
    if found is None:
        return None
    groups = [value for value in found.groups() if value]
    return groups[0], groups[1]


def history(part: Part, topic: Topic) -> list[tuple[str, Document]]:
    """The values of the topic's fact with their documents, oldest first, read from the texts alone."""
    facts = {document.doc_id: stated(document.text) for document in part.documents}
    keys = {fact[0] for fact in facts.values() if fact}
    (key,) = {key for key in keys if key in topic.text}
    said = [(fact[1], document) for document in part.documents if (fact := facts[document.doc_id]) and fact[0] == key]
    return sorted(said, key=lambda pair: pair[1].created_at)


def test_the_newest_value_answers_and_every_other_value_is_forbidden(part: Part) -> None:
    for topic in part.topics:
        values = history(part, topic)
        newest, answer = values[-1]
        assert part.qrels[topic.topic_id] == {answer.doc_id: 3}
        stale = {document.doc_id: "stale value" for value, document in values if value != newest}
        assert part.forbidden.get(topic.topic_id, {}) == stale


def test_facts_stay_change_change_again_and_change_back(part: Part) -> None:
    shapes = set()
    for topic in part.topics:
        values = [value for value, _ in history(part, topic)]
        shapes.add(tuple(values.index(value) for value in values))
    assert shapes == {(0,), (0, 1), (0, 1, 2), (0, 1, 2, 3), (0, 1, 0)}


def test_documents_do_not_arrive_in_the_order_of_time(part: Part) -> None:
    sessions: dict[str, list[str]] = defaultdict(list)
    for document in part.documents:
        sessions[document.session_id].append(document.created_at)
    assert len(sessions) == len(part.topics)
    assert all(len(set(times)) == len(times) >= 3 for times in sessions.values())
    assert sum(times != sorted(times) for times in sessions.values()) > len(sessions) / 2


def test_half_of_the_facts_are_metadata_too_and_say_what_the_text_says(part: Part) -> None:
    typed = 0
    for document in part.documents:
        fact = stated(document.text)
        if document.facts:
            assert document.facts == (fact,)
        typed += bool(document.facts)
    total = sum(stated(document.text) is not None for document in part.documents)
    assert 0.4 < typed / total < 0.6


def test_turns_that_state_nothing_name_the_key_of_their_session(part: Part) -> None:
    silent = [document for document in part.documents if stated(document.text) is None]
    assert len(silent) == 2 * len(part.topics)
    assert sum("my " in document.text or "我的" in document.text for document in silent) == len(part.topics)


def test_a_key_belongs_to_one_topic(part: Part) -> None:
    assert len({history(part, topic)[0][1].session_id for topic in part.topics}) == len(part.topics) == 100


@pytest.mark.parametrize("count", [20, 100])
def test_topics_come_from_enough_templates_and_from_both_languages(shipped: dict[str, Any], count: int) -> None:
    made = build(shipped, count)
    assert len(made.topics) == count
    assert len({topic.cluster for topic in made.topics}) >= 10
    assert {document.lang for document in made.documents} == {"en", "zh-Hans"}


def test_the_same_seed_gives_the_same_part_and_another_seed_another(shipped: dict[str, Any]) -> None:
    assert build(shipped, 20) == build(shipped, 20)
    assert build(shipped, 20) != build(shipped, 20, seed=8)


def test_a_key_that_stands_twice_is_refused(data: dict[str, Any]) -> None:
    data["slices"]["facts"]["en"]["kinds"]["phone"]["keys"].append("home city")
    with pytest.raises(UsageError, match="'home city' stands twice") as caught:
        build(data, 20)
    assert "kinds.phone.keys" in caught.value.where


def test_fewer_keys_than_topics_are_refused(shipped: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match="fewer keys than topics") as caught:
        build(shipped, 1000)
    assert caught.value.slug == "recipe-few-words"


def test_too_few_values_for_a_history_are_refused(data: dict[str, Any]) -> None:
    data["slices"]["facts"]["en"]["kinds"]["city"]["values"] = ["Lisbon", "Porto", "Porto"]
    with pytest.raises(UsageError, match="at least 4 values") as caught:
        build(data, 20)
    assert caught.value.where.endswith("en.kinds.city")


def test_too_few_templates_are_refused(data: dict[str, Any]) -> None:
    for language in data["slices"]["facts"].values():
        language["asks"] = dict(list(language["asks"].items())[:4])
    with pytest.raises(UsageError) as caught:
        build(data, 20)
    assert caught.value.slug == "recipe-few-templates"


def test_a_slot_that_nothing_fills_is_refused_with_its_sentence(data: dict[str, Any]) -> None:
    data["slices"]["facts"]["en"]["other"] = {"bad": "See you at {hour}."}
    with pytest.raises(UsageError, match=r"\{hour\} of 'See you at \{hour\}.'"):
        build(data, 20)
