"""How much of a question an answer covers: the store's own, informative view of its evidence."""

from __future__ import annotations

from collections.abc import Sequence

from gate.records import Evidence
from gate.stores.reference.asked import Asked
from gate.stores.reference.lexical import LexicalIndex

LOOKED_AT = 5  # hits
THRESHOLD = 0.5  # of the question's idf: below it more is missing than there


def evidence(asked: Sequence[Asked], index: LexicalIndex, hits: Sequence[Sequence[int]]) -> Evidence:
    """The idf-weighted share of the question's content that the best one of the first hits holds.

    `hits` are the slots of each hit, best first: its own and those of what it replaces. What
    occurs nowhere has the highest idf, and is not covered by anything.
    """
    content = list(dict.fromkeys(one for one in asked if one.content)) or list(dict.fromkeys(asked))
    weights = [index.idf(max(index.frequency(term) for term, _ in one.terms)) for one in content]
    best = max(
        (
            sum(
                weight
                for one, weight in zip(content, weights, strict=True)
                if any(index.holds(term, slot) for slot in slots for term, _ in one.terms)
            )
            for slots in hits[:LOOKED_AT]
        ),
        default=0.0,
    )
    total = sum(weights)
    coverage = round(best / total, 9) if total else 0.0
    return Evidence(answerable=coverage >= THRESHOLD, coverage=coverage)
