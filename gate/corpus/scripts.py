"""Writing systems: question and document share words inside unbroken runs of a script, or in another spelling.

A store that takes a run of Han as one token, keeps ASCII only, or does not normalise finds nothing here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import cycle, islice
from typing import Any

from gate.corpus.entry import Entry
from gate.corpus.family import Part, WordsByLanguage
from gate.corpus.rng import Rng
from gate.corpus.slice_distractors import SliceDistractors
from gate.corpus.template import draw, fill, moment, require_templates, session_start, slots_of
from gate.corpus.writing_system import Template, Values, WritingSystem, writing_system
from gate.errors import UsageError
from gate.records import Document, Topic

_STATES, _ADDS = 3, 1
_DRAWS = 1000
_ASCII_WORD = re.compile(r"[0-9A-Za-z]")
_RUN = re.compile(r"[^\W\d_a-zA-Z]+")


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
    something else, which shares one of the question's slots where the question has two. Where a
    slot is drawn as a pair, both are said again with the confusable word instead.
    """

    name = "scripts"

    def __init__(self) -> None:
        self._distractors = SliceDistractors(self.name)

    def build(self, rng: Rng, data: Mapping[str, Any], topics: Mapping[str, int]) -> Part:
        """The judged part. Raises UsageError where a question equals a run of the text that answers it."""
        entry = Entry.of(self.name, data).at("slices")
        documents: list[Document] = []
        asked: list[Topic] = []
        qrels: dict[str, dict[str, int]] = {}
        for slice_name, count in topics.items():
            draft = _draft(rng.child(slice_name), writing_system(entry.at(slice_name)), slice_name, count)
            documents.extend(draft.documents)
            asked.extend(draft.topics)
            qrels.update(draft.qrels)
        return Part(tuple(documents), tuple(asked), qrels, {})

    def distractor(self, rng: Rng, data: Mapping[str, Any], index: int) -> Document | None:
        """A note on something that no topic asks about, from word lists of its own; slices that have any take turns."""
        return self._distractors.make(rng, data, index)

    def distractor_words(self, data: Mapping[str, Any]) -> WordsByLanguage:
        return self._distractors.words(data)


def _draft(rng: Rng, script: WritingSystem, slice_name: str, count: int) -> _Draft:
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


def _add_topic(rng: Rng, script: WritingSystem, template: Template, draft: _Draft, name: str, slice_name: str) -> None:
    start = session_start(rng)
    confusable = script.words.has_confusable(template.keys)
    values = _draw(rng, script, template, draft, {})
    if confusable:
        other = script.words.confused(values)
    else:
        shared = rng.below(len(template.keys)) if len(template.keys) > 1 else None
        kept = {} if shared is None else {template.keys[shared]: values[template.keys[shared]]}
        other = _draw(rng, script, template, draft, kept)

    def turn(key: str, text: str, filled: Values, session: str, speaker: str, minute: int) -> Document:
        return Document(
            doc_id=f"{name}-{key}",
            text=template.spelling.documents(fill(text, script.words.written(filled), template.where)),
            session_id=f"{name}-{session}",
            speaker=speaker,
            created_at=moment(minute),
            lang=template.lang,
        )

    draft.documents.append(turn("states", template.states, values, "a", "user", start))
    draft.documents.append(turn("adds", template.adds, values, "a", "assistant", start + 1 + rng.below(90)))
    if confusable:
        start = session_start(rng)
        draft.documents.append(turn("other", template.states, other, "b", "user", start))
        draft.documents.append(turn("other-adds", template.adds, other, "b", "assistant", start + 1 + rng.below(90)))
    else:
        text = rng.choice((template.states, template.adds))
        draft.documents.append(turn("other", text, other, "b", "user", session_start(rng)))
    draft.topics.append(
        Topic(
            topic_id=name,
            text=template.spelling.questions(fill(template.asks, values, template.where)),
            slices=(slice_name,),
            cluster=f"{slice_name}/{template.name}",
        )
    )
    draft.qrels[name] = {f"{name}-states": _STATES, f"{name}-adds": _ADDS}


def _draw(rng: Rng, script: WritingSystem, template: Template, draft: _Draft, kept: Values) -> Values:
    """Words for all slots of a template, such that the question's slots differ from all drawn before.

    So do those with the confusable words: what is wrong for one topic may not answer another.
    """
    slots = slots_of(template.states + template.adds + template.asks)
    for _ in range(_DRAWS):
        values = draw(rng, slots, script.words.drawn, template.where) | kept
        keys = {
            (template.name, *(form.get(slot, "") for slot in template.keys))
            for form in (values, script.words.confused(values))
        }
        if draft.taken.isdisjoint(keys):
            draft.taken |= keys
            return values
    raise UsageError(
        "recipe-few-words",
        f"the slots {', '.join(template.keys)} have too few words to tell this template's topics apart",
        where=template.where,
        hint="Add words to their lists, add templates, or ask for fewer topics.",
    )


def _check_runs(script: WritingSystem, draft: _Draft) -> None:
    """Raises UsageError where a run between spaces, signs or Latin would find the answer as a whole."""
    texts = {document.doc_id: document.text for document in draft.documents}
    for topic in draft.topics:
        if not script.latin and _ASCII_WORD.search(topic.text):
            raise UsageError(
                "recipe-latin-question",
                f"'{topic.text}' has Latin letters or digits, which any tokenizer finds",
                where=script.where,
                hint="Keep them to the documents, or say 'latin: true' where they are what is asked.",
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
