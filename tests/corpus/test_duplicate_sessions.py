"""One precise answer among vague sessions that repeat the question."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import bm25s
import pytest
import Stemmer
from bm25_judge import recall_at_5
from bm25s.stopwords import STOPWORDS_EN_PLUS

from gate.corpus.duplicates import Duplicates
from gate.corpus.family import Part
from gate.corpus.recipe import load_recipe, read_family
from gate.corpus.rng import Rng
from gate.errors import UsageError
from gate.records import Document

PLAIN, KNOWN = "duplicates", "duplicates-known"
COUNT = 40


@pytest.fixture(scope="module")
def shipped() -> dict[str, Any]:
    return dict(read_family(load_recipe("seeded"), "duplicates"))


def build(data: dict[str, Any], seed: int = 7, **counts: int) -> Part:
    wanted = {PLAIN: counts.get("plain", COUNT), KNOWN: counts.get("known", COUNT)}
    return Duplicates().build(Rng(seed, "duplicates"), data, {name: count for name, count in wanted.items() if count})


def only(part: Part, slice_name: str) -> Part:
    """The same documents, and the topics of one slice."""
    topics = tuple(topic for topic in part.topics if slice_name in topic.slices)
    return Part(part.documents, topics, part.qrels, {})


def stems(text: str) -> list[str]:
    words = [word for word in re.findall(r"\w+", text.lower()) if word not in STOPWORDS_EN_PLUS]
    return [str(stem) for stem in Stemmer.Stemmer("english").stemWords(words)]


def rankings(part: Part, noise: Sequence[Document], *, known: bool) -> list[list[Document]]:
    """Per topic the documents that share a word with it, best first; `known` honours scopes and index texts."""
    documents = [*part.documents, *noise]
    engine = bm25s.BM25(k1=1.2, b=0.75)
    texts = [document.index_text or document.text if known else document.text for document in documents]
    engine.index([stems(text) for text in texts], show_progress=False)
    found = []
    for topic in part.topics:
        order, scores = engine.retrieve([stems(topic.text)], k=len(documents), show_progress=False)
        hits = [documents[at] for at, score in zip(order[0], scores[0], strict=True) if score > 0]
        found.append([hit for hit in hits if not (known and topic.scope) or hit.scope <= topic.scope])
    return found


def without_near_duplicates(hits: Sequence[Document], overlap: float = 0.5) -> list[Document]:
    """The hits, each left out that shares half of its words with an earlier one (Jaccard)."""
    kept: list[tuple[Document, set[str]]] = []
    for hit in hits[:60]:
        own = set(stems(hit.text))
        if all(len(own & other) < overlap * len(own | other) for _, other in kept):
            kept.append((hit, own))
    return [hit for hit, _ in kept]


def found_in_5(part: Part, ranked: Sequence[Sequence[Document]]) -> float:
    hits = [
        topic.topic_id in {hit.doc_id for hit in order[:5]} for topic, order in zip(part.topics, ranked, strict=True)
    ]
    return sum(hits) / len(hits)


def test_the_answer_drowns_among_what_repeats_the_question(shipped: dict[str, Any], noise: list[Document]) -> None:
    assert 0.1 <= recall_at_5(only(build(shipped), PLAIN), noise, stems) <= 0.4


def test_leaving_out_near_duplicates_brings_the_answer_up(shipped: dict[str, Any], noise: list[Document]) -> None:
    part = only(build(shipped), PLAIN)
    ranked = rankings(part, noise, known=False)
    assert found_in_5(part, [without_near_duplicates(hits) for hits in ranked]) >= 0.8


def test_what_the_writer_knows_finds_the_answer_and_the_text_alone_does_not(
    shipped: dict[str, Any], noise: list[Document]
) -> None:
    part = only(build(shipped), KNOWN)
    assert found_in_5(part, rankings(part, noise, known=True)) >= 0.9
    assert found_in_5(part, rankings(part, noise, known=False)) <= 0.4


def test_the_vague_ones_use_more_of_the_questions_words(shipped: dict[str, Any]) -> None:
    part = build(shipped)
    documents = {document.doc_id: document for document in part.documents}
    for topic in part.topics:
        asked = set(stems(topic.text))
        about = [documents[f"{topic.topic_id}-{turn}"] for turn in range(1, 8)]
        shared = len(asked & set(stems(documents[topic.topic_id].text)))
        assert sum(len(asked & set(stems(vague.text))) > shared for vague in about) in (3, 7)


def test_a_topic_has_one_answer_and_a_subject_of_its_own(shipped: dict[str, Any]) -> None:
    part = build(shipped)
    assert len(part.topics) == 2 * COUNT == len({topic.text for topic in part.topics})
    assert len(part.documents) == 8 * 2 * COUNT
    for topic in part.topics:
        assert part.qrels[topic.topic_id] == {topic.topic_id: 3}
        (subject,) = {name for name in shipped["subjects"] if re.search(rf"\b{name}\b", topic.text)}
        about = {document.doc_id for document in part.documents if re.search(rf"\b{subject}\b", document.text)}
        assert about == {topic.topic_id, *(f"{topic.topic_id}-{turn}" for turn in range(1, 8))}


def test_writers_know_index_texts_scopes_and_kinds_in_turn(shipped: dict[str, Any]) -> None:
    part = build(shipped, known=30)
    documents = {document.doc_id: document for document in part.documents}
    for number in range(30):
        (topic,) = (topic for topic in part.topics if topic.topic_id == f"{KNOWN}-{number}")
        answer = documents[topic.topic_id]
        vague = [documents[f"{topic.topic_id}-{turn}"] for turn in range(1, 8)]
        assert bool(answer.index_text) == all(one.index_text for one in vague) == (number % 3 == 0)
        assert answer.scope == topic.scope
        visible = sum(one.scope <= topic.scope for one in vague)
        assert visible == (7, 4, 0)[number % 3]
    for document in part.documents:
        if document.doc_id.startswith(f"{PLAIN}-") and not document.doc_id.startswith(f"{KNOWN}-"):
            assert not document.index_text
            assert not document.scope


@pytest.mark.parametrize("count", [20, COUNT])
def test_every_slice_rests_on_enough_templates(shipped: dict[str, Any], count: int) -> None:
    part = build(shipped, plain=count, known=count)
    for name in (PLAIN, KNOWN):
        assert len({topic.cluster for topic in only(part, name).topics}) == 15


def test_answers_are_no_longer_than_vague_ones(shipped: dict[str, Any]) -> None:
    part = build(shipped)
    answers = [len(document.text) for document in part.documents if document.doc_id in part.qrels]
    others = [len(document.text) for document in part.documents if document.doc_id not in part.qrels]
    assert 0.85 <= sum(answers) / len(answers) / (sum(others) / len(others)) <= 1.1


def test_the_same_seed_gives_the_same_part_and_another_seed_another(shipped: dict[str, Any]) -> None:
    assert build(shipped) == build(shipped)
    assert build(shipped) != build(shipped, seed=8)


def test_fewer_subjects_than_topics_are_refused(data: dict[str, Any]) -> None:
    data["subjects"] = data["subjects"][:30]
    with pytest.raises(UsageError, match="30 subjects for 80 topics") as caught:
        build(data)
    assert caught.value.slug == "recipe-few-words"
    assert caught.value.where == "duplicates.yml: subjects"


def test_too_few_templates_are_refused(data: dict[str, Any]) -> None:
    templates = data["slices"][PLAIN]["templates"]
    data["slices"][PLAIN]["templates"] = dict(list(templates.items())[:9])
    with pytest.raises(UsageError) as caught:
        build(data)
    assert caught.value.slug == "recipe-few-templates"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda data: data["slices"][KNOWN].update(known=["telepathy"]), "not 'telepathy'"),
        (lambda data: data["slices"][PLAIN].update(repeating=[8]), "8 cannot repeat the question"),
        (lambda data: data["slices"][KNOWN]["templates"]["mats"].pop("index"), "'index' is missing"),
        (lambda data: data.update(asides=data["asides"][:6]), "at least 7 texts and has 6"),
        (lambda data: data.update(projects=["cleaning"]), "at least two are needed"),
    ],
)
def test_data_that_breaks_a_rule_is_refused_with_its_place(data: dict[str, Any], change: Any, said: str) -> None:
    change(data)
    with pytest.raises(UsageError, match=said) as caught:
        build(data)
    assert caught.value.where.startswith("duplicates.yml: ")


def test_an_unknown_slice_is_refused(shipped: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match="'triplicates' is missing"):
        Duplicates().build(Rng(7), shipped, {"triplicates": 20})
