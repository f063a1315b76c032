"""Fusion of two rankings by a convex combination of their scores, each as a share of its best.

Bruch, Gai and Ingber, "An Analysis of Fusion Functions for Hybrid Retrieval", TOIS 42, 2023: how
far ahead a hit is tells more than its rank. The weight was chosen on the seeded corpus, where 0.6
to 0.8 do alike, and held on Cranfield (docs/decisions.md).
"""

from __future__ import annotations

import numpy as np

from gate.stores.reference.ranking import Scores, Slots, highest

WEIGHT = 0.7  # of the first side; the second has the rest
DEPTH = 200  # hits of each side that are fused, whatever the k of a search: a longer list starts like a shorter one


def fuse(first: tuple[Slots, Scores], second: tuple[Slots, Scores], k: int) -> tuple[Slots, Scores]:
    """The slots of either side with their fused scores, from 0 to 1, enough of them for the best `k`.

    Where one side cannot tell two documents apart the other decides. What is not among the best
    `DEPTH` of either side follows all that is, below 0, in the order of the second side and then
    of the first.
    """
    sides = [highest(*side, DEPTH) for side in (first, second)]
    slots, where = np.unique(np.concatenate([slots for slots, _ in sides]), return_inverse=True)
    scores: Scores = np.zeros(len(slots))
    starts = np.cumsum([0] + [len(own) for own, _ in sides])
    for (_, own), start, weight in zip(sides, starts[:-1], (WEIGHT, 1.0 - WEIGHT), strict=True):
        scores[where[start : start + len(own)]] += weight * _shares(own)
    if len(slots) >= k:
        return slots, scores
    for offset, (rest, rest_scores) in ((-1.0, second), (-2.0, first)):
        late = ~np.isin(rest, slots)
        if late.any():
            # Squeezed, in order, into a band of their own below what was fused.
            values, order = np.unique(np.round(rest_scores[late], 9), return_inverse=True)
            scores = np.concatenate([scores, offset + (order + 1) / (len(values) + 2)])
            slots = np.concatenate([slots, rest[late]])
    return slots, scores


def _shares(scores: Scores) -> Scores:
    """Scores as shares of the best one. A side without any score above 0 has nothing to say."""
    best = scores.max(initial=0.0)
    return np.maximum(scores, 0.0) / best if best > 0 else np.zeros(len(scores))
