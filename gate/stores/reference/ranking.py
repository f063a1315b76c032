"""Scores to a ranking: the best k, ties by document id, at any number of candidates."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Slots = NDArray[np.intp]
Scores = NDArray[np.float64]
DECIMALS = 9  # scores that agree to here are equal, and document ids decide
_MARGIN = 2e-9  # no score further than this below another rounds to the same


def highest(slots: Slots, scores: Scores, n: int) -> tuple[Slots, Scores]:
    """The `n` highest, in no order, with all that tie with the last of them. Scores come back rounded."""
    if len(scores) > n:
        last = np.partition(scores, len(scores) - n)[len(scores) - n]
        near = scores >= last - _MARGIN
        slots, scores = slots[near], np.round(scores[near], DECIMALS)
        exact = scores >= np.partition(scores, len(scores) - n)[len(scores) - n]
        return slots[exact], scores[exact]
    return slots, np.round(scores, DECIMALS)


def ranked(slots: Slots, scores: Scores, k: int, doc_ids: Sequence[str]) -> list[tuple[str, float]]:
    """The best `k` as (document id, rounded score): by score, then by id ascending. `doc_ids` is by slot."""
    if k <= 0 or not len(slots):
        return []
    slots, scores = highest(slots, scores, k)
    pairs = [(-score, doc_ids[slot]) for slot, score in zip(slots.tolist(), scores.tolist(), strict=True)]
    return [(doc_id, -negative) for negative, doc_id in sorted(pairs)[:k]]
