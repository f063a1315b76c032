"""Compounds: only a part of a word links a question to its documents."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from typing import Any

import pytest
import Stemmer
from bm25_judge import recall_at_5

from gate.corpus.compounds import Compounds
from gate.corpus.family import ChecksWords, Part
from gate.corpus.morphology import Morphology
from gate.corpus.recipe import load_recipe, read_family
from gate.corpus.rng import Rng
from gate.errors import UsageError
from gate.records import Document

SLICE = "compounds-de"


def words(text: str) -> list[str]:
    return re.findall(r"[a-zäöüß]+", text.lower())


def stems(text: str) -> list[str]:
    return [str(stem) for stem in Stemmer.Stemmer("german").stemWords(words(text))]


def plain(word: str) -> str:
    letters = unicodedata.normalize("NFD", word.lower())
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


def four_grams(text: str) -> list[str]:
    marked = [f"#{plain(word)}#" for word in words(text)]
    return [word[start : start + 4] for word in marked for start in range(max(1, len(word) - 3))]


def splitter(dictionary: Iterable[str]) -> Any:
    """Stems, and those of the dictionary's words within a word: what dictionary decompounders do."""
    parts = sorted({stem for word in dictionary for stem in stems(plain(word))})

    def tokens(text: str) -> list[str]:
        found = []
        for stem in stems(text):
            found += [stem, *(part for part in parts if part in plain(stem) and part != stem)]
        return found

    return tokens


@pytest.fixture(scope="module")
def shipped() -> dict[str, Any]:
    data: dict[str, Any] = dict(read_family(load_recipe("seeded"), "compounds"))
    return data


@pytest.fixture(scope="module")
def others() -> list[Document]:
    """German documents of another family, which share names, towns, days and function words."""
    data = read_family(load_recipe("seeded"), "morphology")
    return list(Morphology().build(Rng(7, "morphology"), data, {"morphology-de": 48}).documents)


def build(data: dict[str, Any], count: int, seed: int = 7) -> Part:
    return Compounds().build(Rng(seed, "compounds"), data, {SLICE: count})


def add(data: dict[str, Any], **family: Any) -> None:
    data["slices"][SLICE]["words"].append(family)


def all_of(data: dict[str, Any]) -> int:
    return len(data["slices"][SLICE]["words"])


def test_parts_of_words_are_found_by_two_ways_and_whole_words_and_stems_find_nothing(
    shipped: dict[str, Any], others: list[Document]
) -> None:
    part = build(shipped, 48)
    dictionary = [
        word for family in shipped["slices"][SLICE]["words"] for word in (family.get("parts") or family["ask"].values())
    ]
    good = [recall_at_5(part, others, tokens) for tokens in (four_grams, splitter(dictionary))]
    assert min(good) >= 0.8
    assert min(good) < 1.0
    assert recall_at_5(part, others, words) <= 0.2
    assert recall_at_5(part, others, stems) <= 0.2


@pytest.mark.parametrize("count", [20, 48])
def test_every_topic_asked_for_is_made_from_enough_templates(shipped: dict[str, Any], count: int) -> None:
    part = build(shipped, count)
    assert len(part.topics) == len({topic.text for topic in part.topics}) == count
    assert len({topic.cluster for topic in part.topics}) >= 10
    assert all(topic.slices == (SLICE,) for topic in part.topics)
    assert {len(part.qrels[topic.topic_id]) for topic in part.topics} == {2, 3}


def test_both_directions_are_asked(shipped: dict[str, Any]) -> None:
    kinds = [topic.cluster.split("/")[1].split("-")[0] for topic in build(shipped, 48).topics]
    assert kinds.count("part") > kinds.count("whole") >= 10


def test_the_article_is_that_of_the_compound(data: dict[str, Any]) -> None:
    """`Wartung` is feminine, `das Wartungsfenster` neuter, `der Wartungsplan` masculine."""
    language = data["slices"][SLICE]
    language["documents"] = {f"t{number}": "{Der} {w} ist da." for number in range(10)}
    texts = {document.text for document in build(data, 48).documents}
    assert "Das Wartungsfenster ist da." in texts
    assert "Der Wartungsplan ist da." in texts
    assert "Die Kirchenorgel ist da." in texts


