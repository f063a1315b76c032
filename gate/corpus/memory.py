"""Memories of a team: turns that share every plain word of a question, told apart by evidence inside words.

A topic is about one thing at one place. Its right documents name the thing as it is written, its
confusable ones other things at the same place, in the same sentences. The question has the thing
run together, misspelt or derived with another stem. Keyword search sees no difference; what
hashes character trigrams (or learnt sub-words) does.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

from gate.corpus.distractors import Distractors
from gate.corpus.entry import Entry
from gate.corpus.family import Part, WordsByLanguage
from gate.corpus.rng import Rng
from gate.corpus.template import fill, moment, require_templates, session_start, slots_of
from gate.corpus.words import trigrams_of, words_in
from gate.records import Document, Topic

# How the right documents of a topic are graded, in turn, and how many documents name its place in all.
_GRADES = ((3, 1), (3, 2), (3, 2, 1))
_AT_A_PLACE = 9
_SESSION = 8

# Shares of the asked thing's trigrams: what the right documents hold at least, what confusable ones hold at most.
_TELLING = 0.4
_CONFUSABLE = 0.2


@dataclass(frozen=True, slots=True)
class _Thing:
    """`ask` is the form in questions, `forms` are those in documents, by the slot they fill."""

    ask: str
    forms: Mapping[str, str]
    where: str


@dataclass(frozen=True, slots=True)
class _Template:
    """`told[grade]` are the sentences of that grade, in which right and confusable documents are told alike."""

    name: str
    kind: str
    asks: tuple[str, ...]
    told: Mapping[int, tuple[str, ...]]
    where: str


@dataclass(frozen=True, slots=True)
class _Words:
    anchors: tuple[str, ...]
    lists: Mapping[str, tuple[str, ...]]
    things: Mapping[str, tuple[_Thing, ...]]
    asides: Mapping[str, tuple[str, ...]]
    templates: tuple[_Template, ...]


class Memory:
    """The slice of memories, and the distractors in English: turns on subjects that no topic asks about."""

    name = "memory"

    def __init__(self) -> None:
        self._distractors: Distractors | None = None

    def build(self, rng: Rng, data: Mapping[str, Any], topics: Mapping[str, int]) -> Part:
        """The judged part. Raises UsageError where plain words tell right from confusable, or trigrams do not."""
        words = _words(data)
        stem = _stemmer()
        entry = Entry.of(self.name, data)
        asides = entry.at("asides").where
        documents: list[Document] = []
        asked: list[Topic] = []
        qrels: dict[str, dict[str, int]] = {}
        for slice_name, count in topics.items():
            anchors = rng.sample(words.anchors, count)
            templates = rng.sample(words.templates, len(words.templates))
            orders = {template.name: rng.sample(words.things[template.kind], 99) for template in templates}
            for number in range(count):
                template = templates[number % len(templates)]
                order = orders[template.name]
                thing = order[number // len(templates) % len(order)]
                topic = Topic(
                    topic_id=f"{slice_name}-{number}",
                    text=_sentence(
                        rng, words, rng.choice(template.asks), anchors[number], {"ask": thing.ask}, template.where
                    ),
                    slices=(slice_name,),
                    cluster=f"{self.name}/{template.name}",
                )
                grades = _GRADES[number % len(_GRADES)]
                made = _documents(rng, words, template, thing, anchors[number], grades, topic.topic_id)
                _check_topic(stem, topic, thing, made, len(grades), template.where)
                qrels[topic.topic_id] = {document.doc_id: grade for document, grade in zip(made, grades, strict=False)}
                aside = _sentence(rng, words, rng.choice(words.asides[template.kind]), "", thing.forms, asides)
                documents.extend((*made, Document(f"{topic.topic_id}-aside", aside)))
                asked.append(topic)
            require_templates(slice_name, (topic.cluster for topic in asked), count, entry.at("templates").where)
        return Part(_in_sessions(rng, documents, words.lists["person"]), tuple(asked), qrels, {})

    def distractor(self, rng: Rng, data: Mapping[str, Any], index: int) -> Document | None:
        return self._all_distractors(data).make(rng, index)

    def distractor_words(self, data: Mapping[str, Any]) -> WordsByLanguage:
        return {"en": self._all_distractors(data).words()}

    def _all_distractors(self, data: Mapping[str, Any]) -> Distractors:
        if self._distractors is None or self._distractors.data is not data:
            self._distractors = Distractors(data)
        return self._distractors


def _documents(
    rng: Rng,
    words: _Words,
    template: _Template,
    thing: _Thing,
    anchor: str,
    grades: Sequence[int],
    key: str,
) -> list[Document]:
    """The right documents in the order of `grades`, then the confusable ones, without sessions."""
    asked = trigrams_of(thing.ask)
    others = [
        other
        for other in words.things[template.kind]
        if other is not thing
        and all(_share(asked, form) <= _CONFUSABLE for form in other.forms.values())
        and not set(words_in(other.ask)) & set(words_in(thing.ask))
    ]
    named = [(thing, grade) for grade in grades]
    spread = [grade for _ in range(_AT_A_PLACE) for grade in (3, 2, 1)]
    named += list(zip(rng.sample(others, _AT_A_PLACE - len(grades)), spread, strict=False))
    return [
        Document(
            doc_id=f"{key}-{number}",
            text=_sentence(rng, words, rng.choice(template.told[grade]), anchor, other.forms, template.where),
        )
        for number, (other, grade) in enumerate(named)
    ]


def _sentence(rng: Rng, words: _Words, template: str, anchor: str, forms: Mapping[str, str], where: str) -> str:
    values = {"anchor": anchor, **forms}
    for slot in slots_of(template):
        if slot in words.lists:
            values[slot] = rng.choice(words.lists[slot])
    return fill(template, values, where)


def _in_sessions(rng: Rng, documents: Sequence[Document], people: Sequence[str]) -> tuple[Document, ...]:
    """The documents shuffled and cut into sessions of two speakers who take turns."""
    order = list(documents)
    rng.shuffle(order)
    placed = []
    speakers: list[str] = []
    start = 0
    for number, document in enumerate(order):
        turn = number % _SESSION
        if turn == 0:
            speakers, start = rng.sample(people, 2), session_start(rng)
        placed.append(
            replace(
                document,
                session_id=f"session-{number // _SESSION}",
                speaker=speakers[turn % 2],
                created_at=moment(start + 3 * turn),
                lang="en",
            )
        )
    return tuple(placed)


def _check_topic(
    stem: Callable[[str], str],
    topic: Topic,
    thing: _Thing,
    documents: Sequence[Document],
    right: int,
    where: str,
) -> None:
    """Raises UsageError unless only sub-word evidence tells the first `right` documents from the others."""
    place = Entry(None, where)
    asked = {stem(word) for word in words_in(thing.ask)}
    plain = {stem(word) for word in words_in(topic.text)} - asked
    first: tuple[int, Counter[str]] | None = None
    for number, document in enumerate(documents):
        stems = [stem(word) for word in words_in(document.text)]
        told = asked.intersection(stems)
        if told:
            place.fail(f"'{document.text}' holds the stem '{min(told)}' of '{thing.ask}': keyword search could tell it")
        seen = len(stems), Counter(word for word in stems if word in plain)
        first = first or seen
        if seen[0] != first[0]:
            place.fail(
                f"'{document.text}' has {seen[0]} words, '{documents[0].text}' has {first[0]}: length tells them apart"
            )
        if seen[1] != first[1]:
            place.fail(
                f"'{document.text}' and '{documents[0].text}' share other words with the question '{topic.text}'"
            )
        share = _share(trigrams_of(thing.ask), document.text)
        if number < right and share < _TELLING:
            place.fail(f"'{document.text}' holds {share:.2f} of the trigrams of '{thing.ask}', and needs {_TELLING}")


def _share(trigrams: frozenset[str], text: str) -> float:
    return len(trigrams & trigrams_of(text)) / len(trigrams)


def _stemmer() -> Callable[[str], str]:
    import Stemmer

    stem: Callable[[str], str] = Stemmer.Stemmer("english").stemWord
    return stem


def _words(data: Mapping[str, Any]) -> _Words:
    entry = Entry.of("memory", data)
    anchors = tuple(f"{place} {unit}" for place, unit in product(entry.at("places").texts(), entry.at("units").texts()))
    things: dict[str, tuple[_Thing, ...]] = {}
    for kind, listed in entry.at("things").items():
        things[kind] = tuple(
            _Thing(
                item.at("ask").text(),
                {slot: form for slot, form in item.named_texts().items() if slot != "ask"},
                item.where,
            )
            for item in listed.each()
        )
    templates = []
    for name, item in entry.at("templates").items():
        kind = item.at("of").text()
        if kind not in things:
            item.fail(f"there are no things of the kind '{kind}'")
        told = {3: item.at("answers").texts(), 2: item.at("partly").texts(), 1: item.at("mentions").texts()}
        templates.append(_Template(name, kind, item.at("ask").texts(), told, item.where))
    return _Words(
        anchors,
        entry.at("lists").lists_of_texts(),
        things,
        {kind: listed.texts() for kind, listed in entry.at("asides").items()},
        tuple(templates),
    )
