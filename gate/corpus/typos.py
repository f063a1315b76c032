"""Slips of the hand: one edit in the one word of a question that tells.

A topic is about one thing. Two documents are about it, and eight are about other things in as many
of the question's other words. The question has the thing with one slip in it:
two letters swapped, one left out, one doubled, or a neighbouring key. Of the errors in typed text
more than 80% are one such edit (Damerau, "A technique for computer detection and correction of
spelling errors", Communications of the ACM 7, 1964). Whole words and stems find the wrong eight;
character n-grams, or an edit distance of one, find the right two.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import cycle, islice
from typing import Any

from gate.corpus.entry import Entry
from gate.corpus.family import Part
from gate.corpus.rng import Rng
from gate.corpus.template import draw, fill, moment, require_templates, session_start, slots_of
from gate.corpus.words import words_of
from gate.errors import UsageError
from gate.records import Document, Topic

_STATES, _ADDS = 3, 1
_CONFUSABLE = 8
_SHORTEST = 6  # letters: in a shorter word a slip often makes another word
_ROWS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")


@dataclass(frozen=True, slots=True)
class _Template:
    """`kind` is that of the things it can be about, `others` are the sentences about other ones."""

    name: str
    kind: str
    asks: str
    states: str
    adds: str
    others: tuple[str, ...]
    where: str


@dataclass(frozen=True, slots=True)
class _Words:
    lang: str
    stemmer: str
    things: Mapping[str, tuple[str, ...]]
    slots: Mapping[str, Sequence[str]]
    templates: tuple[_Template, ...]
    where: str


class Typos:
    """One slice. Each topic has a thing of its own; the four kinds of slips take turns."""

    name = "typos"

    def build(self, rng: Rng, data: Mapping[str, Any], topics: Mapping[str, int]) -> Part:
        """The judged part. Raises UsageError where things are too few, or have no slip apart from all other words."""
        words = _words(Entry.of(self.name, data))
        slips = _Slips(words)
        left = {kind: rng.sample(things, len(things)) for kind, things in words.things.items()}
        documents: list[Document] = []
        asked: list[Topic] = []
        qrels: dict[str, dict[str, int]] = {}
        for slice_name, count in topics.items():
            templates = list(islice(cycle(rng.sample(words.templates, len(words.templates))), count))
            chosen = [(template, _next(left, template, words)) for template in templates]
            require_templates(slice_name, (template.name for template in templates), count, words.where)
            for number, (template, thing) in enumerate(chosen):
                key, slip = f"{slice_name}-{number}", slips.of(rng, thing, number)
                text = _sentence(rng, words, template.asks, slip, template.where)
                asked.append(Topic(key, text, slices=(slice_name,), cluster=f"{slice_name}/{template.name}"))
                # What is told of others must not answer another topic of the template.
                taken = {other for asking, other in chosen if asking is template}
                others = [other for other in words.things[template.kind] if other not in taken]
                documents.extend(_documents(rng, words, template, thing, others, key))
                qrels[key] = {f"{key}-0": _STATES, f"{key}-1": _ADDS}
        rng.shuffle(documents)
        return Part(tuple(documents), tuple(asked), qrels, {})

    def distractor(self, rng: Rng, data: Mapping[str, Any], index: int) -> Document | None:  # noqa: ARG002
        """None: the documents about other things are what confuses here."""
        return None


class _Slips:
    """Makes slips that no reader, and no engine, could take for another word of the slice."""

    def __init__(self, words: _Words) -> None:
        self._where = words.where
        self._things = tuple(thing for things in words.things.values() for thing in things)
        self._stem = _stemmer(words)
        texts = [text for one in words.templates for text in (one.asks, one.states, one.adds, *one.others)]
        self._known = words_of((*self._things, *texts))

    def of(self, rng: Rng, thing: str, number: int) -> str:
        """The thing with one slip, of kind `number` if that leaves it apart, else of the next kind that does."""
        for turn in range(len(_KINDS)):
            made = list(dict.fromkeys(_KINDS[(number + turn) % len(_KINDS)](thing)))
            rng.shuffle(made)
            for slip in made:
                if self._apart(thing, slip):
                    return slip
        raise UsageError(
            "recipe-typo",
            f"no slip in '{thing}' leaves it apart from all other words of the slice",
            where=self._where,
            hint="Leave the word out.",
        )

    def _apart(self, thing: str, slip: str) -> bool:
        return (
            slip not in self._known
            and self._stem(slip) != self._stem(thing)
            and not any(other != thing and within_one_edit(other, slip) for other in self._things)
        )


def within_one_edit(one: str, other: str) -> bool:
    """Whether two words are equal, or differ by one letter more, less or other, or by two neighbours swapped."""
    if abs(len(one) - len(other)) > 1:
        return False
    start = 0
    while start < min(len(one), len(other)) and one[start] == other[start]:
        start += 1
    one, other = one[start:], other[start:]
    while one and other and one[-1] == other[-1]:
        one, other = one[:-1], other[:-1]
    return max(len(one), len(other)) <= 1 or (len(one) == len(other) == 2 and one == other[::-1])


def _swapped(word: str) -> Iterator[str]:
    """Two neighbouring letters in the other order. The first letter stays, here and below: it is rarely mistyped."""
    for at in range(1, len(word) - 1):
        yield word[:at] + word[at + 1] + word[at] + word[at + 2 :]


def _dropped(word: str) -> Iterator[str]:
    for at in range(1, len(word)):
        yield word[:at] + word[at + 1 :]


def _doubled(word: str) -> Iterator[str]:
    """One letter twice; letters that are doubled already are left alone."""
    for at in range(1, len(word)):
        if word[at] not in (word[at - 1], word[at + 1 : at + 2]):
            yield word[: at + 1] + word[at:]


def _neighbouring(word: str) -> Iterator[str]:
    """A letter replaced by one beside it on a QWERTY keyboard."""
    for at in range(1, len(word)):
        for row in _ROWS:
            if word[at] in row:
                key = row.index(word[at])
                for beside in row[max(0, key - 1) : key + 2].replace(word[at], ""):
                    yield word[:at] + beside + word[at + 1 :]


_KINDS: tuple[Callable[[str], Iterator[str]], ...] = (_swapped, _dropped, _doubled, _neighbouring)


def _next(left: Mapping[str, list[str]], template: _Template, words: _Words) -> str:
    """A thing of the template's kind that no topic has had."""
    if not left[template.kind]:
        raise UsageError(
            "recipe-few-words",
            f"there are fewer things of the kind '{template.kind}' than topics about them",
            where=words.where,
            hint="Add things, or ask for fewer topics.",
        )
    return left[template.kind].pop()


