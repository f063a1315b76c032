"""Corrections of several p-values for their number.

Holm, "A simple sequentially rejective multiple test procedure", Scand. J. Stat. 6, 1979: the
chance of any false alarm. Benjamini and Hochberg, "Controlling the false discovery rate", JRSS B
57, 1995: the share of false alarms among the alarms.
"""

from __future__ import annotations

from collections.abc import Sequence


def holm(p: Sequence[float]) -> list[float]:
    """Adjusted p-values, in the order given."""
    adjusted = [0.0] * len(p)
    largest = 0.0
    for rank, index in enumerate(_ascending(p)):
        largest = max(largest, min(1.0, (len(p) - rank) * p[index]))
        adjusted[index] = largest
    return adjusted


def benjamini_hochberg(p: Sequence[float]) -> list[float]:
    """Adjusted p-values, in the order given."""
    adjusted = [0.0] * len(p)
    smallest = 1.0
    for rank, index in reversed(list(enumerate(_ascending(p), start=1))):
        smallest = min(smallest, len(p) / rank * p[index])
        adjusted[index] = smallest
    return adjusted


def _ascending(p: Sequence[float]) -> list[int]:
    if any(not 0 <= value <= 1 for value in p):
        raise ValueError("a p-value lies between 0 and 1")
    return sorted(range(len(p)), key=lambda index: p[index])
