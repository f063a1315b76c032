"""Two one-sided tests: is a mean difference small enough to call two results equivalent?

Schuirmann, "A comparison of the two one-sided tests procedure and the power approach", J.
Pharmacokinet. Biopharm. 15, 1987. Never a proof where nothing moved: then results are identical.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum, sqrt

from gate.stats.paired_mean import NOTHING
from gate.stats.student import quantile, upper_tail


@dataclass(frozen=True, slots=True)
class Equivalence:
    """`p` is the larger of the two; `low` and `high` bound the 90% interval of the mean, which decides at p = 0.05."""

    p: float
    low: float
    high: float


def equivalence(differences: Sequence[float], margin: float) -> Equivalence | None:
    """The test on paired per-topic differences; None where nothing moved, or there are fewer than two topics.

    `margin` is the difference that still counts as none, above 0.
    """
    if margin <= 0:
        raise ValueError("the margin is above 0")
    n = len(differences)
    if n < 2 or not any(differences):
        return None
    mean = fsum(differences) / n
    error = sqrt(fsum((d - mean) ** 2 for d in differences) / (n - 1) / n)
    return equivalence_of(mean, error, n - 1, margin)


def equivalence_of(mean: float, error: float, degrees: int, margin: float) -> Equivalence:
    """The same from a mean, its standard error and the degrees of freedom (gate/stats/paired_mean.py)."""
    if margin <= 0:
        raise ValueError("the margin is above 0")
    if error <= NOTHING:
        inside = abs(mean) < margin
        return Equivalence(0.0 if inside else 1.0, mean, mean)
    p = max(upper_tail((mean + margin) / error, degrees), upper_tail((margin - mean) / error, degrees))
    half = quantile(0.95, degrees) * error
    return Equivalence(p, mean - half, mean + half)
