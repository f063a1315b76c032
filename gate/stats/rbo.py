"""Rank-biased overlap of two rankings, extrapolated: how alike they are, with most weight on the first ranks.

W. Webber, A. Moffat and J. Zobel, "A Similarity Measure for Indefinite Rankings", ACM Transactions
on Information Systems 28(4), 2010, equation 32 (RBO_EXT for lists of uneven length).
"""

from __future__ import annotations

from collections.abc import Sequence

PERSISTENCE = 0.9  # the first ten ranks have 86% of the weight


def rank_biased_overlap(first: Sequence[str], second: Sequence[str], p: float = PERSISTENCE) -> float:
    """From 0, nothing shared, to 1, the same ranking. Items are distinct in each list. Two empty lists are the same.

    Raises ValueError for a `p` outside of (0, 1).
    """
    if not 0.0 < p < 1.0:
        raise ValueError(f"p is {p}, and has to lie between 0 and 1")
    short, long = sorted((list(first), list(second)), key=len)
    if not short:
        return 1.0 if not long else 0.0
    seen_short: set[str] = set()
    seen_long: set[str] = set()
    overlap, total, overlap_at_short = 0, 0.0, 0
    for depth, item in enumerate(long, start=1):
        seen_long.add(item)
        overlap += item in seen_short
        if depth <= len(short):
            other = short[depth - 1]
            seen_short.add(other)
            overlap += other in seen_long
            overlap_at_short = overlap
        total += overlap / depth * p**depth
        if depth > len(short):
            total += overlap_at_short * (depth - len(short)) / (len(short) * depth) * p**depth
    s, n = len(short), len(long)
    tail = ((overlap - overlap_at_short) / n + overlap_at_short / s) * p**n
    return (1 - p) / p * total + tail
