"""Many vague sessions and one precise answer: what repeats the question is not what answers it.

A topic has one document with the answer, in few of the question's words, and seven that speak of
the same subject and settle nothing. Those that repeat the question are near-duplicates of each
other: a few wordings, said on other days by other people. An engine that ranks by shared words
alone fills its first places with them; one that keeps no more than one of several near-duplicates
does not (Carbonell and Goldstein, "The Use of MMR, Diversity-Based Reranking for Reordering
Documents and Producing Summaries", SIGIR 1998).

A slice says what its writer knew besides. `nothing` is the honest case. With `index-text` every
document has what it is to be indexed under, with `scope` most of the vague ones belong to another
project, with `kind` the answer is filed as a decision and the vague ones as talk.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import cycle, islice
from typing import Any

from gate.corpus.entry import Entry
from gate.corpus.family import Part
from gate.corpus.rng import Rng
from gate.corpus.template import draw, fill, moment, require_templates, session_start, slots_of
from gate.errors import UsageError
from gate.records import Document, Topic

NOTHING, INDEX_TEXT, SCOPE, KIND = "nothing", "index-text", "scope", "kind"
_VAGUE = 7  # documents a topic that answer nothing
_ANSWERS = 3
_VISIBLE = 4  # vague ones of the topic's own project
_DAY = 1440


@dataclass(frozen=True, slots=True)
class _Template:
    """`vague` repeat the question; `index` is what the writer of the answer files it under, if at all."""

    name: str
    asks: str
    answers: str
    index: str
    vague: tuple[str, ...]
    where: str


@dataclass(frozen=True, slots=True)
class _Slice:
    """`known` are the things that a writer knew, `repeating` the numbers of vague ones that repeat the question.

    Topics take turns with both.
    """

    known: tuple[str, ...]
    repeating: tuple[int, ...]
    templates: tuple[_Template, ...]
    where: str


@dataclass(frozen=True, slots=True)
class _Words:
    """What all slices share. `asides` are on the subject and not on the question, `tags` what they are filed under."""

    lang: str
    subjects: tuple[str, ...]
    projects: tuple[str, ...]
    slots: Mapping[str, Sequence[str]]
    asides: tuple[str, ...]
    tags: tuple[str, ...]
    where: str


class Duplicates:
    """One slice for each set of things that a writer may know. No two topics have the same subject."""

    name = "duplicates"

    def build(self, rng: Rng, data: Mapping[str, Any], topics: Mapping[str, int]) -> Part:
        """The judged part. Raises UsageError where the subjects do not suffice for the topics."""
        entry = Entry.of(self.name, data)
        words = _words(entry)
        wanted = sum(topics.values())
        if wanted > len(words.subjects):
            raise UsageError(
                "recipe-few-words",
                f"there are {len(words.subjects)} subjects for {wanted} topics",
                where=words.where,
                hint="Add subjects, or ask for fewer topics.",
            )
        subjects = iter(rng.sample(words.subjects, wanted))
        documents: list[Document] = []
        asked: list[Topic] = []
        for slice_name, count in topics.items():
            of_slice = _slice(entry.at("slices", slice_name))
            own = rng.child(slice_name)
            templates = own.sample(of_slice.templates, len(of_slice.templates))
            made = [
                _case(own, words, template, of_slice, f"{slice_name}-{number}", number, next(subjects))
                for number, template in enumerate(islice(cycle(templates), count))
            ]
            for topic, about in made:
                asked.append(replace(topic, slices=(slice_name,), cluster=f"{slice_name}/{topic.cluster}"))
                documents.extend(about)
            require_templates(slice_name, (topic.cluster for topic, _ in made), count, of_slice.where)
        rng.shuffle(documents)
        return Part(tuple(documents), tuple(asked), {topic.topic_id: {topic.topic_id: _ANSWERS} for topic in asked}, {})

    def distractor(self, rng: Rng, data: Mapping[str, Any], index: int) -> Document | None:  # noqa: ARG002
        """None: the vague sessions are what confuses here."""
        return None


def _case(
    rng: Rng, words: _Words, template: _Template, of_slice: _Slice, key: str, number: int, subject: str
) -> tuple[Topic, list[Document]]:
    """A topic, and its documents: the one that answers has the topic's key."""
    known = of_slice.known[number % len(of_slice.known)]
    repeating = of_slice.repeating[number % len(of_slice.repeating)]
    wordings = [
        *islice(cycle(rng.sample(template.vague, len(template.vague))), repeating),
        *rng.sample(words.asides, _VAGUE - repeating),
    ]
    start = session_start(rng)
    answer, *vague = (
        Document(
            doc_id=key if turn == 0 else f"{key}-{turn}",
            text=_sentence(rng, words, text, subject, template.where),
            session_id=key if turn == 0 else f"{key}-{turn}",
            speaker=("user", "assistant")[rng.below(2)],
            created_at=moment(start + rng.below(_VAGUE * _DAY)),
            lang=words.lang,
        )
        for turn, text in enumerate((template.answers, *wordings))
    )
    topic = Topic(key, _sentence(rng, words, template.asks, subject, template.where), cluster=template.name)
    if known == INDEX_TEXT:
        index = _sentence(rng, words, template.index, subject, template.where)
        tags = [_sentence(rng, words, rng.choice(words.tags), subject, words.where) for _ in vague]
        tagged = (replace(document, index_text=tag) for document, tag in zip(vague, tags, strict=True))
        return topic, [replace(answer, index_text=index), *tagged]
    if known == SCOPE:
        mine, other = (frozenset({f"project:{name}"}) for name in rng.sample(words.projects, 2))
        scoped = (replace(document, scope=mine if at < _VISIBLE else other) for at, document in enumerate(vague))
        return replace(topic, scope=mine), [replace(answer, scope=mine), *scoped]
    if known == KIND:
        decision, talk = frozenset({"kind:decision"}), frozenset({"kind:talk"})
        filed = (replace(document, scope=talk) for document in vague)
        return replace(topic, scope=decision), [replace(answer, scope=decision), *filed]
    return topic, [answer, *vague]


