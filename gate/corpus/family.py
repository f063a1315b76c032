"""What a family of slices gives to the seeded corpus.

A family is one file with one class. It names its documents by a key of its own ("rel-3"),
unique within the family; ids that carry no label are given when the families are put together
(`gate.corpus.seeded`), and `supersedes`, `refs`, qrels and deletions are translated with them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from gate.corpus.rng import Rng
from gate.records import Document, Topic


@dataclass(frozen=True, slots=True)
class Part:
    """The judged part of a family: all in memory, and small.

    Documents have family keys as `doc_id`, topics as `topic_id`; `qrels[topic][document]` is a
    grade from 0 to 3, `forbidden[topic][document]` a reason.
    """

    documents: tuple[Document, ...]
    topics: tuple[Topic, ...]
    qrels: Mapping[str, Mapping[str, int]]
    forbidden: Mapping[str, Mapping[str, str]]
    deletions: tuple[str, ...] = ()


# Words in lower case by the language of the documents that hold them, as in `Document.lang`.
WordsByLanguage = Mapping[str, frozenset[str]]


class Family(Protocol):
    """One family of slices.

    `data` is the family's own entry in the recipe (word lists, templates); `topics` maps each
    of its slices to the number of topics wanted. The same arguments give the same bytes.
    """

    name: str

    def build(self, rng: Rng, data: Mapping[str, Any], topics: Mapping[str, int]) -> Part:
        """The judged documents and topics. Raises UsageError where the data breaks a rule of the family."""
        ...

    def distractor(self, rng: Rng, data: Mapping[str, Any], index: int) -> Document | None:
        """The distractor number `index`, from its own `rng`, or None where the family has none.

        A distractor answers no topic of any family. It is made in constant time and space.
        """
        ...


@runtime_checkable
class ListsDistractorWords(Protocol):
    """A family whose distractors are made from word lists, and which can say them all without making any."""

    def distractor_words(self, data: Mapping[str, Any]) -> WordsByLanguage:
        """Every word, in lower case, that may stand in a distractor, by the distractor's language."""
        ...


@runtime_checkable
class ChecksWords(Protocol):
    """A family whose labels hold only while the rest of the corpus keeps clear of some words."""

    def check_words(self, data: Mapping[str, Any], judged: WordsByLanguage, distractors: WordsByLanguage) -> None:
        """Raises UsageError where a word breaks a rule.

        `judged` are the words of all other families' judged documents, `distractors` those of
        all distractors, in lower case.
        """
        ...
