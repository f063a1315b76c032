from __future__ import annotations

import copy
from functools import cache
from typing import Any

import pytest

from gate.corpus.family import Part
from gate.corpus.negatives import Negatives
from gate.corpus.recipe import load_recipe, read_family
from gate.corpus.rng import Rng
from gate.corpus.words import words_in, words_of
from gate.errors import UsageError

KNOWN, UNKNOWN = "unanswerable-known", "unanswerable-unknown"


@cache
def data() -> Any:
    return read_family(load_recipe("seeded"), "negatives")


@cache
def built(count: int = 60) -> Part:
    return Negatives().build(Rng(3, "negatives"), data(), {KNOWN: count, UNKNOWN: count})


@pytest.mark.parametrize("count", [20, 60])
def test_words_of_a_known_question_all_stand_in_some_turn(count: int) -> None:
    part = built(count)
    known = words_of(document.text for document in part.documents)
    for topic in part.topics:
        if topic.slices == (KNOWN,):
            assert set(words_in(topic.text)) <= known


def test_no_turn_holds_all_telling_words_of_a_question() -> None:
    lists = [word for words in data()["lists"].values() for word in words]
    for topic in built().topics:
        telling = {word for words in lists if words in topic.text for word in words_in(words) if len(word) > 3}
        if topic.slices == (KNOWN,) and len(telling) > 1:
            assert not any(telling <= set(words_in(document.text)) for document in built().documents)


def test_every_unknown_question_has_a_name_that_stands_nowhere() -> None:
    known = words_of(document.text for document in built().documents)
    names = set()
    for topic in built().topics:
        if topic.slices == (UNKNOWN,):
            found = [name for name in data()["slices"][UNKNOWN]["names"] if name in topic.text]
            assert len(found) == 1
            assert found[0].lower() not in known
            names.update(found)
    assert len(names) == 60


def test_nothing_is_judged_and_no_question_is_asked_twice() -> None:
    part = built()
    assert not part.qrels
    assert not part.forbidden
    assert len({topic.text for topic in part.topics}) == len(part.topics) == 120


def test_each_slice_rests_on_ten_templates_or_more() -> None:
    for name in (KNOWN, UNKNOWN):
        assert len({topic.cluster for topic in built(20).topics if topic.slices == (name,)}) >= 10


def test_few_templates_are_refused() -> None:
    broken = copy.deepcopy(dict(data()))
    templates = broken["slices"][KNOWN]["templates"]
    broken["slices"][KNOWN]["templates"] = {name: templates[name] for name in list(templates)[:9]}
    with pytest.raises(UsageError, match="rest on 9 templates"):
        Negatives().build(Rng(3), broken, {KNOWN: 20})


def test_question_with_a_word_that_nobody_said_is_refused() -> None:
    broken = copy.deepcopy(dict(data()))
    broken["slices"][KNOWN]["templates"]["paid"]["ask"] = "How much did {person} squander on the {object} in {town}?"
    with pytest.raises(UsageError, match="has 'squander', which no turn holds"):
        Negatives().build(Rng(3), broken, {KNOWN: 20})


def test_more_questions_than_the_words_make_are_refused() -> None:
    broken = copy.deepcopy(dict(data()))
    broken["lists"] = {slot: words[:1] for slot, words in broken["lists"].items()}
    with pytest.raises(UsageError, match="its words make 14"):
        Negatives().build(Rng(3), broken, {KNOWN: 20})


def test_name_that_a_document_or_distractor_holds_is_refused() -> None:
    family = Negatives()
    family.check_words(data(), {"en": frozenset({"walnuts"})}, {"en": frozenset({"tea"})})
    for judged, distractors in (({"zanthorel"}, set()), (set(), {"zanthorel"})):
        with pytest.raises(UsageError, match="'Zanthorel' has to be unknown"):
            family.check_words(data(), {"en": frozenset(judged)}, {"de": frozenset(distractors)})
    broken = copy.deepcopy(dict(data()))
    broken["slices"][UNKNOWN]["names"][0] = "Walnuts"
    with pytest.raises(UsageError, match="'Walnuts' has to be unknown"):
        family.check_words(broken, {}, {})


def test_turns_have_what_a_writer_knows() -> None:
    for document in built().documents:
        assert document.session_id
        assert document.speaker
        assert document.created_at.endswith("Z")
        assert document.lang == "en"
    assert len({document.text for document in built().documents}) == len(built().documents)
