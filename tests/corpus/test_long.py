"""Long documents: one paragraph among two dozen answers."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import bm25s
import pytest
from bm25_judge import recall_at_5
from bm25s.stopwords import STOPWORDS_EN_PLUS

from gate.corpus.family import Family, Part
from gate.corpus.lifecycle import Lifecycle
from gate.corpus.long import Long
from gate.corpus.memory import Memory
from gate.corpus.morphology import Morphology
from gate.corpus.recipe import load_recipe, read_family
from gate.corpus.rng import Rng
from gate.corpus.typos import Typos
from gate.errors import UsageError
from gate.records import Document

SLICE = "long"
COUNT = 30
BEGINNING = 300  # words


@pytest.fixture(scope="module")
def shipped() -> dict[str, Any]:
    return dict(read_family(load_recipe("seeded"), "long"))


@pytest.fixture(scope="module")
def part(shipped: dict[str, Any]) -> Part:
    return build(shipped)


@pytest.fixture(scope="module")
def noise() -> list[Document]:
    """Short documents of other families, some with a word or two of the questions."""
    recipe = load_recipe("seeded")
    others: dict[str, tuple[Family, dict[str, int]]] = {
        "memory": (Memory(), {"memory": 200}),
        "morphology": (Morphology(), {"morphology-en": 150}),
        "lifecycle": (Lifecycle(), {"superseded": 80, "scopes": 80, "references": 60, "deleted": 60}),
        "typos": (Typos(), {"typos": 48}),
    }
    made: list[Document] = []
    for name, (family, topics) in others.items():
        made.extend(family.build(Rng(7, name), read_family(recipe, name), topics).documents)
    return made


def build(data: dict[str, Any], count: int = COUNT, seed: int = 7) -> Part:
    return Long().build(Rng(seed, "long"), data, {SLICE: count})


def words(text: str) -> list[str]:
    return [word for word in re.findall(r"\w+", text.lower()) if word not in STOPWORDS_EN_PLUS]


def paragraphs_found(part: Part, noise: list[Document], cut: Callable[[str], list[str]]) -> float:
    """R@5 of bm25s where each piece of a document is indexed on its own, and its best piece stands for it."""
    pieces = [(document.doc_id, words(piece)) for document in (*part.documents, *noise) for piece in cut(document.text)]
    engine = bm25s.BM25(k1=1.2, b=0.75)
    engine.index([piece for _, piece in pieces], show_progress=False)
    found = 0
    for topic in part.topics:
        order, _ = engine.retrieve([words(topic.text)], k=50, show_progress=False)
        first = list(dict.fromkeys(pieces[at][0] for at in order[0]))[:5]
        found += topic.topic_id in first
    return found / len(part.topics)


def test_paragraphs_and_whole_documents_find_the_answers(part: Part, noise: list[Document]) -> None:
    by_paragraph = paragraphs_found(part, noise, lambda text: text.split("\n\n"))
    whole = recall_at_5(part, noise, words)
    assert by_paragraph >= 0.9
    assert whole >= 0.8
    assert by_paragraph < 1 or whole < 1


@pytest.mark.parametrize("count", [20, COUNT])
def test_the_beginning_alone_finds_a_third_of_them(shipped: dict[str, Any], noise: list[Document], count: int) -> None:
    made = build(shipped, count)
    cut = tuple(replace(document, text=beginning(document.text)) for document in made.documents)
    assert 0.25 <= recall_at_5(replace(made, documents=cut), noise, words) <= 0.4


def beginning(text: str) -> str:
    return " ".join(text.split()[:BEGINNING])


def answers(shipped: dict[str, Any], part: Part) -> list[tuple[float, int]]:
    """Of each topic's answer where in its document it begins, from 0 to 1, and after how many words it ends."""
    texts = {document.doc_id: document.text for document in part.documents}
    found = []
    for topic in part.topics:
        spot = next(spot for spot in shipped["spots"] if spot in topic.text)
        thing = next(thing for thing in shipped["things"] if re.search(rf"\b{thing}\b", topic.text))
        days = texts[topic.topic_id].split("\n\n")
        (at,) = (at for at, day in enumerate(days) if spot in day and re.search(rf"\b{thing}\b", day))
        share = len(" ".join(days[:at])) / len(texts[topic.topic_id])
        found.append((share, len(" ".join(days[: at + 1]).split())))
    return found