def _sentence(rng: Rng, words: _Words, text: str, subject: str, where: str) -> str:
    return fill(text, draw(rng, slots_of(text), words.slots, where) | {"subject": subject}, where)


def _slice(entry: Entry) -> _Slice:
    known = entry.at("known").texts()
    for name in known:
        if name not in (NOTHING, INDEX_TEXT, SCOPE, KIND):
            entry.at("known").fail(f"a writer may know {NOTHING}, {INDEX_TEXT}, {SCOPE} or {KIND}, not '{name}'")
    repeating = tuple(item.number() for item in entry.at("repeating").each())
    if max(repeating) > _VAGUE:
        entry.at("repeating").fail(f"a topic has {_VAGUE} vague documents; {max(repeating)} cannot repeat the question")
    return _Slice(known, repeating, tuple(_templates(entry.at("templates"), INDEX_TEXT in known)), entry.where)


def _templates(entry: Entry, indexed: bool) -> Iterator[_Template]:
    for name, item in entry.items():
        asks, answers = item.at("asks").text(), item.at("answers").text()
        index = item.at("index").text() if indexed else ""
        yield _Template(name, asks, answers, index, item.at("vague").texts(), item.where)


def _words(entry: Entry) -> _Words:
    asides = entry.at("asides").texts()
    if len(asides) < _VAGUE:
        entry.at("asides").fail(f"this needs at least {_VAGUE} texts and has {len(asides)}")
    projects = entry.at("projects").texts()
    if len(set(projects)) < 2:
        entry.at("projects").fail("at least two are needed")
    subjects = entry.at("subjects").texts()
    return _Words(
        lang=entry.at("lang").text(),
        subjects=tuple(dict.fromkeys(subjects)),
        projects=projects,
        slots=entry.at("slots").lists_of_texts(),
        asides=asides,
        tags=entry.at("tags").texts(),
        where=entry.at("subjects").where,
    )
