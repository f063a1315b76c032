"""Word forms: the question has one form of a word, the documents that answer it only other forms of it.

The one thing that links the two is the stem, so a store that does not stem, or stems on one side
only, finds nothing. Porter2 (Snowball) is the reference: https://snowballstem.org/algorithms/.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import cycle
from typing import Any

from gate.corpus.agreement import Agreement
from gate.corpus.entry import Entry
from gate.corpus.family import Part, WordsByLanguage
from gate.corpus.rng import Rng
from gate.corpus.slice_distractors import SliceDistractors
from gate.corpus.stemmer import stemmer
from gate.corpus.template import draw, fill, moment, require_templates, session_start, slots_of
from gate.corpus.words import words_in
from gate.errors import Problem, UsageError
from gate.records import Document, Topic

_DOCUMENTS_A_WORD = 3
_GRADE = 1  # it speaks of the thing asked about; whether it answers is not what the slice is about


@dataclass(frozen=True, slots=True)
class _Word:
    """A family of forms of one word: `forms` by tag (`base`, `ing`), and what fills other slots around it."""

    forms: Mapping[str, str]
    around: Mapping[str, str]
    where: str


@dataclass(frozen=True, slots=True)
class _Language:
    lang: str
    stemmer: str
    slots: Mapping[str, Sequence[str]]
    documents: Mapping[str, Mapping[str, str]]
    queries: Mapping[str, Mapping[str, str]]
    words: tuple[_Word, ...]
    where: str


class Morphology:
    """One slice a language. Half of a word's forms are asked, a topic each; the others stand in its documents."""

    name = "morphology"

    def __init__(self) -> None:
        self._distractors = SliceDistractors(self.name)

    def build(self, rng: Rng, data: Mapping[str, Any], topics: Mapping[str, int]) -> Part:
        """The judged part. Raises UsageError where forms of a word have two stems or two words share one."""
        documents: list[Document] = []
        asked: list[Topic] = []
        qrels: dict[str, dict[str, int]] = {}
        for slice_name, count in topics.items():
            language = _language(data, slice_name)
            self._build_slice(rng.child(slice_name), language, slice_name, count, documents, asked, qrels)
        return Part(tuple(documents), tuple(asked), qrels, {})

    def distractor(self, rng: Rng, data: Mapping[str, Any], index: int) -> Document | None:
        """A note in the language of a slice, on nothing that is asked; slices that have any take turns."""
        return self._distractors.make(rng, data, index)

    def distractor_words(self, data: Mapping[str, Any]) -> WordsByLanguage:
        return self._distractors.words(data)

    def check_words(self, data: Mapping[str, Any], judged: WordsByLanguage, distractors: WordsByLanguage) -> None:
        """Raises UsageError where a word outside the family shares a stem with one of its words, in one language.

        A document that shares a stem with a question could answer it.
        """
        problems: list[Problem] = []
        for slice_name in Entry.of(self.name, data).at("slices").names():
            language = _language(data, slice_name)
            stem = stemmer(language.stemmer, language.where)
            owner = {stem(form): word for word in language.words for form in word.forms.values()}
            problems.extend(
                Problem(
                    f"another family's {kind} have '{token}', whose stem is '{stem(token)}'", owner[stem(token)].where
                )
                for kind, words in (("documents", judged), ("distractors", distractors))
                for token in sorted(words.get(language.lang, ()))
                if stem(token) in owner
            )
        if problems:
            raise UsageError(
                "recipe-stems-shared",
                "words of the family 'morphology' share their stem with other documents",
                hint="Leave these words out of the family, or out of the others.",
                problems=tuple(problems),
            )

    def _build_slice(
        self,
        rng: Rng,
        language: _Language,
        slice_name: str,
        count: int,
        documents: list[Document],
        asked: list[Topic],
        qrels: dict[str, dict[str, int]],
    ) -> None:
        words = list(language.words)
        rng.shuffle(words)
        told = {tag: _turns(rng, templates) for tag, templates in language.documents.items()}
        asks = {tag: _turns(rng, templates) for tag, templates in language.queries.items()}
        made: list[Document] = []
        topics: list[Topic] = []
        for number, word in enumerate(words):
            if len(topics) == count:
                break
            tags = list(word.forms)
            rng.shuffle(tags)
            half = max(1, len(tags) // 2)
            start = session_start(rng)
            keys = []
            for position, tag in zip(range(_DOCUMENTS_A_WORD), cycle(tags[half:])):
                _, template = next(told[tag])
                key = f"{slice_name}-{number}-{position}"
                keys.append(key)
                made.append(
                    Document(
                        doc_id=key,
                        text=_sentence(rng, language, template, word, tag),
                        session_id=f"{slice_name}-{number}",
                        speaker=("user", "assistant")[position % 2],
                        created_at=moment(start + 7 * position),
                        lang=language.lang,
                    )
                )
            for tag in tags[: min(half, count - len(topics))]:
                name, template = next(asks[tag])
                topic_id = f"{slice_name}-{len(topics)}"
                topics.append(
                    Topic(
                        topic_id=topic_id,
                        text=_sentence(rng, language, template, word, tag),
                        slices=(slice_name,),
                        cluster=f"{slice_name}/{tag}-{name}",
                    )
                )
                qrels[topic_id] = dict.fromkeys(keys, _GRADE)
        if len(topics) < count:
            raise UsageError(
                "recipe-few-words",
                f"slice '{slice_name}' is to have {count} topics, and its words make {len(topics)}",
                where=language.where,
                hint="Add words, or ask for fewer topics.",
            )
        require_templates(slice_name, (topic.cluster for topic in topics), count, language.where)
        _check_apart(language, made, topics)
        rng.shuffle(made)
        documents.extend(made)
        asked.extend(topics)


def _sentence(rng: Rng, language: _Language, template: str, word: _Word, tag: str) -> str:
    values = draw(rng, slots_of(template), language.slots, language.where)
    return fill(template, {**values, **word.around, "w": word.forms[tag]}, language.where)


def _turns(rng: Rng, templates: Mapping[str, str]) -> cycle[tuple[str, str]]:
    """The templates of one form over and over, so that each is used as often as the others."""
    order = list(templates.items())
    rng.shuffle(order)
    return cycle(order)


def _check_apart(language: _Language, documents: Sequence[Document], topics: Sequence[Topic]) -> None:
    """Raises UsageError unless the stem is the one thing that links a question to its own documents only."""
    stem = stemmer(language.stemmer, language.where)
    owner: dict[str, _Word] = {}
    for word in language.words:
        stems = {form: stem(form) for form in word.forms.values()}
        if len(set(stems.values())) > 1 or len(stems) < len(word.forms) or len(stems) < 2:
            listed = ", ".join(f"{form} ({stems[form]})" for form in word.forms.values())
            raise UsageError(
                "recipe-stems-differ",
                f"these have to be at least two different forms with one stem: {listed}",
                where=word.where,
                hint=f"The stems in brackets are those of the Snowball stemmer '{language.stemmer}'.",
            )
        shared = stem(next(iter(stems)))
        if shared in owner:
            raise UsageError(
                "recipe-stems-shared",
                f"the stem '{shared}' is also that of the word at {owner[shared].where}",
                where=word.where,
                hint="Leave one of the two words out.",
            )
        owner[shared] = word
    for text in (*(document.text for document in documents), *(topic.text for topic in topics)):
        owners = {stem(token) for token in words_in(text)} & owner.keys()
        if len(owners) != 1:
            raise UsageError(
                "recipe-stems-shared",
                f"'{text}' holds the stems of {len(owners)} words: {', '.join(sorted(owners))}",
                where=language.where,
                hint="Templates, slots and objects may not use the words of the slice.",
            )


def _language(data: Mapping[str, Any], slice_name: str) -> _Language:
    entry = Entry.of("morphology", data).at("slices", slice_name)
    documents = {tag: templates.named_texts() for tag, templates in entry.at("documents").items()}
    queries = {tag: templates.named_texts() for tag, templates in entry.at("queries").items()}
    agreement = Agreement.of(entry)
    words = []
    for item in entry.at("words").each():
        forms = item.at("forms").named_texts()
        unknown = [tag for tag in forms if tag not in documents or tag not in queries]
        if unknown:
            item.fail(f"there are no templates for the form '{unknown[0]}'")
        around = agreement.around(item)
        if item.has("object"):
            around["object"] = item.at("object").text()
        words.append(_Word(forms, around, item.where))
    return _Language(
        lang=entry.at("lang").text(),
        stemmer=entry.at("stemmer").text(),
        slots=entry.at("slots").lists_of_texts(),
        documents=documents,
        queries=queries,
        words=tuple(words),
        where=entry.where,
    )
