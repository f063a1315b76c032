"""Writing systems: question and document share words inside unbroken runs of a script.

A store that takes a run of Han as one token, or keeps ASCII only, finds nothing here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
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
_DRAWS = 1000
_MINUTES_OF_LIFE = 480 * 1440
_ASCII_WORD = re.compile(r"[0-9A-Za-z]")
_RUN = re.compile(r"[^\W\d_a-zA-Z]+")

Values = dict[str, str]


@dataclass(frozen=True, slots=True)
class _Template:
    """One subject: the text that answers, one that adds to it, and the question. `keys` are the question's slots."""

    name: str
    states: str
    adds: str
    asks: str
    keys: tuple[str, ...]
    where: str


@dataclass(frozen=True, slots=True)
class _Distractors:
    slots: Mapping[str, Sequence[str]]
    numbers: Mapping[str, int]
    templates: tuple[str, ...]
    where: str


@dataclass(frozen=True, slots=True)
class _Script:
    lang: str
    spaces: bool
    slots: Mapping[str, Sequence[str]]
    templates: tuple[_Template, ...]
    distractors: _Distractors
    where: str


@dataclass(slots=True)
class _Draft:
    """What has been made of a slice so far. `taken` are the key values that a template has used up."""

    documents: list[Document] = field(default_factory=list)
    topics: list[Topic] = field(default_factory=list)
    qrels: dict[str, dict[str, int]] = field(default_factory=dict)
    taken: set[tuple[str, ...]] = field(default_factory=set)


class Scripts:
    """One slice a writing system.

    A topic has a document that answers it, one that adds to it, and one that says either of
    something else, which shares one of the question's slots where the question has two.
    """

    name = "scripts"

    def __init__(self) -> None:
        self._read: tuple[Mapping[str, Any], tuple[_Script, ...]] | None = None

    def build(self, rng: Rng, data: Mapping[str, Any], topics: Mapping[str, int]) -> Part:
        """The judged part. Raises UsageError where a question equals a run of the text that answers it."""
        entry = Entry.of(self.name, data).at("slices")
        documents: list[Document] = []
        asked: list[Topic] = []
        qrels: dict[str, dict[str, int]] = {}
        for slice_name, count in topics.items():
            draft = _draft(rng, _script(entry.at(slice_name)), slice_name, count)
            documents.extend(draft.documents)
            asked.extend(draft.topics)
            qrels.update(draft.qrels)
        return Part(tuple(documents), tuple(asked), qrels, {})

    def distractor(self, rng: Rng, data: Mapping[str, Any], index: int) -> Document | None:
        """A note on something that no topic asks about, from word lists of its own; slices take turns."""
        scripts = self._scripts(data)
        script = scripts[index % len(scripts)]
        made = script.distractors
        template = rng.choice(made.templates)
        start = rng.below(_MINUTES_OF_LIFE)
        return Document(
            doc_id=f"distractor-{index}",
            text=fill(template, _noise(rng, made, template), made.where),
            session_id=f"distractor-{index // 4}",
            speaker="user",
            created_at=moment(start),
            lang=script.lang,
        )

    def distractor_words(self, data: Mapping[str, Any]) -> frozenset[str]:
        """Every word of the lists and of the texts around the slots; a run without spaces counts as one word."""
        pieces: list[str] = []
        for script in self._scripts(data):
            for words in script.distractors.slots.values():
                pieces.extend(words)
            for template in script.distractors.templates:
                pieces.extend(re.split(r"\{[^{}]+\}", template))
        return words_of(pieces)

    def _scripts(self, data: Mapping[str, Any]) -> tuple[_Script, ...]:
        """All slices, read once for as long as the data is the same object: distractors are made by the million."""
        if self._read is None or self._read[0] is not data:
            entry = Entry.of(self.name, data).at("slices")
            self._read = (data, tuple(map(_script, entry.values())))
        return self._read[1]


def _draft(rng: Rng, script: _Script, slice_name: str, count: int) -> _Draft:
    draft = _Draft()
    templates = list(script.templates)
    rng.shuffle(templates)
    for number, template in enumerate(islice(cycle(templates), count)):
        _add_topic(rng, script, template, draft, f"{slice_name}-{number}", slice_name)
    require_templates(slice_name, (topic.cluster for topic in draft.topics), count, script.where)
    if not script.spaces:
        _check_runs(script, draft)
    rng.shuffle(draft.documents)
    return draft


