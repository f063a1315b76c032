"""Ties: which scores a store may have meant to be one."""

from __future__ import annotations

# Scores of single precision differ by about this share in digits that decide nothing, and all by this much.
SHARE = 1e-6
LEAST = 1e-9


def above(one: float, two: float) -> bool:
    """Whether a score is higher than another by more than two tied ones may differ."""
    return one - two > max(LEAST, SHARE * max(abs(one), abs(two)))


def apart(one: float, two: float) -> bool:
    """Whether two scores differ by more than tied ones may."""
    return above(one, two) or above(two, one)