def test_documents_say_who_when_and_in_which_session(shipped: dict[str, Any]) -> None:
    for document in build(shipped, 20).documents:
        assert document.session_id
        assert document.speaker
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", document.created_at)
        assert document.lang == "de"


def test_the_same_seed_gives_the_same_part_and_another_seed_another(shipped: dict[str, Any]) -> None:
    assert build(shipped, 20) == build(shipped, 20)
    assert build(shipped, 20) != build(shipped, 20, seed=8)


def test_a_document_with_the_very_word_asked_is_refused(data: dict[str, Any]) -> None:
    add(data, ask={"masc": "Zaun"}, tell={"masc": ["Bretterzaun", "Zaun hinten"]})
    with pytest.raises(UsageError, match="the very word that is asked, 'Zaun'") as caught:
        build(data, all_of(data))
    assert caught.value.slug == "recipe-compounds-shared"
    assert caught.value.where.endswith(f"slices.{SLICE}.words.{all_of(data) - 1}")


def test_a_document_that_lacks_the_part_is_refused(data: dict[str, Any]) -> None:
    add(data, ask={"masc": "Zaun"}, tell={"masc": ["Bretterzaun", "Bretterstapel"]})
    with pytest.raises(UsageError, match="lacks what 'Zaun' is found by: zaun"):
        build(data, all_of(data))


def test_a_part_within_a_word_of_another_family_is_refused(data: dict[str, Any]) -> None:
    add(data, ask={"neut": "Gelenk"}, tell={"neut": ["Kugelgelenk"]})
    add(data, ask={"fem": "Kugel"}, tell={"fem": ["Glaskugel"]})
    with pytest.raises(UsageError, match="holds what 'Kugel' is found by: kugel"):
        build(data, all_of(data))


def test_parts_that_the_compound_does_not_have_are_refused(data: dict[str, Any]) -> None:
    add(data, ask={"masc": "Holzzaun"}, parts=["Holz", "Tor"], tell={"masc": ["Zaun aus Holz"]})
    with pytest.raises(UsageError, match="the parts are not in 'Holzzaun'"):
        build(data, 20)


def test_two_nouns_asked_at_once_and_an_unknown_class_are_refused(data: dict[str, Any]) -> None:
    add(data, ask={"masc": "Zaun", "fem": "Hecke"}, tell={"masc": ["Bretterzaun"]})
    with pytest.raises(UsageError, match="one noun"):
        build(data, 20)
    data["slices"][SLICE]["words"][-1]["ask"] = {"plural": "Zaun"}
    with pytest.raises(UsageError, match="no class 'plural'"):
        build(data, 20)


def test_a_word_of_another_family_with_a_part_that_is_asked_is_refused(shipped: dict[str, Any]) -> None:
    family = Compounds()
    assert isinstance(family, ChecksWords)
    family.check_words(shipped, {"de": frozenset({"termin", "42"})}, {"de": frozenset({"fenster"})})
    family.check_words(shipped, {"nl": frozenset({"ventil"})}, {})
    for judged, distractors in (({"ventile"}, set()), (set(), {"rückschlagventil"}), ({"gartentore"}, set())):
        with pytest.raises(UsageError) as caught:
            family.check_words(shipped, {"de": frozenset(judged)}, {"de": frozenset(distractors)})
        assert caught.value.slug == "recipe-compounds-shared"
        assert min(judged | distractors) in str(caught.value)


def test_more_topics_than_there_are_words_are_refused(shipped: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match="is to have 1000 topics") as caught:
        build(shipped, 1000)
    assert caught.value.slug == "recipe-few-words"


def test_too_few_templates_are_refused(data: dict[str, Any]) -> None:
    queries = data["slices"][SLICE]["queries"]
    data["slices"][SLICE]["queries"] = dict(list(queries.items())[:4])
    with pytest.raises(UsageError) as caught:
        build(data, 20)
    assert caught.value.slug == "recipe-few-templates"