def _documents(
    rng: Rng, words: _Words, template: _Template, thing: str, others: Sequence[str], key: str
) -> Iterator[Document]:
    """The two about the thing, in one session, then those about others, each in a session of its own."""
    if len(others) < _CONFUSABLE:
        raise UsageError(
            "recipe-few-words",
            f"a topic needs {_CONFUSABLE} other things of the kind '{template.kind}', and there are {len(others)}",
            where=words.where,
            hint="Add things, or ask for fewer topics.",
        )
    start = session_start(rng)
    wordings = islice(cycle(rng.sample(template.others, len(template.others))), _CONFUSABLE)
    told = [
        (template.states, thing),
        (template.adds, thing),
        *zip(wordings, rng.sample(others, _CONFUSABLE), strict=True),
    ]
    for turn, (text, named) in enumerate(told):
        yield Document(
            doc_id=f"{key}-{turn}",
            text=_sentence(rng, words, text, named, template.where),
            session_id=f"{key}-{max(turn, 1)}",
            speaker=("user", "assistant")[turn % 2],
            created_at=moment(start + 4 * turn if turn < 2 else session_start(rng)),
            lang=words.lang,
        )


def _sentence(rng: Rng, words: _Words, text: str, thing: str, where: str) -> str:
    filled = fill(text, draw(rng, slots_of(text), words.slots, where) | {"thing": thing}, where)
    return filled[0].upper() + filled[1:]


def _stemmer(words: _Words) -> Callable[[str], str]:
    import Stemmer

    try:
        stem: Callable[[str], str] = Stemmer.Stemmer(words.stemmer).stemWord
    except KeyError:
        raise UsageError(
            "recipe-stemmer-unknown",
            f"there is no Snowball stemmer '{words.stemmer}'",
            where=words.where,
            hint=f"Known: {', '.join(Stemmer.algorithms())}.",
        ) from None
    return stem


def _words(entry: Entry) -> _Words:
    listed = entry.at("things")
    things = listed.lists_of_texts()
    for kind, below in listed.items():
        for thing in things[kind]:
            if len(thing) < _SHORTEST or not (thing.isascii() and thing.isalpha() and thing.islower()):
                below.fail(f"'{thing}' has to be a word of at least {_SHORTEST} letters, from a to z")
    templates = tuple(
        _Template(
            name,
            item.at("of").text(),
            item.at("asks").text(),
            item.at("states").text(),
            item.at("adds").text(),
            item.at("others").texts(),
            item.where,
        )
        for name, item in entry.at("templates").items()
    )
    for template in templates:
        if template.kind not in things:
            raise UsageError(
                "recipe-invalid", f"there are no things of the kind '{template.kind}'", where=template.where
            )
        for text in (template.asks, template.states, template.adds, *template.others):
            if slots_of(text).count("thing") != 1:
                raise UsageError("recipe-invalid", f"'{text}' has no slot {{thing}}", where=template.where)
    return _Words(
        lang=entry.at("lang").text(),
        stemmer=entry.at("stemmer").text(),
        things=things,
        slots=entry.at("slots").lists_of_texts(),
        templates=templates,
        where=listed.where,
    )