def _add_topic(rng: Rng, script: _Script, template: _Template, draft: _Draft, name: str, slice_name: str) -> None:
    start = session_start(rng)
    values = _draw(rng, script, template, draft, {})
    shared = rng.below(len(template.keys)) if len(template.keys) > 1 else None
    kept = {} if shared is None else {template.keys[shared]: values[template.keys[shared]]}
    other = _draw(rng, script, template, draft, kept)

    def turn(key: str, text: str, filled: Values, session: str, speaker: str, minute: int) -> Document:
        return Document(
            doc_id=f"{name}-{key}",
            text=fill(text, filled, template.where),
            session_id=f"{name}-{session}",
            speaker=speaker,
            created_at=moment(minute),
            lang=script.lang,
        )

    draft.documents.append(turn("states", template.states, values, "a", "user", start))
    draft.documents.append(turn("adds", template.adds, values, "a", "assistant", start + 1 + rng.below(90)))
    draft.documents.append(
        turn("other", rng.choice((template.states, template.adds)), other, "b", "user", session_start(rng))
    )
    draft.topics.append(
        Topic(
            topic_id=name,
            text=fill(template.asks, values, template.where),
            slices=(slice_name,),
            cluster=f"{slice_name}/{template.name}",
        )
    )
    draft.qrels[name] = {f"{name}-states": _STATES, f"{name}-adds": _ADDS}


def _draw(rng: Rng, script: _Script, template: _Template, draft: _Draft, kept: Values) -> Values:
    """Words for all slots of a template, such that the question's slots differ from all drawn before."""
    slots = slots_of(template.states + template.adds + template.asks)
    for _ in range(_DRAWS):
        values = draw(rng, slots, script.slots, template.where) | kept
        key = (template.name, *(values.get(slot, "") for slot in template.keys))
        if key not in draft.taken:
            draft.taken.add(key)
            return values
    raise UsageError(
        "recipe-few-words",
        f"the slots {', '.join(template.keys)} have too few words to tell this template's topics apart",
        where=template.where,
        hint="Add words to their lists, add templates, or ask for fewer topics.",
    )


def _check_runs(script: _Script, draft: _Draft) -> None:
    """Raises UsageError where a run between spaces, signs or Latin would find the answer as a whole."""
    texts = {document.doc_id: document.text for document in draft.documents}
    for topic in draft.topics:
        if _ASCII_WORD.search(topic.text):
            raise UsageError(
                "recipe-latin-question",
                f"'{topic.text}' has Latin letters or digits, which any tokenizer finds",
                where=script.where,
                hint="Keep them to the documents.",
            )
        runs = set(_RUN.findall(topic.text))
        for key in draft.qrels[topic.topic_id]:
            both = runs.intersection(_RUN.findall(texts[key]))
            if both:
                raise UsageError(
                    "recipe-whole-run",
                    f"'{topic.text}' and '{texts[key]}' share the whole run '{min(both)}'",
                    where=script.where,
                    hint="Let the shared words stand inside longer runs.",
                )


def _noise(rng: Rng, made: _Distractors, template: str) -> Values:
    """Words and numbers for a distractor."""
    slots = slots_of(template)
    values = draw(rng, slots, made.slots, made.where)
    values.update((slot, str(2 + rng.below(made.numbers[slot] - 1))) for slot in slots if slot in made.numbers)
    return values


def _script(entry: Entry) -> _Script:
    return _Script(
        lang=entry.at("lang").text(),
        spaces=entry.at("spaces").flag(),
        slots=entry.at("slots").lists_of_texts(),
        templates=tuple(_templates(entry.at("templates"))),
        distractors=_distractors(entry.at("distractors")),
        where=entry.where,
    )


def _templates(entry: Entry) -> Iterator[_Template]:
    for name, below in entry.items():
        states, adds, asks = (below.at(part).text() for part in ("states", "adds", "asks"))
        keys = slots_of(asks)
        if not keys or not all(set(keys) <= set(slots_of(text)) for text in (states, adds)):
            below.fail("the question needs slots, and 'states' and 'adds' have to have them too")
        yield _Template(name, states, adds, asks, keys, below.where)


def _distractors(entry: Entry) -> _Distractors:
    return _Distractors(
        slots=entry.at("slots").lists_of_texts(),
        numbers=entry.at("numbers").numbers(),
        templates=tuple(entry.at("templates").named_texts().values()),
        where=entry.where,
    )
