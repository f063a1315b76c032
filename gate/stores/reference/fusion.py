"""Reciprocal rank fusion: Cormack, Clarke and Buettcher, SIGIR 2009, with its k of 60."""

from __future__ import annotations

import numpy as np

from gate.stores.reference.ranking import Scores, Slots, highest

K = 60
DEPTH = 200  # ranks of each side that are fused, whatever the k of a search: a longer list starts like a shorter one


def fuse(first: tuple[Slots, Scores], second: tuple[Slots, Scores], k: int) -> tuple[Slots, Scores]:
    """The slots of either side with their fused scores, enough of them for the best `k`.

    Equal scores share a rank, so that where one side cannot tell two documents apart the other
    decides. What is not among the best `DEPTH` of either side follows all that is, in the order
    of the second side and then of the first.
    """
    sides = [_ranks(*side) for side in (first, second)]
    slots, where = np.unique(np.concatenate([slots for slots, _ in sides]), return_inverse=True)
    scores: Scores = np.zeros(len(slots))
    starts = np.cumsum([0] + [len(side) for side, _ in sides])
    for (_, ranks), start in zip(sides, starts[:-1], strict=True):
        scores[where[start : start + len(ranks)]] += 1.0 / (K + ranks)
    if len(slots) >= k:
        return slots, scores
    for offset, (rest, rest_scores) in ((1e-3, second), (0.0, first)):
        late = ~np.isin(rest, slots)
        if late.any():
            # Squeezed, in order, into a band below the least that a fused rank can give.
            values, order = np.unique(np.round(rest_scores[late], 9), return_inverse=True)
            scores = np.concatenate([scores, offset + 1e-3 * (order + 1) / (len(values) + 1)])
            slots = np.concatenate([slots, rest[late]])
    return slots, scores


def _ranks(slots: Slots, scores: Scores) -> tuple[Slots, Scores]:
    """The best slots of one side and their ranks from 1, equal scores sharing the better one."""
    slots, scores = highest(slots, scores, DEPTH)
    ascending = np.sort(scores)
    ahead = len(scores) - np.searchsorted(ascending, scores, side="right")
    return slots, ahead.astype(np.float64) + 1.0
