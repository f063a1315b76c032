from __future__ import annotations

from typing import Any

import pytest

from gate.corpus.distractors import Distractors
from gate.corpus.memory import Memory
from gate.corpus.recipe import load_recipe, read_family
from gate.corpus.rng import Rng
from gate.corpus.words import words_in
from gate.errors import UsageError

DATA: dict[str, Any] = {
    "distractors": {
        "lang": "en",
        "speakers": ["Ana", "Ben", "Cem"],
        "lists": {"who": ["my aunt", "my uncle"], "what": ["tea", "rice"]},
        "patterns": ["{who} likes {what}, and {who} is right."],
    }
}


def test_slots_are_filled_alike_and_sentences_begin_with_a_capital() -> None:
    made = {Distractors(DATA).make(Rng(index), index).text for index in range(50)}
    assert made == {
        f"My {who} likes {what}, and my {who} is right." for who in ("aunt", "uncle") for what in ("tea", "rice")
    }


def test_eight_in_a_row_are_a_session_of_two_who_take_turns() -> None:
    made = [Distractors(DATA).make(Rng(index), index) for index in range(16)]
    assert [document.session_id for document in made] == ["0"] * 8 + ["1"] * 8
    for turns in (made[:8], made[8:]):
        assert len({turn.speaker for turn in turns[::2]}) == len({turn.speaker for turn in turns[1::2]}) == 1
        assert turns[0].speaker != turns[1].speaker
        assert [turn.created_at for turn in turns] == sorted(turn.created_at for turn in turns)


def test_the_same_number_gives_the_same_document() -> None:
    assert Distractors(DATA).make(Rng(4), 4) == Distractors(DATA).make(Rng(4), 4)


def test_slot_without_a_list_is_refused() -> None:
    broken = {"distractors": {**DATA["distractors"], "patterns": ["{whom} likes tea."]}}
    with pytest.raises(UsageError, match=r"no list fills the slot \{whom\}"):
        Distractors(broken)


def test_words_are_all_that_may_be_said() -> None:
    assert Distractors(DATA).words() == {"my", "aunt", "uncle", "likes", "tea", "rice", "and", "is", "right"}
    data = read_family(load_recipe("seeded"), "memory")
    memory = Memory()
    vocabulary = memory.distractor_words(data)["en"]
    for index in range(300):
        made = memory.distractor(Rng(index), data, index)
        assert made is not None
        assert set(words_in(made.text)) <= vocabulary


def test_distractors_say_nothing_of_what_topics_of_memory_ask() -> None:
    data = read_family(load_recipe("seeded"), "memory")
    vocabulary = Memory().distractor_words(data)["en"]
    for kind in data["things"].values():
        for thing in kind:
            for form in thing.values():
                assert not set(words_in(form)) <= vocabulary
