"""Long documents, in which what is asked is one paragraph among two dozen.

Diaries and minutes of one and a half to two and a half thousand words. Each document has three
paragraphs on a thing at a place, early, in the middle and late. One of the three may answer a
topic; the others share the place, the thing or the matter with a topic and not all three. The
topics' answers stand early, in the middle and late in turn. What reads only the beginning finds a
third of them: all-MiniLM-L6-v2, for one, cuts a text after 256 word pieces. What scores a document
as a whole drowns the paragraph: Lv and Zhai, "When Documents Are Very Long, BM25 Fails!", SIGIR 2011.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
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

_ANSWERS = 3
_PLACES = 3  # early, in the middle, late: where a document has something to be asked about
_DOCUMENTS_A_TOPIC = 2  # one that answers it, and one that answers nothing
_FEWEST, _MOST = 21, 27  # paragraphs of everyday matters in a document
_SENTENCES = 5  # of a paragraph
_EARLY = 2  # paragraphs at most before the early place, and after the late one
_DAY = 1440
_DRAWS = 1000


@dataclass(frozen=True, slots=True)
class _Matter:
    """What can be said and asked of any thing at any place."""

    name: str
    asks: str
    tells: str
    where: str


@dataclass(frozen=True, slots=True)
class _Paragraph:
    """A matter, told of a thing at a spot."""

    matter: _Matter
    thing: str
    spot: str


@dataclass(frozen=True, slots=True)
class _Words:
    """`days` are the sentences of everyday paragraphs, by what they are about."""

    lang: str
    things: tuple[str, ...]
    spots: tuple[str, ...]
    slots: Mapping[str, Sequence[str]]
    days: tuple[tuple[str, ...], ...]
    matters: tuple[_Matter, ...]
    where: str


class Long:
    """One slice. No two topics have the same spot."""

    name = "long"

    def build(self, rng: Rng, data: Mapping[str, Any], topics: Mapping[str, int]) -> Part:
        """The judged part. Raises UsageError where there are fewer spots than topics."""
        words = _words(Entry.of(self.name, data))
        documents: list[Document] = []
        asked: list[Topic] = []
        qrels: dict[str, dict[str, int]] = {}
        spots = rng.sample(words.spots, len(words.spots))
        for slice_name, count in topics.items():
            if count > len(spots):
                raise UsageError(
                    "recipe-few-words",
                    f"there are {len(words.spots)} spots for {sum(topics.values())} topics",
                    where=words.where,
                    hint="Add spots, or ask for fewer topics.",
                )
            answers = list(_answers(rng, words, [spots.pop() for _ in range(count)]))
            for number, (answer, paragraphs) in enumerate(_arranged(rng, words, answers)):
                key = f"{slice_name}-{number}"
                documents.append(_document(rng, words, paragraphs, key))
                if answer is None:
                    continue
                values = {"thing": answer.thing, "spot": answer.spot}
                text = _sentence(rng, words, answer.matter.asks, values, answer.matter.where)
                asked.append(Topic(key, text, slices=(slice_name,), cluster=f"{slice_name}/{answer.matter.name}"))
                qrels[key] = {key: _ANSWERS}
            require_templates(slice_name, (topic.cluster for topic in asked), count, words.where)
        rng.shuffle(documents)
        return Part(tuple(documents), tuple(asked), qrels, {})

    def distractor(self, rng: Rng, data: Mapping[str, Any], index: int) -> Document | None:  # noqa: ARG002
        """None: a long document costs as much as a hundred short ones."""
        return None


def _answers(rng: Rng, words: _Words, spots: Sequence[str]) -> Iterator[_Paragraph]:
    """One paragraph for each topic; matters and things take turns."""
    matters = cycle(rng.sample(words.matters, len(words.matters)))
    things = cycle(rng.sample(words.things, len(words.things)))
    for spot in spots:
        yield _Paragraph(next(matters), next(things), spot)


def _arranged(
    rng: Rng, words: _Words, answers: Sequence[_Paragraph]
) -> Iterator[tuple[_Paragraph | None, list[_Paragraph]]]:
    """For each document the paragraph that answers a topic, if any does, and its three paragraphs in order."""
    documents = _DOCUMENTS_A_TOPIC * len(answers)
    confusing = list(_confusing(rng, words, answers, _PLACES * documents - len(answers)))
    rng.shuffle(confusing)
    for number, answer in enumerate(answers):
        place = number % _PLACES
        yield answer, [answer if at == place else _unlike(answer, confusing) for at in range(_PLACES)]
    while confusing:
        yield None, [confusing.pop() for _ in range(_PLACES)]


def _unlike(answer: _Paragraph, confusing: list[_Paragraph]) -> _Paragraph:
    """Takes out a paragraph that shares nothing with the answer, so that only the answer leads to its document."""
    for at, other in enumerate(confusing):
        if other.matter is not answer.matter and other.thing != answer.thing and other.spot != answer.spot:
            return confusing.pop(at)
    return confusing.pop()


def _confusing(rng: Rng, words: _Words, answers: Sequence[_Paragraph], count: int) -> Iterator[_Paragraph]:
    """Paragraphs that differ from the answers, in turn, by their matter, their thing or their spot."""
    told = {(answer.matter.name, answer.thing, answer.spot) for answer in answers}
    for number, answer in enumerate(islice(cycle(answers), count)):
        other = _unlike_in_one(rng, words, answer, number // len(answers) % 3, told)
        told.add((other.matter.name, other.thing, other.spot))
        yield other


def _unlike_in_one(
    rng: Rng, words: _Words, answer: _Paragraph, turn: int, told: Set[tuple[str, str, str]]
) -> _Paragraph:
    """A paragraph that nothing has told yet, with another matter (turn 0), thing (1) or spot (2) than the answer."""
    for _ in range(_DRAWS):
        other = _Paragraph(
            rng.choice(words.matters) if turn == 0 else answer.matter,
            rng.choice(words.things) if turn == 1 else answer.thing,
            rng.choice(words.spots) if turn == 2 else answer.spot,
        )
        if (other.matter.name, other.thing, other.spot) not in told:
            return other
    raise UsageError(
        "recipe-few-words",
        f"there are too few {('matters', 'things', 'spots')[turn]} to tell documents apart",
        where=words.where,
        hint="Add some, or ask for fewer topics.",
    )


def _document(rng: Rng, words: _Words, paragraphs: Sequence[_Paragraph], key: str) -> Document:
    """Everyday paragraphs, each under its date, with the three at their places among them."""
    count = _FEWEST + rng.below(_MOST - _FEWEST + 1)
    about = list(islice(cycle(rng.sample(words.days, len(words.days))), count))
    told = [
        " ".join(_sentence(rng, words, text, {}, words.where) for text in rng.sample(of, _SENTENCES)) for of in about
    ]
    places = (1 + rng.below(_EARLY), count // 2, count - rng.below(_EARLY + 1))
    for place, one in sorted(zip(places, paragraphs, strict=True), key=lambda pair: -pair[0]):
        values = {"thing": one.thing, "spot": one.spot}
        told.insert(place, _sentence(rng, words, one.matter.tells, values, one.matter.where))
    days = []
    minute = session_start(rng)
    for text in told:
        days.append(f"{moment(minute)[:10]}. {text}")
        minute += (1 + rng.below(3)) * _DAY
    return Document(
        doc_id=key,
        text="\n\n".join(days),
        session_id=key,
        speaker="user",
        created_at=moment(minute),
        lang=words.lang,
    )


def _sentence(rng: Rng, words: _Words, text: str, values: Mapping[str, str], where: str) -> str:
    filled = fill(text, draw(rng, slots_of(text), words.slots, where) | dict(values), where)
    return filled[0].upper() + filled[1:]


def _words(entry: Entry) -> _Words:
    days = []
    for item in entry.at("days").values():
        sentences = item.texts()
        if len(sentences) < _SENTENCES:
            item.fail(f"a paragraph needs at least {_SENTENCES} sentences, and there are {len(sentences)}")
        days.append(sentences)
    things, spots = entry.at("things").texts(), entry.at("spots").texts()
    named = words_of(text for sentences in days for text in sentences) & words_of((*things, *spots))
    if named:
        entry.at("days").fail(f"'{min(named)}' is the word of a thing or a spot, which only matters may name")
    matters = []
    for name, item in entry.at("matters").items():
        asks, tells = item.at("asks").text(), item.at("tells").text()
        for text in (asks, tells):
            if not {"thing", "spot"} <= set(slots_of(text)):
                item.fail(f"'{text}' needs the slots {{thing}} and {{spot}}")
        matters.append(_Matter(name, asks, tells, item.where))
    return _Words(
        lang=entry.at("lang").text(),
        things=things,
        spots=spots,
        slots=entry.at("slots").lists_of_texts(),
        days=tuple(days),
        matters=tuple(matters),
        where=entry.where,
    )
