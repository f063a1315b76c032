"""Topics about one exact value, such as an identifier or a date, among values that are very near to it.

Two documents hold a topic's value: one answers, one adds to that. Five more hold near values, a
digit or a word away, and have more of the question's other words, so that only a store which
keeps values exactly can tell which is asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import cycle, islice
from typing import Any, Protocol, TypeVar

from gate.corpus.entry import Entry
from gate.corpus.family import Part
from gate.corpus.rng import Rng
from gate.corpus.template import draw, fill, moment, require_templates, session_start, slots_of
from gate.corpus.words import words_in
from gate.errors import UsageError
from gate.records import Document, Topic

STATES, ADDS = 3, 1
NEAR = 5  # documents a topic
_DRAWS = 1000
_LONGEST_PAUSE = 5 * 1440

V = TypeVar("V")
Forms = Mapping[str, str]


class Kind(Protocol[V]):
    """A kind of value: how one is drawn, which are near to it, and the forms in which it is written, by name."""

    def draw(self, rng: Rng) -> V: ...

    def near(self, rng: Rng, value: V) -> V: ...

    def forms(self, value: V) -> Forms: ...


def near_number(rng: Rng, number: int, low: int, high: int) -> int:
    """A number within [low, high] that differs in one digit, or has two neighbouring digits swapped."""
    digits = str(number)
    for _ in range(_DRAWS):
        at = rng.below(len(digits))
        if rng.below(2) and at:
            other = digits[: at - 1] + digits[at] + digits[at - 1] + digits[at + 1 :]
        else:
            other = digits[:at] + str(rng.below(10)) + digits[at + 1 :]
        if other != digits and low <= int(other) <= high:
            return int(other)
    return number


@dataclass(frozen=True, slots=True)
class _Template:
    """Texts with the value's forms, and slots for words, as slots."""

    name: str
    kind: Kind[Any]
    states: str
    adds: str
    near: tuple[str, ...]
    asks: str
    where: str


@dataclass(slots=True)
class _Draft:
    """What has been made of a slice so far. `taken` are all forms of all its values."""

    lang: str
    slots: Mapping[str, Sequence[str]]
    documents: list[Document] = field(default_factory=list)
    topics: list[Topic] = field(default_factory=list)
    qrels: dict[str, dict[str, int]] = field(default_factory=dict)
    taken: set[str] = field(default_factory=set)


def part_of_values(
    rng: Rng, entry: Entry, kinds: Mapping[str, Kind[Any]], topics: Mapping[str, int], *, rewritten: bool
) -> Part:
    """The judged part of a family of slices about values, from the family's own `entry`.

    `rewritten` says that documents have to write the value in other forms than the question.
    Raises UsageError where a text has no form of the value, where the words alone would favour
    the documents that hold it, or where there are too few values.
    """
    documents: list[Document] = []
    asked: list[Topic] = []
    qrels: dict[str, dict[str, int]] = {}
    for slice_name, count in topics.items():
        below = entry.at("slices", slice_name)
        draft = _Draft(below.at("lang").text(), below.at("slots").lists_of_texts())
        templates = list(_templates(below.at("templates"), kinds, rewritten))
        own = rng.child(slice_name)
        own.shuffle(templates)
        for number, template in enumerate(islice(cycle(templates), count)):
            _add_topic(own, template, draft, f"{slice_name}-{number}", slice_name)
        require_templates(slice_name, (topic.cluster for topic in draft.topics), count, below.where)
        own.shuffle(draft.documents)
        documents.extend(draft.documents)
        asked.extend(draft.topics)
        qrels.update(draft.qrels)
    return Part(tuple(documents), tuple(asked), qrels, {})


def _add_topic(rng: Rng, template: _Template, draft: _Draft, name: str, slice_name: str) -> None:
    kind = template.kind
    value, forms = _untaken(rng, template, draft, kind.draw)
    asked = draw(rng, slots_of(template.asks), draft.slots, template.where)
    start = session_start(rng)

    def turn(key: str, text: str, held: Forms, session: str, minute: int) -> None:
        words = draw(rng, slots_of(text), draft.slots, template.where)
        draft.documents.append(
            Document(
                doc_id=f"{name}-{key}",
                text=fill(text, words | asked | dict(held), template.where),
                session_id=f"{name}-{session}",
                speaker=("user", "assistant")[rng.below(2)],
                created_at=moment(minute),
                lang=draft.lang,
            )
        )

    turn("states", template.states, forms, "0", start)
    turn("adds", template.adds, forms, "0", start + 1 + rng.below(_LONGEST_PAUSE))
    for number, text in zip(range(NEAR), cycle(template.near)):
        _, others = _untaken(rng, template, draft, lambda stream: kind.near(stream, value))
        turn(f"near-{number}", text, others, str(1 + number // 2), session_start(rng))
    draft.topics.append(
        Topic(
            topic_id=name,
            text=fill(template.asks, asked | dict(forms), template.where),
            slices=(slice_name,),
            cluster=f"{slice_name}/{template.name}",
        )
    )
    draft.qrels[name] = {f"{name}-states": STATES, f"{name}-adds": ADDS}


def _untaken(rng: Rng, template: _Template, draft: _Draft, source: Callable[[Rng], Any]) -> tuple[Any, Forms]:
    """A value none of whose forms is one of another value."""
    for _ in range(_DRAWS):
        value = source(rng)
        forms = template.kind.forms(value)
        if draft.taken.isdisjoint(forms.values()):
            draft.taken.update(forms.values())
            return value, forms
    raise UsageError(
        "recipe-few-words",
        "there are too few values of this template's kind to tell its topics apart",
        where=template.where,
        hint="Widen the kind, add templates of other kinds, or ask for fewer topics.",
    )


def _templates(entry: Entry, kinds: Mapping[str, Kind[Any]], rewritten: bool) -> Iterator[_Template]:
    for name, below in entry.items():
        kind = below.at("kind").text()
        if kind not in kinds:
            below.fail(f"there is no kind '{kind}' here; known: {', '.join(kinds)}")
        template = _Template(
            name,
            kinds[kind],
            below.at("states").text(),
            below.at("adds").text(),
            below.at("near").texts(),
            below.at("asks").text(),
            below.where,
        )
        _check(below, template, rewritten)
        yield template


def _check(entry: Entry, template: _Template, rewritten: bool) -> None:
    known = template.kind.forms(template.kind.draw(Rng(entry.where)))
    asks, states, adds, *near = (
        frozenset(slots_of(text)) & known.keys()
        for text in (template.asks, template.states, template.adds, *template.near)
    )
    if not all((asks, states, adds, *near)):
        entry.fail(f"each text has to hold a form of the value: {', '.join(f'{{{form}}}' for form in known)}")
    if rewritten and asks & (states | adds):
        entry.fail(f"'states' and 'adds' write the value as the question does: {{{min(asks & (states | adds))}}}")
    words = _words(template.asks, known)
    most = max(len(words & _words(text, known)) for text in (template.states, template.adds))
    least = min(len(words & _words(text, known)) for text in template.near)
    if least <= most:
        entry.fail(
            f"'near' has to hold more of the question's words than 'states' and 'adds', not {least} against {most}: "
            f"{', '.join(sorted(words))}"
        )


def _words(text: str, forms: Forms) -> frozenset[str]:
    """The words around a text's forms. A slot for words counts as its name."""
    slots = {slot: "" if slot in forms else slot for slot in slots_of(text)}
    return frozenset(words_in(fill(text, slots, "")))
