"""How much of a question an answer covers: the store's own, informative view of its evidence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gate.records import Evidence
from gate.stores.reference.asked import Asked
from gate.stores.reference.lexical import LexicalIndex, Postings, holds

LOOKED_AT = 5  # hits
THRESHOLD = 0.55  # of what the question weighs: an answer holds more of it than it lacks
NAMED = 1.5  # of its idf: what a name or an identifier weighs, which says what a question is about
# What another word weighs that occurs nowhere, of the idf of such. That these documents lack it does not make it rare:
# there are more ordinary words than few documents hold.
UNHEARD = 0.5


@dataclass(frozen=True, slots=True)
class Content:
    """One thing that an answer should hold: how much it weighs, where its terms occur, and where each of its parts."""

    weight: float
    postings: tuple[Postings, ...]
    parts: tuple[tuple[Postings, ...], ...] = ()


def content_of(asked: Sequence[Asked], index: LexicalIndex) -> list[Content]:
    """What a question asks an answer to hold. Of use until the next change.

    A question with nothing else asks for its function words, and one of asking words for those.
    """
    content = [one for one in asked if one.content]
    wanted = [one for one in content if not one.asking] or content or asked
    return [
        Content(
            _weight(one, index),
            tuple(postings for term, _ in one.terms for postings in index.postings(term)),
            tuple(tuple(index.postings(part)) for part in one.parts),
        )
        for one in dict.fromkeys(wanted)
    ]


def _weight(one: Asked, index: LexicalIndex) -> float:
    frequency = max(index.frequency(term) for term, _ in one.terms)
    if not frequency and one.parts:
        # A compound that nobody wrote is no rarer than the rarer one of its parts.
        frequency = min(index.frequency(part) for part in one.parts)
    idf = index.idf(frequency)
    if one.named:
        return idf * NAMED
    return idf if frequency else idf * UNHEARD


def evidence(content: Sequence[Content], hits: Sequence[Sequence[int]]) -> Evidence:
    """The share of the question's content, by weight, that the best one of the first hits holds.

    `hits` are the slots of each hit, best first: its own and those of what it replaces.
    """
    best = max((_held(content, slots) for slots in hits[:LOOKED_AT]), default=0.0)
    total = sum(one.weight for one in content)
    coverage = round(best / total, 9) if total else 0.0
    return Evidence(answerable=coverage >= THRESHOLD, coverage=coverage)


def _held(content: Sequence[Content], slots: Sequence[int]) -> float:
    return sum(one.weight for one in content if _holds(one.postings, slots) or _holds_all(one.parts, slots))


def _holds_all(parts: Sequence[Sequence[Postings]], slots: Sequence[int]) -> bool:
    return bool(parts) and all(_holds(postings, slots) for postings in parts)


def _holds(postings: Sequence[Postings], slots: Sequence[int]) -> bool:
    return any(holds(known, slot) for slot in slots for known in postings)
