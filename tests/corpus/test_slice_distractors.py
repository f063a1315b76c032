"""Distractors in the languages of the slices of word forms. Those of writing systems are tested with their slices."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

import pytest
import Stemmer

from gate.corpus.family import ListsDistractorWords
from gate.corpus.morphology import Morphology
from gate.corpus.recipe import load_recipe, read_family
from gate.corpus.rng import Rng
from gate.corpus.template import slots_of
from gate.corpus.words import words_in
from gate.errors import UsageError
from gate.records import Document
from gate.stores.reference.function_words import BY_LANGUAGE

LANGUAGES = ("de", "es", "fi", "fr", "it", "pt", "ru", "tr")


@pytest.fixture(scope="module")
def shipped() -> dict[str, Any]:
    data: dict[str, Any] = dict(read_family(load_recipe("seeded"), "morphology"))
    return data


def made(data: dict[str, Any], count: int) -> list[Document]:
    family = Morphology()
    documents = [family.distractor(Rng(7, "noise", index), data, index) for index in range(count)]
    return [document for document in documents if document is not None]


def test_languages_take_turns(shipped: dict[str, Any]) -> None:
    documents = made(shipped, 80)
    assert Counter(document.lang for document in documents) == dict.fromkeys(LANGUAGES, 10)
    assert len({document.text for document in documents}) == 80


def test_every_slot_is_filled_and_every_list_is_drawn_from(shipped: dict[str, Any]) -> None:
    assert not [document.text for document in made(shipped, 2000) if "{" in document.text]
    for lang in LANGUAGES:
        entry = shipped["slices"][f"morphology-{lang}"]["distractors"]
        drawn = set(slots_of("".join(entry["templates"].values())))
        assert drawn == {*entry["slots"], *entry["numbers"]}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_distractor_has_the_stem_of_a_word_that_is_asked(shipped: dict[str, Any], lang: str) -> None:
    entry = shipped["slices"][f"morphology-{lang}"]
    stem = Stemmer.Stemmer(entry["stemmer"]).stemWord
    asked = {stem(form.lower()) for word in entry["words"] for form in word["forms"].values()}
    told = {stem(word) for document in made(shipped, 2000) if document.lang == lang for word in words_in(document.text)}
    assert told
    assert not told & asked


@pytest.mark.parametrize("lang", LANGUAGES)
def test_distractors_share_function_words_only_with_the_questions(shipped: dict[str, Any], lang: str) -> None:
    entry = shipped["slices"][f"morphology-{lang}"]
    stem = Stemmer.Stemmer(entry["stemmer"]).stemWord
    questions = " ".join(text for texts in entry["queries"].values() for text in texts.values())
    asked = {word for word in words_in(re.sub(r"\{.+?\}", " ", questions)) if word not in BY_LANGUAGE[lang]}
    told = Morphology().distractor_words(shipped)[lang]
    assert not {stem(word) for word in asked} & {stem(word) for word in told}


def test_a_distractor_with_the_stem_of_a_word_that_is_asked_is_refused(data: dict[str, Any]) -> None:
    family = Morphology()
    family.check_words(data, {}, family.distractor_words(data))
    data["slices"]["morphology-pt"]["distractors"]["templates"]["birds"] = "Vi dois martelos {onde}."
    with pytest.raises(UsageError, match="distractors have 'martelos', whose stem is 'martel'"):
        family.check_words(data, {}, Morphology().distractor_words(data))


def test_the_words_of_distractors_are_listed_by_language(shipped: dict[str, Any]) -> None:
    family = Morphology()
    assert isinstance(family, ListsDistractorWords)
    listed = family.distractor_words(shipped)
    assert listed.keys() == set(LANGUAGES)
    for document in made(shipped, 400):
        assert not {word for word in words_in(document.text) if not word.isdigit()} - listed[document.lang]


def test_slices_without_distractors_make_none(data: dict[str, Any]) -> None:
    alone = {"slices": {"morphology-en": data["slices"]["morphology-en"]}}
    assert Morphology().distractor(Rng(7), alone, 0) is None
    assert Morphology().distractor_words(alone) == {}
