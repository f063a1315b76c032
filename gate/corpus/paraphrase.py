"""Questions that share no word with their answer: the same thing said in other words, or in another language.

A topic has one document that answers it, some that use the question's words on a neighbouring
subject, and some on the answer's subject that settle nothing. The first kind leads astray whatever
ranks by shared words, the second whatever stops at the subject. That words alone cannot find an
answer is the oldest problem of the field (Furnas, Landauer, Gomez and Dumais, "The Vocabulary
Problem in Human-System Communication", CACM 30, 1987).

Every rule is checked when the corpus is built. Within a language question and answer share no
word, no Snowball stem and no run of five letters, function words aside, so that pieces of words do
not give the answer away either. Across languages they share no token at all, accents and case
folded, and no character of a script without spaces. In a slice that is `alone` the question's words
stand in its own documents and in no other of their language: what leads astray is what was written
for it, and not a word that a corpus happens to hold often.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from gate.corpus.entry import Entry
from gate.corpus.family import Part, WordsByLanguage
from gate.corpus.rng import Rng
from gate.corpus.stemmer import stemmer
from gate.corpus.template import moment, require_templates, session_start
from gate.corpus.tokens import folded, grams, runs
from gate.errors import Problem, UsageError
from gate.records import Document, Topic

_ANSWERS = 3
_RUN = 5  # letters that no word of the question may share with one of the answer
_LEADING = 2  # words of the question, at least, that a document holds to lead astray


@dataclass(frozen=True, slots=True)
class _Language:
    """`small` are function words, folded; `stem` gives the stem of a folded word, itself without a stemmer."""

    small: frozenset[str]
    stem: Callable[[str], str]

    def telling(self, text: str) -> set[str]:
        """The stems of the words that are no function words, and pairs of characters in scripts without spaces."""
        found: set[str] = set()
        for run, unspaced in runs(folded(text)):
            if unspaced:
                found.update(grams(run, 2))
            elif run not in self.small:
                found.add(self.stem(run))
        return found


@dataclass(frozen=True, slots=True)
class _Case:
    """One topic. `words` lead astray by the question's words, in its language; `near` are close to the answer."""

    name: str
    asked: str
    answered: str
    asks: str
    answers: str
    words: tuple[str, ...]
    near: tuple[str, ...]
    where: str

    @property
    def told(self) -> tuple[tuple[str, str], ...]:
        """Every document's language and text."""
        return (
            (self.answered, self.answers),
            *((self.asked, text) for text in self.words),
            *((self.answered, text) for text in self.near),
        )


class Paraphrase:
    """One slice within a language, one across languages. Every topic is written by hand and a cluster of its own."""

    name = "paraphrase"

    def build(self, rng: Rng, data: Mapping[str, Any], topics: Mapping[str, int]) -> Part:
        """The judged part. Raises UsageError where a question and its answer share what they may not."""
        entry = Entry.of(self.name, data)
        languages = _languages(entry)
        documents: list[Document] = []
        asked: list[Topic] = []
        for slice_name, count in topics.items():
            below = entry.at("slices", slice_name)
            cases = list(_cases(below, languages))
            if len(cases) < count:
                raise UsageError(
                    "recipe-few-words",
                    f"there are {len(cases)} topics, and {count} are asked for",
                    where=below.at("topics").where,
                    hint="Write more of them, or ask for fewer.",
                )
            own = rng.child(slice_name)
            for case in own.sample(cases, count):
                key = f"{slice_name}-{case.name}"
                asked.append(Topic(key, case.asks, slices=(slice_name,), cluster=f"{slice_name}/{case.name}"))
                documents.extend(_documents(own, case, key))
            require_templates(slice_name, (topic.cluster for topic in asked), count, below.where)
        rng.shuffle(documents)
        qrels = {topic.topic_id: {f"{topic.topic_id}-0": _ANSWERS} for topic in asked}
        return Part(tuple(documents), tuple(asked), qrels, {})

    def distractor(self, rng: Rng, data: Mapping[str, Any], index: int) -> Document | None:  # noqa: ARG002
        """None: what confuses here is written for each topic."""
        return None

    def check_words(self, data: Mapping[str, Any], judged: WordsByLanguage, distractors: WordsByLanguage) -> None:
        """Raises UsageError where a question of a slice that is `alone` has a word of any document but its own."""
        entry = Entry.of(self.name, data)
        languages = _languages(entry)
        problems: list[Problem] = []
        for below in entry.at("slices").values():
            if not (below.has("alone") and below.at("alone").flag()):
                continue
            cases = list(_cases(below, languages))
            for lang in dict.fromkeys(case.asked for case in cases):
                language = languages[lang]
                others = {
                    kind: language.telling(" ".join(sorted(words.get(lang, ()))))
                    for kind, words in (("another family's documents", judged), ("the distractors", distractors))
                }
                problems.extend(_heard_elsewhere(language, [case for case in cases if case.asked == lang], others))
        if problems:
            raise UsageError(
                "recipe-words-heard",
                "words of questions stand in documents that were not written for them",
                hint="Ask in other words, or leave these words out of the others.",
                problems=tuple(problems),
            )


