"""Russian, Turkish and Finnish: only the stem links a question to its documents, and no form of it does."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import takewhile
from typing import Any

import pytest
import Stemmer
from bm25_judge import recall_at_5

from gate.corpus.family import Part
from gate.corpus.morphology import Morphology
from gate.corpus.recipe import load_recipe, read_family
from gate.corpus.rng import Rng
from gate.records import Document

LANGUAGES = {"morphology-ru": "russian", "morphology-tr": "turkish", "morphology-fi": "finnish"}
FULL = 50


@pytest.fixture(scope="module")
def shipped() -> dict[str, Any]:
    return dict(read_family(load_recipe("seeded"), "morphology"))


@pytest.fixture(scope="module")
def parts(shipped: dict[str, Any]) -> dict[str, Part]:
    """The slices as the shipped recipe has them made."""
    seed = load_recipe("seeded").seed
    return {name: Morphology().build(Rng(seed, "morphology"), shipped, {name: FULL}) for name in LANGUAGES}


@pytest.fixture(params=sorted(LANGUAGES))
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())


def stems(name: str) -> Callable[[str], list[str]]:
    stemmer = Stemmer.Stemmer(LANGUAGES[name])
    return lambda text: [str(stem) for stem in stemmer.stemWords(words(text))]


def beginnings(text: str) -> list[str]:
    """The first five letters of each word: stemming for want of a stemmer."""
    return [word[:5] for word in words(text)]


def others(parts: dict[str, Part], name: str) -> list[Document]:
    return [document for other, part in parts.items() if other != name for document in part.documents]


def test_stemming_finds_what_exact_words_do_not(parts: dict[str, Part], name: str) -> None:
    part, noise = parts[name], others(parts, name)
    stemmed, begun = recall_at_5(part, noise, stems(name)), recall_at_5(part, noise, beginnings)
    assert stemmed >= 0.95
    assert begun >= 0.8
    assert min(stemmed, begun) < 1.0
    assert recall_at_5(part, noise, words) < 0.2


def test_a_question_shares_its_stem_but_no_form_with_its_documents_and_with_no_others(
    shipped: dict[str, Any], parts: dict[str, Part], name: str
) -> None:
    part = parts[name]
    forms = {form for word in shipped["slices"][name]["words"] for form in word["forms"].values()}
    for topic in part.topics:
        (form,) = set(words(topic.text)) & forms
        (stem,) = stems(name)(form)
        answering = {key for key, grade in part.qrels[topic.topic_id].items() if grade > 0}
        assert len(answering) == 3
        for document in part.documents:
            assert form not in words(document.text) or document.doc_id not in answering
            assert (stem in stems(name)(document.text)) == (document.doc_id in answering)


@pytest.mark.parametrize("count", [20, FULL])
def test_every_topic_asked_for_is_made_from_enough_templates(shipped: dict[str, Any], name: str, count: int) -> None:
    part = Morphology().build(Rng(20260106, "morphology"), shipped, {name: count})
    assert len(part.topics) == len({topic.text for topic in part.topics}) == count
    assert len({topic.cluster for topic in part.topics}) >= min(count - 5, 20)
    assert all(topic.slices == (name,) for topic in part.topics)
    assert {document.lang for document in part.documents} == {name[-2:]}


def test_forms_differ_in_their_endings_only(shipped: dict[str, Any], name: str) -> None:
    """No gradation, fleeting vowel or softened consonant, which a stemmer would not see through."""
    for word in shipped["slices"][name]["words"]:
        forms = list(word["forms"].values())
        beginning = takewhile(lambda letters: len(set(letters)) == 1, zip(*forms, strict=False))
        assert len(list(beginning)) >= min(map(len, forms)) - 2


def test_people_do_not_write_to_themselves(shipped: dict[str, Any]) -> None:
    """Names stand in lists by case, and one sentence may draw from two of them."""
    for slice_name, by_case in (
        ("morphology-ru", [("m", "of"), ("f", "to")]),
        ("morphology-tr", [("name", "to"), ("name", "at")]),
        ("morphology-fi", [("name", "to"), ("name", "has"), ("name", "of")]),
    ):
        entry = shipped["slices"][slice_name]
        texts = [text for templates in entry["documents"].values() for text in templates.values()]
        for subject, inflected in by_case:
            met = [text for text in texts if f"{{{subject}}}" in text and f"{{{inflected}}}" in text]
            people = [{person[:3] for person in entry["slots"][slot]} for slot in (subject, inflected)]
            assert not met or people[0].isdisjoint(people[1])
        allowed = {"morphology-ru": [("m", "to"), ("f", "of")]}.get(slice_name, [])
        for subject, inflected in allowed:
            assert not [text for text in texts if f"{{{subject}}}" in text and f"{{{inflected}}}" in text]