def test_answers_stand_early_in_the_middle_and_late_in_equal_numbers(shipped: dict[str, Any], part: Part) -> None:
    found = answers(shipped, part)
    assert sum(end <= BEGINNING for _, end in found) == COUNT // 3
    assert sum(0.4 < share < 0.6 for share, _ in found) == COUNT // 3
    assert sum(share > 0.8 for share, _ in found) == COUNT // 3


def test_only_its_own_document_answers_a_topic(shipped: dict[str, Any], part: Part) -> None:
    for topic in part.topics:
        matter = shipped["matters"][topic.cluster.split("/")[1]]
        named = {key: value for key in ("thing", "spot") for value in shipped[f"{key}s"] if value in topic.text}
        telling = matter["tells"].split(".")[0]
        pattern = re.sub(r"\\\{\w+\\\}", ".+?", re.escape(telling.replace("{thing}", named["thing"])))
        holding = [
            document.doc_id
            for document in part.documents
            for day in document.text.split("\n\n")
            if named["spot"] in day and re.search(rf"\b{named['thing']}\b", day) and re.search(pattern, day)
        ]
        assert holding == [topic.topic_id]


def test_documents_are_long_and_varied_and_length_tells_nothing(part: Part) -> None:
    lengths = {document.doc_id: len(document.text.split()) for document in part.documents}
    assert all(1500 <= length <= 3000 for length in lengths.values())
    answering = [length for key, length in lengths.items() if key in part.qrels]
    others = [length for key, length in lengths.items() if key not in part.qrels]
    assert len(answering) == len(others) == COUNT
    assert abs(sum(answering) - sum(others)) / sum(others) < 0.05
    for document in part.documents:
        sentences = [sentence for day in document.text.split("\n\n") for sentence in re.split(r"(?<=[.?!]) ", day)]
        assert len(set(sentences)) > 0.9 * len(sentences)
    assert sum(len(document.text) for document in part.documents) < 1_500_000


def test_days_follow_each_other(part: Part) -> None:
    for document in part.documents:
        dates = [day[:10] for day in document.text.split("\n\n")]
        assert dates == sorted(set(dates))
        assert document.created_at[:10] > dates[-1]


@pytest.mark.parametrize("count", [20, COUNT])
def test_every_topic_asked_for_is_made_from_enough_matters(shipped: dict[str, Any], count: int) -> None:
    made = build(shipped, count)
    assert len(made.topics) == len({topic.text for topic in made.topics}) == count
    assert len({topic.cluster for topic in made.topics}) == 18
    assert len(made.documents) == 2 * count
    assert all(made.qrels[topic.topic_id] == {topic.topic_id: 3} for topic in made.topics)


def test_the_same_seed_gives_the_same_part_and_another_seed_another(shipped: dict[str, Any], part: Part) -> None:
    assert build(shipped) == part
    assert build(shipped, seed=8) != part


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda data: data.update(spots=data["spots"][:20]), "20 spots for 30 topics"),
        (lambda data: data.update(things=data["things"][:1]), "too few things"),
        (lambda data: data["days"].update(short=data["days"]["desk"][:4]), "at least 5 sentences"),
        (lambda data: data["days"]["desk"].append("We had tea in the orangery."), "'orangery'"),
        (lambda data: data["matters"]["bats"].update(asks="bats at {spot}"), "needs the slots"),
        (lambda data: data.update(matters=dict(list(data["matters"].items())[:9])), "rest on 9 templates"),
    ],
)
def test_data_that_breaks_a_rule_is_refused_with_its_place(data: dict[str, Any], change: Any, said: str) -> None:
    change(data)
    with pytest.raises(UsageError, match=said) as caught:
        build(data)
    assert caught.value.where.startswith("long.yml: ")
