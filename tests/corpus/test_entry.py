"""Places in a family's data: what is wrong is said with the place, and never as a traceback."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from gate.corpus.entry import Entry
from gate.errors import UsageError

DATA = {
    "a": {"words": ["x", "y"], "text": "t", "flag": True, "number": 3},
    "blank": " ",
    "empty": [],
    "twice": ["x", "x"],
}


def test_entries_are_read_in_the_order_of_the_file() -> None:
    entry = Entry.of("memory", DATA).at("a")
    assert entry.names() == ("words", "text", "flag", "number")
    assert entry.at("words").texts() == ("x", "y")
    assert (entry.at("text").text(), entry.at("flag").flag(), entry.at("number").number()) == ("t", True, 3)
    assert entry.has("text")
    assert not entry.has("else")


@pytest.mark.parametrize(
    ("read", "what", "where"),
    [
        (lambda entry: entry.at("a", "missing"), "'missing' is missing", "a"),
        (lambda entry: entry.at("blank").text(), "has to be a text", "blank"),
        (lambda entry: entry.at("a").text(), "has to be a text", "a"),
        (lambda entry: entry.at("a", "text").texts(), "has to be a list", "a.text"),
        (lambda entry: entry.at("empty").texts(), "has to be a list", "empty"),
        (lambda entry: entry.at("a", "number").texts(), "has to be a list", "a.number"),
        (lambda entry: entry.at("a", "words").names(), "has to be a mapping", "a.words"),
        (lambda entry: entry.at("a", "number").flag(), "true or false", "a.number"),
        (lambda entry: entry.at("a", "flag").number(), "whole number", "a.flag"),
        (lambda entry: entry.lists_of_texts(), "has to be a list", "a"),
        (lambda entry: Entry.of("memory", {"twice": DATA["twice"]}).lists_of_texts(), "'x' stands twice", "twice"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(read: Callable[[Entry], object], what: str, where: str) -> None:
    with pytest.raises(UsageError, match=what) as caught:
        read(Entry.of("memory", DATA))
    assert caught.value.where == f"memory.yml: {where}"
