"""A slice of the family `scripts` as its file says it.

lang: ja                       of its documents
spaces: false                  whether words stand apart, so that question and answer may share whole ones
latin: true                    optional: questions may hold Latin letters and digits
spelling: {documents: nfd, questions: nfc}       optional: how finished texts are spelt, by `SPELLINGS`
slots: {name: [word, ...]}
pairs: {name: [[word, confusable], ...]}         optional: the confusable documents of a topic have the second
sides: {name: [[in questions, in documents], ...]}   optional: one word, written in two ways
templates:                     by name; `lang` and `spelling` may be given to one of them
  name: {states: answers, adds: adds to it, asks: the question}
distractors: {slots, numbers, templates}         optional: notes on what nobody asks about
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from gate.corpus.entry import Entry
from gate.corpus.spelling import SPELLINGS
from gate.corpus.template import slots_of
from gate.files import nearest

_SIDES = ("documents", "questions")

Values = dict[str, str]
Spell = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class Words:
    """What is drawn for each slot, and the other form of it where there is one.

    `drawn` are the words of a question; `confusable[slot][word]` is what a confusable document
    has in its place, `stored[slot][word]` how documents write it.
    """

    drawn: Mapping[str, Sequence[str]]
    confusable: Mapping[str, Mapping[str, str]]
    stored: Mapping[str, Mapping[str, str]]

    def has_confusable(self, slots: Iterable[str]) -> bool:
        return any(self._list_of(slot) in self.confusable for slot in slots)

    def confused(self, values: Values) -> Values:
        """The same values with the confusable word in each slot that has one."""
        return self._replaced(values, self.confusable)

    def written(self, values: Values) -> Values:
        """The same values as documents write them."""
        return self._replaced(values, self.stored)

    def _replaced(self, values: Values, others: Mapping[str, Mapping[str, str]]) -> Values:
        return {slot: others.get(self._list_of(slot), {}).get(value, value) for slot, value in values.items()}

    def _list_of(self, slot: str) -> str:
        """The list that a slot is drawn from: `{day2}` is another word of the list `day`."""
        return slot if slot in self.drawn else slot.rstrip("0123456789")


@dataclass(frozen=True, slots=True)
class Spelling:
    documents: Spell
    questions: Spell


@dataclass(frozen=True, slots=True)
class Template:
    """One subject: the text that answers, one that adds to it, and the question. `keys` are the question's slots."""

    name: str
    states: str
    adds: str
    asks: str
    keys: tuple[str, ...]
    lang: str
    spelling: Spelling
    where: str


@dataclass(frozen=True, slots=True)
class Distractors:
    """Texts that answer nothing, in the language and spelling of the slice's documents."""

    lang: str
    spell: Spell
    slots: Mapping[str, Sequence[str]]
    numbers: Mapping[str, int]
    templates: tuple[str, ...]
    where: str


@dataclass(frozen=True, slots=True)
class WritingSystem:
    spaces: bool
    latin: bool
    words: Words
    templates: tuple[Template, ...]
    where: str


def writing_system(entry: Entry) -> WritingSystem:
    """What topics of a slice are made from. Raises UsageError with the place of what is wrong."""
    words = _words(entry)
    return WritingSystem(
        spaces=entry.at("spaces").flag(),
        latin=entry.has("latin") and entry.at("latin").flag(),
        words=words,
        templates=tuple(_templates(entry, words)),
        where=entry.where,
    )


def distractors(entry: Entry) -> Distractors | None:
    """What distractors of a slice are made from, or None where it leaves them to the others."""
    if not entry.has("distractors"):
        return None
    below = entry.at("distractors")
    return Distractors(
        lang=entry.at("lang").text(),
        spell=_spelling(entry).documents,
        slots=below.at("slots").lists_of_texts(),
        numbers=below.at("numbers").numbers() if below.has("numbers") else {},
        templates=tuple(below.at("templates").named_texts().values()),
        where=below.where,
    )


def _words(entry: Entry) -> Words:
    drawn: dict[str, Sequence[str]] = dict(entry.at("slots").lists_of_texts()) if entry.has("slots") else {}
    forms: dict[str, dict[str, Mapping[str, str]]] = {"pairs": {}, "sides": {}}
    for kind, lists in forms.items():
        for name, below in entry.at(kind).items() if entry.has(kind) else ():
            if name in drawn:
                below.fail(f"there are two lists '{name}'")
            lists[name] = _two_forms(below)
            drawn[name] = tuple(lists[name])
    return Words(drawn, confusable=forms["pairs"], stored=forms["sides"])


def _two_forms(entry: Entry) -> dict[str, str]:
    forms: dict[str, str] = {}
    for item in entry.each():
        pair = item.texts()
        if len(pair) != 2:
            item.fail("two words belong here")
        first, second = pair
        if first in forms:
            item.fail(f"'{first}' stands twice")
        forms[first] = second
    return forms


def _templates(entry: Entry, words: Words) -> Iterator[Template]:
    lang, spelling = entry.at("lang").text(), _spelling(entry)
    for name, below in entry.at("templates").items():
        states, adds, asks = (below.at(part).text() for part in ("states", "adds", "asks"))
        keys = slots_of(asks)
        told = slots_of(states + adds)
        if not keys or not all(set(keys) <= set(slots_of(text)) for text in (states, adds)):
            below.fail("the question needs slots, and 'states' and 'adds' have to have them too")
        if words.has_confusable(slot for slot in told if slot not in keys):
            below.fail("a slot of 'pairs' belongs into the question, or nothing is confused")
        yield Template(
            name=name,
            states=states,
            adds=adds,
            asks=asks,
            keys=keys,
            lang=below.at("lang").text() if below.has("lang") else lang,
            spelling=_spelling(below) if below.has("spelling") else spelling,
            where=below.where,
        )


def _spelling(entry: Entry) -> Spelling:
    """How the entry spells each side; a side that it does not name stays as written."""
    chosen: dict[str, Spell] = dict.fromkeys(_SIDES, str)
    for side, below in entry.at("spelling").items() if entry.has("spelling") else ():
        if side not in chosen:
            below.fail(f"there is no side '{side}': {nearest(side, _SIDES)}")
        name = below.text()
        if name not in SPELLINGS:
            below.fail(f"there is no spelling '{name}': {nearest(name, SPELLINGS)}")
        chosen[side] = SPELLINGS[name]
    return Spelling(**chosen)
