"""Compounds: question and document share a part of a word and no whole one.

Asked `Ventil`, told `Kugelventil`; or asked `Gartentor`, told `Tor zum Garten`. A store that takes
compounds apart, or looks at runs of characters, finds these, and one of whole words or stems does
not. Braschler and Ripplinger, "How Effective is Stemming and Decompounding for German Text
Retrieval?", Information Retrieval 7, 2004.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import cycle, islice
from typing import Any

from gate.corpus.agreement import Agreement
from gate.corpus.entry import Entry
from gate.corpus.family import Part, WordsByLanguage
from gate.corpus.rng import Rng
from gate.corpus.stemmer import stemmer
from gate.corpus.template import draw, fill, moment, require_templates, session_start, slots_of
from gate.corpus.words import words_in
from gate.errors import Problem, UsageError
from gate.records import Document, Topic

_GRADE = 1  # it speaks of the thing asked about; whether it answers is not what the slice is about


@dataclass(frozen=True, slots=True)
class _Noun:
    """A noun, or a noun with what belongs to it, and the articles that its class has."""

    text: str
    around: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class _Family:
    """What is asked, with its `stem`, and what is told of it.

    `pieces` are the stems, without accents, that everything told holds within its words.
    """

    asked: _Noun
    stem: str
    told: tuple[_Noun, ...]
    pieces: tuple[str, ...]
    where: str

    @property
    def kind(self) -> str:
        """Whether a `part` of compounds is asked, or a `whole` one."""
        return "part" if len(self.pieces) == 1 else "whole"

    def held_by(self, words: Iterable[str]) -> bool:
        """Whether each piece stands within some word, all without accents."""
        listed = list(words)
        return all(any(piece in word for word in listed) for piece in self.pieces)


@dataclass(frozen=True, slots=True)
class _Language:
    lang: str
    stem: Callable[[str], str]
    slots: Mapping[str, Sequence[str]]
    documents: Mapping[str, str]
    queries: Mapping[str, str]
    families: tuple[_Family, ...]
    where: str

    def asks(self, word: str) -> _Family | None:
        """The family, if any, that a word of another document could answer."""
        stem, plain = self.stem(word), _without_accents(word)
        for family in self.families:
            if stem == family.stem or (family.kind == "part" and family.held_by([plain])):
                return family
        return None


class Compounds:
    """One slice a language. A topic asks for one noun; each of its documents has another compound of it."""

    name = "compounds"

    def build(self, rng: Rng, data: Mapping[str, Any], topics: Mapping[str, int]) -> Part:
        """The judged part. Raises UsageError where a document has the very word asked, or another one's parts."""
        documents: list[Document] = []
        asked: list[Topic] = []
        qrels: dict[str, Mapping[str, int]] = {}
        for slice_name, count in topics.items():
            language = _language(data, slice_name)
            made = _made(rng.child(slice_name), language, slice_name, count)
            documents.extend(made.documents)
            asked.extend(made.topics)
            qrels.update(made.qrels)
        return Part(tuple(documents), tuple(asked), qrels, {})

    def distractor(self, rng: Rng, data: Mapping[str, Any], index: int) -> Document | None:  # noqa: ARG002
        """None: the documents of other compounds are what confuses here."""
        return None

    def check_words(self, data: Mapping[str, Any], judged: WordsByLanguage, distractors: WordsByLanguage) -> None:
        """Raises UsageError where a word outside the family has a part that is asked, or a compound that is.

        A document with such a word could answer the question.
        """
        problems: list[Problem] = []
        for slice_name in Entry.of(self.name, data).at("slices").names():
            language = _language(data, slice_name)
            for kind, words in (("documents", judged), ("distractors", distractors)):
                for word in sorted(words.get(language.lang, ())):
                    family = language.asks(word)
                    if family is not None:
                        what = f"another family's {kind} have '{word}', and '{family.asked.text}' is asked"
                        problems.append(Problem(what, family.where))
        if problems:
            raise UsageError(
                "recipe-compounds-shared",
                "words of the family 'compounds' stand within words of other documents",
                hint="Leave these words out of the family, or out of the others.",
                problems=tuple(problems),
            )


