"""Facts that people state and later change: the newest value answers, a replaced one must not come back.

`created_at` says which is newest; documents arrive in another order.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import cycle
from typing import Any

from gate.corpus.entry import Entry
from gate.corpus.family import Part
from gate.corpus.rng import Rng
from gate.corpus.template import draw, fill, moment, require_templates, session_start, slots_of
from gate.errors import UsageError
from gate.records import Document, Topic

STALE = "stale value"
_CURRENT = 3
_LONGEST_PAUSE = 3 * 1440
# Which of its values a fact takes, in order of time: changed once, never, twice, there and back, three times.
_HISTORIES = ((0, 1), (0,), (0, 1, 2), (0, 1, 0), (0, 1), (0, 1, 2, 3))


@dataclass(frozen=True, slots=True)
class _Fact:
    key: str
    values: tuple[str, ...]
    where: str


@dataclass(frozen=True, slots=True)
class _Language:
    """The facts of one language, shuffled, and its templates, each kind over and over in a shuffled order."""

    name: str
    lang: str
    share: int
    slots: Mapping[str, Sequence[str]]
    facts: Iterator[_Fact]
    first: Iterator[tuple[str, str]]
    later: Iterator[tuple[str, str]]
    around: Iterator[tuple[str, str]]
    other: Iterator[tuple[str, str]]
    asks: Iterator[tuple[str, str]]
    where: str


@dataclass(slots=True)
class _Session:
    """The turns of one topic's session, in order of time; a pause goes before each but the first."""

    name: str
    lang: str
    minute: int
    documents: list[Document] = field(default_factory=list)

    def say(self, rng: Rng, speaker: str, text: str, facts: tuple[tuple[str, str], ...] = ()) -> str:
        """Adds a turn and gives its key."""
        if self.documents:
            self.minute += 1 + rng.below(_LONGEST_PAUSE)
        key = f"{self.name}-{len(self.documents)}"
        self.documents.append(Document(key, text, self.name, speaker, moment(self.minute), self.lang, facts=facts))
        return key


class Facts:
    """A topic is one fact and its history. Every second round of histories also says its facts as metadata."""

    name = "facts"

    def build(self, rng: Rng, data: Mapping[str, Any], topics: Mapping[str, int]) -> Part:
        """The judged part. Raises UsageError where two facts have one key, or there are too few."""
        documents: list[Document] = []
        asked: list[Topic] = []
        qrels: dict[str, dict[str, int]] = {}
        forbidden: dict[str, dict[str, str]] = {}
        for slice_name, count in topics.items():
            entry = Entry.of(self.name, data).at("slices", slice_name)
            turns = _in_turns([_language(rng, name, below) for name, below in entry.items()])
            _check_keys(entry)
            clusters = []
            for number in range(count):
                language = next(turns)
                session = _Session(f"{slice_name}-{number}", language.lang, session_start(rng))
                fact = _next_fact(language)
                history = _HISTORIES[number % len(_HISTORIES)]
                stated = _tell(rng, language, session, fact, history, typed=number // len(_HISTORIES) % 2 == 0)
                name, ask = next(language.asks)
                clusters.append(f"{slice_name}/{language.name}-{name}")
                asked.append(
                    Topic(
                        topic_id=session.name,
                        text=fill(ask, {"key": fact.key}, fact.where),
                        slices=(slice_name,),
                        cluster=clusters[-1],
                    )
                )
                qrels[session.name] = {stated[-1]: _CURRENT}
                stale = [key for key, value in zip(stated, history, strict=True) if value != history[-1]]
                if stale:
                    forbidden[session.name] = dict.fromkeys(stale, STALE)
                documents.extend(session.documents)
            require_templates(slice_name, clusters, count, entry.where)
        rng.shuffle(documents)
        return Part(tuple(documents), tuple(asked), qrels, forbidden)

    def distractor(self, rng: Rng, data: Mapping[str, Any], index: int) -> Document | None:  # noqa: ARG002
        """None: the facts of other topics are what confuses here."""
        return None


def _tell(
    rng: Rng, language: _Language, session: _Session, fact: _Fact, history: Sequence[int], *, typed: bool
) -> list[str]:
    """The session of a fact; gives the documents that state it, oldest first."""
    values = rng.sample(fact.values, max(history) + 1)

    def sentence(templates: Iterator[tuple[str, str]], value: str = "") -> str:
        _, template = next(templates)
        filled = draw(rng, slots_of(template), language.slots, language.where)
        return fill(template, filled | {"key": fact.key, "value": value}, language.where)

    def state(index: int, templates: Iterator[tuple[str, str]]) -> str:
        facts = ((fact.key, values[index]),) if typed else ()
        return session.say(rng, "user", sentence(templates, values[index]), facts)

    stated = [state(history[0], language.first)]
    session.say(rng, "assistant", sentence(language.other))
    stated.extend(state(index, language.later) for index in history[1:])
    session.say(rng, "user", sentence(language.around))
    return stated


def _next_fact(language: _Language) -> _Fact:
    try:
        return next(language.facts)
    except StopIteration:
        raise UsageError(
            "recipe-few-words",
            "there are fewer keys than topics",
            where=language.where,
            hint="Add keys, or ask for fewer topics.",
        ) from None


def _in_turns(languages: Sequence[_Language]) -> Iterator[_Language]:
    return cycle([language for language in languages for _ in range(language.share)])


def _check_keys(entry: Entry) -> None:
    """Raises UsageError unless each key stands once: a value has to belong to one topic."""
    seen: set[str] = set()
    for language in entry.values():
        for kind in language.at("kinds").values():
            for key in kind.at("keys").each():
                if key.text() in seen:
                    key.fail(f"the key '{key.text()}' stands twice")
                seen.add(key.text())


def _language(rng: Rng, name: str, entry: Entry) -> _Language:
    def shuffled(kind: str) -> Iterator[tuple[str, str]]:
        templates = list(entry.at(kind).named_texts().items())
        rng.shuffle(templates)
        return cycle(templates)

    facts = [
        _Fact(key, kind.at("values").texts(), kind.where)
        for kind in entry.at("kinds").values()
        for key in kind.at("keys").texts()
    ]
    longest = max(max(history) for history in _HISTORIES) + 1
    for fact in facts:
        if len(set(fact.values)) < longest:
            raise UsageError("recipe-few-words", f"a fact needs at least {longest} values", where=fact.where)
    rng.shuffle(facts)
    return _Language(
        name=name,
        lang=entry.at("lang").text(),
        share=entry.at("share").number(),
        slots=entry.at("slots").lists_of_texts(),
        facts=iter(facts),
        first=shuffled("first"),
        later=shuffled("later"),
        around=shuffled("around"),
        other=shuffled("other"),
        asks=shuffled("asks"),
        where=entry.where,
    )
