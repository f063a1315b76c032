"""Word forms of German, French, Spanish, Italian and Portuguese."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
import Stemmer
from bm25_judge import recall_at_5

from gate.corpus.family import Part
from gate.corpus.morphology import Morphology
from gate.corpus.recipe import load_recipe, read_family
from gate.corpus.rng import Rng

LANGUAGES = {"de": "german", "fr": "french", "es": "spanish", "it": "italian", "pt": "portuguese"}
EVERY = pytest.mark.parametrize("lang", LANGUAGES)


def words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())


def stems(lang: str) -> Callable[[str], list[str]]:
    stemmer = Stemmer.Stemmer(LANGUAGES.get(lang, "english"))
    return lambda text: [str(stem) for stem in stemmer.stemWords(words(text))]


def four_grams(text: str) -> list[str]:
    return [f"#{word}#"[start : start + 4] for word in words(text) for start in range(max(1, len(word) - 1))]


def plain(word: str) -> str:
    letters = unicodedata.normalize("NFD", word.lower())
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


@pytest.fixture(scope="module")
def shipped() -> dict[str, Any]:
    data: dict[str, Any] = dict(read_family(load_recipe("seeded"), "morphology"))
    return data


@pytest.fixture(scope="module")
def part(shipped: dict[str, Any]) -> Part:
    """All five languages and English, as they stand in one store."""
    wanted = {f"morphology-{lang}": 48 for lang in LANGUAGES} | {"morphology-en": 150}
    return Morphology().build(Rng(7, "morphology"), shipped, wanted)


def only(part: Part, lang: str) -> Part:
    """The topics of one language, over the documents of all."""
    return replace(part, topics=tuple(topic for topic in part.topics if topic.slices == (f"morphology-{lang}",)))


def forms(shipped: dict[str, Any], lang: str) -> Iterator[str]:
    for word in shipped["slices"][f"morphology-{lang}"]["words"]:
        yield from word["forms"].values()


@EVERY
def test_stemming_finds_what_exact_words_and_ascii_do_not(part: Part, lang: str) -> None:
    asked = only(part, lang)
    assert recall_at_5(asked, [], stems(lang)) >= 0.9
    assert recall_at_5(asked, [], words) <= 0.2
    assert recall_at_5(asked, [], lambda text: re.findall(r"[a-z]+", text.lower())) <= 0.2


@EVERY
def test_stems_of_another_language_do_not_do(part: Part, lang: str) -> None:
    assert recall_at_5(only(part, lang), [], stems("en")) <= 0.5


@EVERY
def test_two_good_engines_are_not_both_perfect(part: Part, lang: str) -> None:
    asked = only(part, lang)
    assert min(recall_at_5(asked, [], tokens) for tokens in (stems(lang), four_grams)) < 1.0


@EVERY
def test_no_other_language_has_a_word_with_a_stem_that_is_asked(shipped: dict[str, Any], part: Part, lang: str) -> None:
    """Were `guitarra` Spanish and Portuguese, the documents of both would answer a question in one of them."""
    stem = stems(lang)
    own = {token for form in forms(shipped, lang) for letters in (form, plain(form)) for token in stem(letters)}
    for document in part.documents:
        if document.lang != lang:
            shared = own & {*stem(document.text), *stem(plain(document.text))}
            assert not shared, f"{document.text}: {shared}"


@EVERY
@pytest.mark.parametrize("count", [20, 48])
def test_every_topic_asked_for_is_made_from_enough_templates(shipped: dict[str, Any], lang: str, count: int) -> None:
    made = Morphology().build(Rng(7, "morphology"), shipped, {f"morphology-{lang}": count})
    assert len(made.topics) == count
    assert len({topic.cluster for topic in made.topics}) >= 12
    assert {document.lang for document in made.documents} == {lang}
    assert {len(made.qrels[topic.topic_id]) for topic in made.topics} == {3}


@EVERY
def test_there_are_twenty_templates_and_more_for_documents_and_for_questions(
    shipped: dict[str, Any], lang: str
) -> None:
    language = shipped["slices"][f"morphology-{lang}"]
    for kind in ("documents", "queries"):
        texts = {text for templates in language[kind].values() for text in templates.values()}
        assert len(texts) >= 18
    assert sum(len(templates) for templates in language["documents"].values()) >= 30


@pytest.mark.parametrize(
    ("lang", "noun", "before"),
    [
        ("de", "Korb", ["der", "den", "vom", "einen", "ein", "unser", "unseren", "unserem"]),
        ("de", "Kerze", ["die", "eine", "von der", "unsere", "unserer"]),
        ("de", "Regal", ["das", "ein", "vom", "unser", "unserem"]),
        ("fr", "marteau", ["le", "du", "un", "ce"]),
        ("fr", "brouette", ["la", "de la", "une", "cette"]),
        ("fr", "établi", ["l'", "de l'", "un", "cet"]),
        ("fr", "enclume", ["l'", "de l'", "une", "cette"]),
        ("es", "cajón", ["el", "del", "al", "un", "ese"]),
        ("es", "cajones", ["los", "cuatro", "los dos", "siete", "tres", "de", "esos", "cuántos"]),
        ("es", "maleta", ["la", "de la", "a la", "una", "esa"]),
        ("it", "tappeto", ["il", "del", "al", "un", "quel"]),
        ("it", "zaino", ["lo", "dello", "allo", "uno", "quello"]),
        ("it", "zaini", ["gli", "degli", "quattro", "sette", "tre", "quegli", "quanti"]),
        ("it", "ombrello", ["l'", "dell'", "all'", "un", "quell'"]),
        ("it", "insegna", ["l'", "dell'", "all'", "un'", "quell'"]),
        ("pt", "martelo", ["o", "do", "no", "um", "aquele"]),
        ("pt", "sacola", ["a", "da", "na", "uma", "aquela"]),
        ("pt", "sacolas", ["as", "das", "quatro", "sete", "três", "aquelas", "quantas"]),
    ],
)
def test_the_article_before_a_noun_is_one_that_it_takes(
    shipped: dict[str, Any], lang: str, noun: str, before: list[str]
) -> None:
    """The articles were written down here from grammars, not from the data."""
    ending = tuple(f" {word}" if word.endswith("'") else f" {word} " for word in before)
    seen = 0
    for seed in range(12):
        made = Morphology().build(Rng(seed, "morphology"), shipped, {f"morphology-{lang}": 48})
        for text in (*(document.text for document in made.documents), *(topic.text for topic in made.topics)):
            head, *found = re.split(rf"\b{noun.lower()}\b", f" {text.lower()}".replace("¿", ""))
            if found:
                seen += 1
                assert head.endswith(ending), text
    assert seen > 3
