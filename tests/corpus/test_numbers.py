"""Numbers: the question writes them one way, the documents that answer another."""

from __future__ import annotations

import re
from typing import Any

import pytest
from bm25_judge import recall_at_5

from gate.corpus.family import Part
from gate.corpus.numbers import KINDS, Numbers
from gate.corpus.recipe import load_recipe, read_family
from gate.corpus.rng import Rng
from gate.engines.numbers import figures, normal_numbers
from gate.engines.tokens import ascii_letters
from gate.errors import UsageError
from gate.records import Document

SLICE = "numbers"


@pytest.fixture(scope="module")
def shipped() -> dict[str, Any]:
    return dict(read_family(load_recipe("seeded"), "numbers"))


def build(data: dict[str, Any], count: int, seed: int = 7) -> Part:
    return Numbers().build(Rng(seed, "numbers"), data, {SLICE: count})


def noise() -> list[Document]:
    """The same carrier words around other numbers."""
    part = Numbers().build(Rng(8, "noise"), read_family(load_recipe("seeded"), "numbers"), {SLICE: 26})
    return [document for document in part.documents if "near" in document.doc_id]


def split_at_punctuation(text: str) -> list[str]:
    return re.findall(r"[a-z0-9]+", text.lower())


def test_numbers_brought_to_one_form_are_found_and_dropped_or_broken_ones_are_not(shipped: dict[str, Any]) -> None:
    part, others = build(shipped, 50), noise()
    assert recall_at_5(part, others, normal_numbers) >= 0.9
    assert 0.4 < recall_at_5(part, others, figures) < 0.9
    assert recall_at_5(part, others, ascii_letters) <= 0.4
    assert recall_at_5(part, others, split_at_punctuation) <= 0.4


@pytest.mark.parametrize("count", [20, 50])
def test_every_topic_asked_for_is_made_from_enough_templates(shipped: dict[str, Any], count: int) -> None:
    part = build(shipped, count)
    assert len(part.topics) == len({topic.text for topic in part.topics}) == count
    assert len({topic.cluster for topic in part.topics}) >= 20
    assert all(topic.slices == (SLICE,) for topic in part.topics)


def test_the_question_and_its_answers_hold_one_number_in_normal_form_and_no_other_document_does(
    shipped: dict[str, Any],
) -> None:
    part = build(shipped, 50)
    texts = {document.doc_id: document.text for document in part.documents}
    numbers = {key: frozenset(filter(re.compile(r"\d").match, normal_numbers(text))) for key, text in texts.items()}
    for topic in part.topics:
        (asked,) = filter(re.compile(r"\d").match, normal_numbers(topic.text))
        family = [key for key in texts if key.startswith(f"{topic.topic_id}-")]
        assert len(family) == 7
        assert {key for key in family if asked in numbers[key]} == set(part.qrels[topic.topic_id])


def test_the_number_is_written_otherwise_in_the_answers(shipped: dict[str, Any]) -> None:
    part = build(shipped, 50)
    texts = {document.doc_id: document.text for document in part.documents}
    topic = next(topic for topic in part.topics if topic.cluster == "numbers/approved")
    (asked,) = re.findall(r"\d{4,}", topic.text)
    for key in part.qrels[topic.topic_id]:
        assert asked not in texts[key]
        assert f"{int(asked):,}" in texts[key]


@pytest.mark.parametrize(
    ("entry", "value", "forms"),
    [
        ({"is": "amount", "from": 1000, "to": 9999}, 1200, {"grouped": "1,200", "plain": "1200"}),
        (
            {"is": "price", "from": 1000, "to": 9999, "sign": "€", "code": "EUR", "word": "euros"},
            4050,
            {"sign": "€4,050", "code": "EUR 4,050", "words": "4050 euros"},
        ),
        (
            {"is": "percentage", "from": 10, "to": 99},
            35,
            {"sign": "3.5%", "words": "3.5 percent", "british": "3.5 per cent"},
        ),
        (
            {"is": "measure", "from": 10, "to": 99, "unit": "km", "word": "kilometres"},
            10,
            {"tight": "10km", "spaced": "10 km", "words": "10 kilometres"},
        ),
        (
            {"is": "rounded", "from": 1, "to": 99, "round": 1000000, "step": 100000, "letter": "M", "word": "million"},
            25,
            {"grouped": "2,500,000", "words": "2.5 million", "short": "2.5M"},
        ),
        ({"is": "count"}, (1, 3), {"figures": "34", "words": "thirty-four"}),
        (
            {"is": "date"},
            (2026, 3, 5),
            {"iso": "2026-03-05", "british": "5 March 2026", "american": "March 5, 2026", "short": "5 Mar 2026"},
        ),
        ({"is": "time"}, (14, 30), {"clock": "14:30", "spaced": "2:30 pm", "tight": "2:30pm"}),
        ({"is": "time"}, (9, 5), {"clock": "09:05", "spaced": "9:05 am", "tight": "9:05am"}),
    ],
)
def test_a_value_is_written_in_these_forms(entry: dict[str, Any], value: Any, forms: dict[str, str]) -> None:
    from gate.corpus.entry import Entry

    kind = KINDS[entry["is"]](Entry.of("numbers", entry))
    assert kind.forms(value) == forms


@pytest.mark.parametrize("name", sorted(KINDS))
def test_values_near_to_another_are_written_otherwise(shipped: dict[str, Any], name: str) -> None:
    from gate.corpus.entry import Entry

    entry = next(below for below in shipped["kinds"].values() if below["is"] == name)
    kind = KINDS[name](Entry.of("numbers", entry))
    rng = Rng(7, name)
    for _ in range(50):
        value = kind.draw(rng)
        near = kind.near(rng, value)
        same = set(kind.forms(value).values()) & set(kind.forms(near).values())
        assert bool(same) == (near == value)
        assert len(set(kind.forms(value).values())) == len(kind.forms(value))


def test_the_same_seed_gives_the_same_part_and_another_seed_another(shipped: dict[str, Any]) -> None:
    assert build(shipped, 20) == build(shipped, 20)
    assert build(shipped, 20) != build(shipped, 20, seed=8)


def test_there_are_no_distractors(shipped: dict[str, Any]) -> None:
    assert Numbers().distractor(Rng(7), shipped, 0) is None


def refused(data: dict[str, Any], match: str) -> UsageError:
    with pytest.raises(UsageError, match=match) as caught:
        build(data, 26)
    assert caught.value.where
    return caught.value


def test_an_unknown_kind_of_number_and_an_empty_range_are_refused(data: dict[str, Any]) -> None:
    data["kinds"]["date"]["is"] = "weekday"
    refused(data, "there is no kind 'weekday'")
    data["kinds"]["date"]["is"] = "date"
    data["kinds"]["amount"]["from"] = 100000
    refused(data, "no number from 100000 to 98769")
