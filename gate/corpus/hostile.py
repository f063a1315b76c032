"""Texts that look like commands to the machinery that handles them, and are only texts.

Operators of query languages, SQL, regular expressions, markup, escapes, control characters, marks
that reorder or hide text: people paste all of that into a memory and into a question. A topic has
two documents with such a piece, one more that says the same of something else, and a question
that has the piece as well, or another of its kind. The ordinary words of the question find the
documents; whatever reads the question as an expression, and fails or obeys, does not.

Two kinds of characters stay out, since not every store can keep them: NUL, which PostgreSQL's
`text` refuses, and lone surrogates, which no UTF-8 has.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import cycle, islice
from typing import Any

from gate.corpus.entry import Entry
from gate.corpus.family import Part
from gate.corpus.rng import Rng
from gate.corpus.template import draw, fill, moment, require_templates, session_start, slots_of
from gate.errors import UsageError
from gate.records import Document, Topic

_STATES, _ADDS = 3, 1
_UNSTORABLE = re.compile("[\0\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class _Kind:
    """`piece` is what the documents have at its slot, `asked` what the question has there."""

    name: str
    piece: str
    asked: str
    states: str
    adds: str
    asks: str
    where: str


@dataclass(frozen=True, slots=True)
class _Words:
    lang: str
    subjects: tuple[str, ...]
    slots: Mapping[str, Sequence[str]]
    kinds: tuple[_Kind, ...]
    where: str


class Hostile:
    """One slice. A topic's subject is the word that tells it from other topics of the same kind."""

    name = "hostile"

    def build(self, rng: Rng, data: Mapping[str, Any], topics: Mapping[str, int]) -> Part:
        """The judged part. Raises UsageError where there are fewer subjects than a kind needs."""
        words = _words(Entry.of(self.name, data))
        documents: list[Document] = []
        asked: list[Topic] = []
        qrels: dict[str, dict[str, int]] = {}
        for slice_name, count in topics.items():
            kinds = rng.sample(words.kinds, len(words.kinds))
            left = {kind.name: rng.sample(words.subjects, len(words.subjects)) for kind in kinds}
            for number, kind in enumerate(islice(cycle(kinds), count)):
                if len(left[kind.name]) < 2:
                    raise UsageError(
                        "recipe-few-words",
                        f"there are {len(words.subjects)} subjects, too few for {count} topics",
                        where=words.where,
                        hint="Add subjects or kinds, or ask for fewer topics.",
                    )
                subject, other = left[kind.name].pop(), left[kind.name].pop()
                key = f"{slice_name}-{number}"
                documents.extend(_documents(rng, words, kind, key, subject, other))
                text = _sentence(rng, words, kind.asks, {"subject": subject, "piece": kind.asked}, kind.where)
                asked.append(Topic(key, text, slices=(slice_name,), cluster=f"{slice_name}/{kind.name}"))
                qrels[key] = {f"{key}-states": _STATES, f"{key}-adds": _ADDS}
            require_templates(slice_name, (topic.cluster for topic in asked), count, words.where)
        rng.shuffle(documents)
        return Part(tuple(documents), tuple(asked), qrels, {})

    def distractor(self, rng: Rng, data: Mapping[str, Any], index: int) -> Document | None:  # noqa: ARG002
        """None: the same pieces at other subjects are what confuses here."""
        return None


def _documents(rng: Rng, words: _Words, kind: _Kind, key: str, subject: str, other: str) -> Iterator[Document]:
    start = session_start(rng)
    wording = rng.choice((kind.states, kind.adds))
    told = (("states", kind.states, subject), ("adds", kind.adds, subject), ("other", wording, other))
    for turn, (name, text, about) in enumerate(told):
        yield Document(
            doc_id=f"{key}-{name}",
            text=_sentence(rng, words, text, {"subject": about, "piece": kind.piece}, kind.where),
            session_id=f"{key}-{about}",
            speaker=("user", "assistant")[turn % 2],
            created_at=moment(start + 6 * turn if about == subject else session_start(rng)),
            lang=words.lang,
        )


def _sentence(rng: Rng, words: _Words, text: str, values: Mapping[str, str], where: str) -> str:
    return fill(text, draw(rng, slots_of(text), words.slots, where) | dict(values), where)


def _words(entry: Entry) -> _Words:
    subjects = entry.at("subjects").texts()
    return _Words(
        lang=entry.at("lang").text(),
        subjects=tuple(dict.fromkeys(subjects)),
        slots=entry.at("slots").lists_of_texts(),
        kinds=tuple(_kinds(entry.at("kinds"))),
        where=entry.at("subjects").where,
    )


def _kinds(entry: Entry) -> Iterator[_Kind]:
    for name, item in entry.items():
        piece = _repeated(item.at("piece"))
        asked = _repeated(item.at("asked")) if item.has("asked") else piece
        states, adds, asks = (item.at(part).text() for part in ("states", "adds", "asks"))
        for text in (states, adds, asks):
            if "subject" not in slots_of(text):
                item.fail(f"'{text}' has no slot {{subject}}")
        for text in (piece, asked):
            if _UNSTORABLE.search(text):
                item.fail("NUL and lone surrogates are left out: not every store can keep them")
        yield _Kind(name, piece, asked, states, adds, asks, item.where)


def _repeated(entry: Entry) -> str:
    """A text, or one that is `repeat`ed a number of `times`: nobody wants to read a thousand letters in a recipe."""
    if entry.has("repeat"):
        return entry.at("repeat").text() * entry.at("times").number()
    return entry.text()