def _heard_elsewhere(language: _Language, cases: Sequence[_Case], others: Mapping[str, set[str]]) -> Iterator[Problem]:
    """What is wrong with questions of one language: words of theirs in `others`, by kind, or in one of each other's."""
    own = {
        case.name: {word for lang, text in case.told if lang == case.asked for word in language.telling(text)}
        for case in cases
    }
    for case in cases:
        places = {**others, **{f"the topic '{name}'": words for name, words in own.items() if name != case.name}}
        for kind, words in places.items():
            if heard := language.telling(case.asks) & words:
                yield Problem(f"'{case.asks}' has '{min(heard)}', which stands in {kind}", case.where)


def _documents(rng: Rng, case: _Case, key: str) -> Iterator[Document]:
    """Number 0 answers. Each is a session of its own."""
    for number, (lang, text) in enumerate(case.told):
        name = f"{key}-{number}"
        yield Document(
            doc_id=name,
            text=text,
            session_id=name,
            speaker=("user", "assistant")[rng.below(2)],
            created_at=moment(session_start(rng)),
            lang=lang,
        )


def _cases(entry: Entry, languages: Mapping[str, _Language]) -> Iterator[_Case]:
    for name, item in entry.at("topics").items():
        case = _Case(
            name=name,
            asked=_named(item if item.has("asked") else entry, "asked", languages),
            answered=_named(item if item.has("answered") else entry, "answered", languages),
            asks=item.at("asks").text(),
            answers=item.at("answers").text(),
            words=item.at("words").texts(),
            near=item.at("near").texts(),
            where=item.where,
        )
        _check(item, case, languages)
        yield case


def _named(entry: Entry, side: str, languages: Mapping[str, _Language]) -> str:
    """The language of one side of a topic, said by the topic or by its slice."""
    below = entry.at(side)
    if below.text() not in languages:
        below.fail(f"there is no language '{below.text()}' under 'languages'; known: {', '.join(languages)}")
    return below.text()


def _check(entry: Entry, case: _Case, languages: Mapping[str, _Language]) -> None:
    asked, answered = languages[case.asked], languages[case.answered]
    if case.asked != case.answered:
        # Across languages a function word or a stem that both have would be found like any other token.
        asked, answered = (replace(one, small=frozenset()) for one in (asked, answered))
    for part, texts in (("answers", (case.answers,)), ("near", case.near)):
        for text in texts:
            shared = _evidence(case.asks, asked) & _evidence(text, answered)
            if shared:
                entry.at(part).fail(f"'{case.asks}' and '{text}' share '{max(sorted(shared), key=len)}'")
    question = languages[case.asked].telling(case.asks)
    if len(question) < _LEADING:
        entry.at("asks").fail(f"'{case.asks}' has fewer than {_LEADING} words that tell")
    for text in case.words:
        shared = question & languages[case.asked].telling(text)
        if len(shared) < _LEADING:
            entry.at("words").fail(
                f"'{text}' has {len(shared)} of the words that tell in '{case.asks}', "
                f"and needs {_LEADING} to lead astray: {', '.join(sorted(question))}"
            )


def _evidence(text: str, language: _Language) -> set[str]:
    """By what a question could find a text: words, their stems and runs of letters, characters of other scripts."""
    found: set[str] = set()
    for run, unspaced in runs(folded(text)):
        if unspaced:
            found.update(run)
        elif run not in language.small:
            found |= {run, language.stem(run)}
            found.update(piece for piece in grams(run, _RUN) if len(piece) == _RUN)
    return found


def _languages(entry: Entry) -> dict[str, _Language]:
    return {name: _language(item) for name, item in entry.at("languages").items()}


def _language(entry: Entry) -> _Language:
    """Of a language without spaces nothing need be said but its name."""
    small = frozenset(map(folded, entry.at("small").texts())) if entry.has("small") else frozenset()
    algorithm = entry.at("stemmer") if entry.has("stemmer") else None
    return _Language(small, stemmer(algorithm.text(), algorithm.where) if algorithm else str)
