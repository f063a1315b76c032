"""Questions that the corpus cannot answer: a store should know that it does not know.

Two kinds. Of known words: each word of the question stands in some document of the family, put
together so that nothing answers. With an unknown name: it stands in no document at all. Neither
has judgements. Rajpurkar, Jia and Liang, "Know What You Don't Know: Unanswerable Questions for
SQuAD", ACL 2018.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gate.corpus.entry import Entry
from gate.corpus.family import Part, WordsByLanguage
from gate.corpus.rng import Rng
from gate.corpus.template import fill, moment, require_templates, session_start, slots_of
from gate.corpus.words import words_in, words_of
from gate.errors import UsageError
from gate.records import Document, Topic

_DRAWS = 1000


@dataclass(frozen=True, slots=True)
class _Template:
    name: str
    ask: str
    heard: tuple[str, ...]
    where: str


@dataclass(frozen=True, slots=True)
class _Slice:
    """`names` are the unknown ones, none where all words are known."""

    templates: tuple[_Template, ...]
    names: tuple[str, ...]
    where: str


class Negatives:
    """Slices with `names` ask about those; the others are answered by nothing that was heard."""

    name = "negatives"

    def build(self, rng: Rng, data: Mapping[str, Any], topics: Mapping[str, int]) -> Part:
        """Topics without judgements, and the turns that hold their words.

        Raises UsageError where a question of known words has one that is in none of the turns.
        """
        lists = Entry.of("negatives", data).at("lists").lists_of_texts()
        texts = list(Entry.of("negatives", data).at("background").texts())
        asked: list[Topic] = []
        of_known_words: list[tuple[Topic, str]] = []
        for slice_name, count in topics.items():
            chosen = _slice(data, slice_name)
            made = list(self._topics(rng, chosen, slice_name, count, lists, texts))
            require_templates(slice_name, (topic.cluster for topic in made), count, chosen.where)
            asked.extend(made)
            if not chosen.names:
                of_known_words.extend((topic, chosen.where) for topic in made)
        known = words_of(texts)
        for topic, where in of_known_words:
            for word in words_in(topic.text):
                if word not in known:
                    raise UsageError(
                        "recipe-word-unknown",
                        f"'{topic.text}' has '{word}', which no turn holds",
                        where=where,
                        hint="Have a 'heard' or 'background' turn say the word.",
                    )
        return Part(_in_sessions(rng, texts, lists["person"]), tuple(asked), {}, {})

    def distractor(self, rng: Rng, data: Mapping[str, Any], index: int) -> Document | None:  # noqa: ARG002
        """None: any other family's will do."""
        return None

    def check_words(self, data: Mapping[str, Any], judged: WordsByLanguage, distractors: WordsByLanguage) -> None:
        """Raises UsageError where a name that has to be unknown is a word of the corpus."""
        entry = Entry.of("negatives", data)
        lists = entry.at("lists").lists_of_texts()
        slices = dict(entry.at("slices").items())
        heard = [text for item in slices.values() for text in _all_texts(item)]
        own = words_of(heard) | words_of(word for words in lists.values() for word in words)
        known = own.union(*judged.values(), *distractors.values())
        for slice_name in slices:
            chosen = _slice(data, slice_name)
            for name in chosen.names:
                told = known.intersection(words_in(name))
                if told:
                    raise UsageError(
                        "recipe-name-known",
                        f"the name '{name}' has to be unknown, and '{min(told)}' is a word of the corpus",
                        where=chosen.where,
                        hint="Choose another name.",
                    )

    def _topics(
        self,
        rng: Rng,
        chosen: _Slice,
        slice_name: str,
        count: int,
        lists: Mapping[str, Sequence[str]],
        texts: list[str],
    ) -> Iterator[Topic]:
        """Topics from the templates in turn, no two of the same wording; what was heard is added to `texts`."""
        templates = rng.sample(chosen.templates, len(chosen.templates))
        names = rng.sample(chosen.names, len(chosen.names))
        seen: set[str] = set()
        for number in range(count):
            template = templates[number % len(templates)]
            name = {"name": names[number % len(names)]} if names else {}
            for _ in range(_DRAWS):
                values = name | {slot: rng.choice(words) for slot, words in lists.items()}
                text = fill(template.ask, values, template.where)
                if text not in seen:
                    break
            else:
                raise UsageError(
                    "recipe-few-words",
                    f"slice '{slice_name}' is to have {count} topics, and its words make {len(seen)}",
                    where=template.where,
                    hint="Add words, or ask for fewer topics.",
                )
            seen.add(text)
            texts.extend(fill(heard, values, template.where) for heard in template.heard)
            yield Topic(
                topic_id=f"{slice_name}-{number}",
                text=text,
                slices=(slice_name,),
                cluster=f"{self.name}/{slice_name}-{template.name}",
            )


def _in_sessions(rng: Rng, texts: Sequence[str], people: Sequence[str]) -> tuple[Document, ...]:
    """One document a distinct text, four to a session of one speaker."""
    order = list(dict.fromkeys(texts))
    rng.shuffle(order)
    documents = []
    speaker, start = "", 0
    for number, text in enumerate(order):
        if number % 4 == 0:
            speaker, start = rng.choice(people), session_start(rng)
        documents.append(
            Document(
                doc_id=f"heard-{number}",
                text=text,
                session_id=f"session-{number // 4}",
                speaker=speaker,
                created_at=moment(start + 5 * (number % 4)),
                lang="en",
            )
        )
    return tuple(documents)


def _slice(data: Mapping[str, Any], name: str) -> _Slice:
    entry = Entry.of("negatives", data).at("slices", name)
    templates = tuple(
        _Template(key, item.at("ask").text(), item.at("heard").texts() if item.has("heard") else (), item.where)
        for key, item in entry.at("templates").items()
    )
    return _Slice(templates, entry.at("names").texts() if entry.has("names") else (), entry.where)


def _all_texts(entry: Entry) -> Iterator[str]:
    """The turns of a slice, their slots left empty."""
    for template in dict(entry.at("templates").items()).values():
        if template.has("heard"):
            for text in template.at("heard").texts():
                yield fill(text, dict.fromkeys(slots_of(text), ""), template.where)