def _made(rng: Rng, language: _Language, slice_name: str, count: int) -> Part:
    families = list(language.families)
    if len(families) < count:
        raise UsageError(
            "recipe-few-words",
            f"slice '{slice_name}' is to have {count} topics, and it has {len(families)} words to ask for",
            where=language.where,
            hint="Add words, or ask for fewer topics.",
        )
    rng.shuffle(families)
    tells, asks = _turns(rng, language.documents), _turns(rng, language.queries)
    documents: list[Document] = []
    topics: list[Topic] = []
    qrels: dict[str, dict[str, int]] = {}
    for number, family in enumerate(islice(families, count)):
        name = f"{slice_name}-{number}"
        start = session_start(rng)
        for position, noun in enumerate(family.told):
            documents.append(
                Document(
                    doc_id=f"{name}-{position}",
                    text=_sentence(rng, language, next(tells)[1], noun),
                    session_id=name,
                    speaker=("user", "assistant")[position % 2],
                    created_at=moment(start + 7 * position),
                    lang=language.lang,
                )
            )
        template, text = next(asks)
        topics.append(
            Topic(
                topic_id=name,
                text=_sentence(rng, language, text, family.asked),
                slices=(slice_name,),
                cluster=f"{slice_name}/{family.kind}-{template}",
            )
        )
        qrels[name] = {f"{name}-{position}": _GRADE for position in range(len(family.told))}
    require_templates(slice_name, (topic.cluster for topic in topics), count, language.where)
    _check_apart(language, families[:count], documents, qrels)
    rng.shuffle(documents)
    return Part(tuple(documents), tuple(topics), qrels, {})


def _sentence(rng: Rng, language: _Language, template: str, noun: _Noun) -> str:
    values = draw(rng, slots_of(template), language.slots, language.where)
    return fill(template, {**values, **noun.around, "w": noun.text}, language.where)


def _turns(rng: Rng, templates: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """The templates over and over, so that each is used as often as the others."""
    order = list(templates.items())
    rng.shuffle(order)
    return cycle(order)


def _check_apart(
    language: _Language,
    families: Sequence[_Family],
    documents: Sequence[Document],
    qrels: Mapping[str, Mapping[str, int]],
) -> None:
    """Raises UsageError unless a part is the one thing that links a question to its own documents only."""
    words = {document.doc_id: words_in(document.text) for document in documents}
    plain = {key: [_without_accents(word) for word in listed] for key, listed in words.items()}
    stems = {key: {language.stem(word) for word in listed} for key, listed in words.items()}
    for family, grades in zip(families, qrels.values(), strict=True):
        for document in documents:
            key = document.doc_id
            if family.stem in stems[key]:
                what = f"'{document.text}' has the very word that is asked, '{family.asked.text}'"
            elif family.held_by(plain[key]) != (key in grades):
                holds = "lacks" if key in grades else "holds"
                what = f"'{document.text}' {holds} what '{family.asked.text}' is found by: {', '.join(family.pieces)}"
            else:
                continue
            raise UsageError(
                "recipe-compounds-shared",
                what,
                where=family.where,
                hint="All that a family tells has to hold what it asks, within its words, and nothing else may.",
            )


def _without_accents(word: str) -> str:
    """A word in lower case, with plain letters for umlauts and other accents."""
    letters = unicodedata.normalize("NFD", word.casefold())
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


def _language(data: Mapping[str, Any], slice_name: str) -> _Language:
    entry = Entry.of(Compounds.name, data).at("slices", slice_name)
    stem = stemmer(entry.at("stemmer").text(), entry.where)
    agreement = Agreement.of(entry)
    return _Language(
        lang=entry.at("lang").text(),
        stem=stem,
        slots=entry.at("slots").lists_of_texts(),
        documents=entry.at("documents").named_texts(),
        queries=entry.at("queries").named_texts(),
        families=tuple(_family(item, agreement, stem) for item in entry.at("words").each()),
        where=entry.where,
    )


def _family(item: Entry, agreement: Agreement, stem: Callable[[str], str]) -> _Family:
    asked = [_Noun(text.text(), agreement.named(name, text)) for name, text in item.at("ask").items()]
    if len(asked) != 1:
        item.at("ask").fail("one noun has to be asked, under its class")
    told = [
        _Noun(text.text(), agreement.named(name, text))
        for name, texts in item.at("tell").items()
        for text in texts.each()
    ]
    parts = item.at("parts").texts() if item.has("parts") else (asked[0].text,)
    pieces = tuple(_without_accents(stem(part)) for part in parts)
    family = _Family(asked[0], stem(asked[0].text), tuple(told), pieces, item.where)
    if not family.held_by([_without_accents(family.asked.text)]):
        item.fail(f"the parts are not in '{family.asked.text}'")
    return family
