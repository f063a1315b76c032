"""Churn: how much of a cell moves when a change is harmless, in the squares that the joint test adds up.

The test (gate/stats/maxt.py) sums the differences of each cluster; V, the sum of the squares of those sums,
is what a loss is held against. Of a harmless change all of V is churn. Of a change that also lost something for
real, the squares of the loss are in V too. A harmless change moves clusters up as often as down, so that
those gained show how much of what was lost is churn: twice the squares gained, and at most all of V.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from math import fsum

from gate.stats.maxt import TIE


@dataclass(frozen=True, slots=True)
class Churn:
    """The squares of the clusters of one cell that lost and of those that gained, and how many clusters moved."""

    lost: float
    gained: float
    moved: int

    @property
    def all(self) -> float:
        """V, the sum of all squares: what is harmless where nothing was lost or won for real, else an upper bound."""
        return self.lost + self.gained

    @property
    def mirrored(self) -> float:
        """What is harmless where one side holds a real change: the smaller side, and as much of the other."""
        return 2 * min(self.lost, self.gained)


def churn_of(differences: Mapping[str, float], clusters: Mapping[str, str]) -> Churn:
    """The churn of a cell. `differences[topic]` is head - base; `clusters[topic]` names its cluster."""
    sums: dict[str, list[float]] = defaultdict(list)
    for topic, difference in differences.items():
        sums[clusters[topic]].append(difference)
    moved = [total for some in sums.values() if abs(total := fsum(some)) > TIE]
    lost, gained = (fsum(total * total for total in moved if (total < 0) == down) for down in (True, False))
    return Churn(lost, gained, len(moved))
