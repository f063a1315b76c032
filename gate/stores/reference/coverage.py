"""How much of a question an answer covers: the store's own, informative view of its evidence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gate.records import Evidence
from gate.stores.reference.asked import Asked
from gate.stores.reference.lexical import LexicalIndex, Postings, holds

LOOKED_AT = 5  # hits
THRESHOLD = 0.5  # of the question's idf: below it more is missing than there


@dataclass(frozen=True, slots=True)
class Content:
    """One thing that an answer should hold: how much it weighs, and where its terms occur."""

    weight: float
    postings: tuple[Postings, ...]


def content_of(asked: Sequence[Asked], index: LexicalIndex) -> list[Content]:
    """What a question asks an answer to hold. What occurs nowhere has the highest idf. Of use until the next change."""
    wanted = list(dict.fromkeys(one for one in asked if one.content)) or list(dict.fromkeys(asked))
    return [
        Content(
            index.idf(max(index.frequency(term) for term, _ in one.terms)),
            tuple(postings for term, _ in one.terms for postings in index.postings(term)),
        )
        for one in wanted
    ]


def evidence(content: Sequence[Content], hits: Sequence[Sequence[int]]) -> Evidence:
    """The idf-weighted share of the question's content that the best one of the first hits holds.

    `hits` are the slots of each hit, best first: its own and those of what it replaces.
    """
    best = max((_held(content, slots) for slots in hits[:LOOKED_AT]), default=0.0)
    total = sum(one.weight for one in content)
    coverage = round(best / total, 9) if total else 0.0
    return Evidence(answerable=coverage >= THRESHOLD, coverage=coverage)


def _held(content: Sequence[Content], slots: Sequence[int]) -> float:
    return sum(one.weight for one in content if any(holds(known, slot) for slot in slots for known in one.postings))
