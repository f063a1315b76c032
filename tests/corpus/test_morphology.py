"""Word forms: only the stem links a question to its documents."""

from __future__ import annotations

import re
from typing import Any

import pytest
import Stemmer
from bm25_judge import recall_at_5

from gate.corpus.family import ChecksWords, Part
from gate.corpus.morphology import Morphology
from gate.corpus.recipe import load_recipe, read_family
from gate.corpus.rng import Rng
from gate.errors import UsageError
from gate.records import Document

SLICE = "morphology-en"


def words(text: str) -> list[str]:
    return re.findall(r"[a-z]+", text.lower())


def stems(text: str) -> list[str]:
    return [str(stem) for stem in Stemmer.Stemmer("english").stemWords(words(text))]


@pytest.fixture(scope="module")
def shipped() -> dict[str, Any]:
    data: dict[str, Any] = dict(read_family(load_recipe("seeded"), "morphology"))
    return data


def build(data: dict[str, Any], count: int, seed: int = 7) -> Part:
    return Morphology().build(Rng(seed, "morphology"), data, {SLICE: count})


def relevant(part: Part, topic_id: str) -> list[Document]:
    return [document for document in part.documents if part.qrels[topic_id].get(document.doc_id, 0) > 0]


def test_a_question_shares_its_stem_but_no_form_with_its_documents_and_with_no_others(shipped: dict[str, Any]) -> None:
    part = build(shipped, 150)
    forms = {form for word in shipped["slices"][SLICE]["words"] for form in word["forms"].values()}
    for topic in part.topics:
        (form,) = set(words(topic.text)) & forms
        (stem,) = stems(form)
        answering = {document.doc_id for document in relevant(part, topic.topic_id)}
        assert answering
        for document in part.documents:
            assert form not in words(document.text) or document.doc_id not in answering
            assert (stem in stems(document.text)) == (document.doc_id in answering)


@pytest.mark.parametrize("count", [20, 150])
def test_every_topic_asked_for_is_made_from_enough_templates(shipped: dict[str, Any], count: int) -> None:
    part = build(shipped, count)
    assert len(part.topics) == len({topic.topic_id for topic in part.topics}) == count
    assert len({topic.cluster for topic in part.topics}) >= 10
    assert all(topic.slices == (SLICE,) for topic in part.topics)
    assert {len(part.qrels[topic.topic_id]) for topic in part.topics} == {3}


def test_several_kinds_of_forms_are_asked_and_stored(shipped: dict[str, Any]) -> None:
    part = build(shipped, 150)
    asked = {topic.cluster.split("/")[1].split("-")[0] for topic in part.topics}
    assert asked == {"base", "s", "ed", "ing", "noun", "singular", "plural"}


def test_documents_say_who_when_and_in_which_session(shipped: dict[str, Any]) -> None:
    for document in build(shipped, 20).documents:
        assert document.session_id
        assert document.speaker
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", document.created_at)
        assert document.lang == "en"


def test_stemming_finds_what_exact_words_do_not(shipped: dict[str, Any]) -> None:
    part = build(shipped, 150)
    assert recall_at_5(part, [], stems) >= 0.95
    assert recall_at_5(part, [], words) < 0.2


def test_the_same_seed_gives_the_same_part_and_another_seed_another(shipped: dict[str, Any]) -> None:
    assert build(shipped, 20) == build(shipped, 20)
    assert build(shipped, 20) != build(shipped, 20, seed=8)


def test_an_irregular_word_is_refused(data: dict[str, Any]) -> None:
    data["slices"][SLICE]["words"].append({"forms": {"singular": "mouse", "plural": "mice"}})
    with pytest.raises(UsageError, match=r"mouse \(mous\), mice \(mice\)") as caught:
        build(data, 20)
    assert caught.value.slug == "recipe-stems-differ"
    assert caught.value.where.endswith(f"{SLICE}.yml: words.{len(data['slices'][SLICE]['words']) - 1}")


def test_a_word_with_one_form_is_refused(data: dict[str, Any]) -> None:
    data["slices"][SLICE]["words"].append({"forms": {"singular": "sheep", "plural": "sheep"}})
    with pytest.raises(UsageError) as caught:
        build(data, 20)
    assert caught.value.slug == "recipe-stems-differ"


def test_two_words_with_one_stem_are_refused(data: dict[str, Any]) -> None:
    data["slices"][SLICE]["words"].append({"forms": {"singular": "calibrator", "plural": "calibrators"}})
    with pytest.raises(UsageError, match="the stem 'calibr'") as caught:
        build(data, 20)
    assert caught.value.slug == "recipe-stems-shared"


def test_a_template_that_uses_a_word_of_the_slice_is_refused(data: dict[str, Any]) -> None:
    data["slices"][SLICE]["queries"]["ing"] = {"bad": "who paid for {w} by lantern?"}
    with pytest.raises(UsageError, match="lantern") as caught:
        build(data, 150)
    assert caught.value.slug == "recipe-stems-shared"


def test_a_word_of_another_family_that_shares_a_stem_is_refused(shipped: dict[str, Any]) -> None:
    family = Morphology()
    assert isinstance(family, ChecksWords)
    family.check_words(shipped, {"en": frozenset({"budget", "42", "城市"})}, {"en": frozenset({"retention"})})
    family.check_words(shipped, {"de": frozenset({"lanterns"})}, {})
    for judged, distractors in (({"lanterns"}, set()), (set(), {"calibrator"})):
        with pytest.raises(UsageError) as caught:
            family.check_words(shipped, {"en": frozenset(judged)}, {"en": frozenset(distractors)})
        assert caught.value.slug == "recipe-stems-shared"
        assert min(judged | distractors) in str(caught.value)


def test_more_topics_than_the_words_make_are_refused(shipped: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match="is to have 1000 topics") as caught:
        build(shipped, 1000)
    assert caught.value.slug == "recipe-few-words"


def test_too_few_templates_are_refused(data: dict[str, Any]) -> None:
    queries = data["slices"][SLICE]["queries"]
    for tag in queries:
        queries[tag] = dict(list(queries[tag].items())[:1])
    with pytest.raises(UsageError) as caught:
        build(data, 20)
    assert caught.value.slug == "recipe-few-templates"


def test_an_unknown_stemmer_and_an_unknown_form_are_refused(data: dict[str, Any]) -> None:
    data["slices"][SLICE]["stemmer"] = "klingon"
    with pytest.raises(UsageError, match="klingon"):
        build(data, 20)
    data["slices"][SLICE]["stemmer"] = "english"
    data["slices"][SLICE]["words"][0]["forms"]["dual"] = "calibrate"
    with pytest.raises(UsageError, match="no templates for the form 'dual'"):
        build(data, 20)
