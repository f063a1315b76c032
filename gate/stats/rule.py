"""The rule of the verdict: which of many cells lost enough to fail, judged over all of them at once.

A pure function of paired per-topic differences. A cell is `worse` when it lost significantly
(gate/stats/maxt.py) and more than the tolerance, when it collapsed (gate/stats/collapse.py), or
when something forbidden leaked. docs/statistics.md has the reasons and a simulation.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from math import ceil, fsum
from typing import Generic, TypeVar

import numpy as np

from gate.stats.collapse import CLUSTERS, SHARE, collapsed
from gate.stats.maxt import MaxT, losses_and_gains
from gate.stats.power import CERTAIN

TOLERANCE = 0.005  # a mean loss of just this is none
ALPHA = 0.01
WARN = 0.05
LEAST = 20  # on fewer topics nothing is judged by significance
NOISE = 1e-9

CellT = TypeVar("CellT", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Paired:
    """One cell on both sides: `differences[topic]` is head - base, above 0 where the topic got better.

    `moved` counts the topics whose ranks moved, whether or not their value did. `leaks` counts
    the topics on which something forbidden came back. A cell that is not `gated` stays out of
    the joint test and can only leak.
    """

    differences: Mapping[str, float]
    moved: int = 0
    leaks: int = 0
    gated: bool = True


@dataclass(frozen=True, slots=True)
class Judged:
    """What became of a cell: `outcome` is better, same, churned, worse or uncertain.

    `cause` says what made it worse: significant, collapse or leak; empty where it is not. `p` is
    the adjusted p-value of a loss and `p_better` that of a gain, each one-sided; None where the
    cell was not tested, since nothing of it moved or it is not gated. `mean` is the mean
    difference, `net` their sum in topics; `moved` counts the topics whose ranks or values
    moved, `clusters` the clusters of those whose values did. `alone` and `alone_better` are the
    p-values of the cell by itself, for corrections of another kind.
    """

    outcome: str
    cause: str
    p: float | None
    p_better: float | None
    mean: float
    net: float
    topics: int
    moved: int
    clusters: int
    alone: float | None
    alone_better: float | None


@dataclass(frozen=True, slots=True)
class Judgement(Generic[CellT]):
    """`cells` in the order given. `clusters` counts the clusters that moved in any gated cell, `flips` the reshuffles.

    `critical` is the statistic that one harmless reshuffle in a hundred passes: the z of
    `gate.stats.power.smallest_seen`.
    """

    cells: Mapping[CellT, Judged]
    clusters: int
    critical: float
    flips: int


def judge(
    cells: Mapping[CellT, Paired],
    clusters: Mapping[str, str],
    *,
    tolerance: float = TOLERANCE,
    alpha: float = ALPHA,
    warn: float = WARN,
    least: int = LEAST,
) -> Judgement[CellT]:
    """Judges all cells together. Memory is topics x gated cells.

    `clusters[topic]` names the cluster of every topic of any cell: a name stands for the same
    topic in all cells, so whoever judges several corpora together makes their names distinct.
    Gated cells of fewer than `least` topics are tested with the others, so that their p-values
    hold too, but only a collapse or a leak makes them worse. Raises ValueError for a cell without
    topics, a topic without cluster, or a difference that is no finite number.
    """
    for cell, paired in cells.items():
        if not paired.differences:
            raise ValueError(f"{cell}: a cell without topics cannot be judged")
    gated = [cell for cell, paired in cells.items() if paired.gated]
    losses, gains = _tested([cells[cell].differences for cell in gated], clusters)
    tests = dict(zip(gated, zip(losses.p, gains.p, losses.alone, gains.alone, strict=True), strict=True))
    judged = {}
    for cell, paired in cells.items():
        p_loss, p_gain, alone_loss, alone_gain = tests.get(cell, (None,) * 4)
        differences = paired.differences
        net = fsum(differences.values())
        mean = net / len(differences)
        nonzero = [topic for topic, difference in differences.items() if abs(difference) > NOISE]
        moved = max(paired.moved, len(nonzero))
        tested = paired.gated and len(differences) >= least
        lost, won = mean < -tolerance - NOISE, mean > tolerance + NOISE
        cause = ""
        if paired.leaks:
            cause = "leak"
        elif tested and lost and p_loss is not None and p_loss <= alpha:
            cause = "significant"
        elif paired.gated and mean <= -SHARE + NOISE and collapsed(differences, clusters):
            cause = "collapse"
        if cause:
            outcome = "worse"
        elif tested and lost and p_loss is not None and p_loss <= warn:
            outcome = "uncertain"
        elif tested and won and p_gain is not None and p_gain <= alpha:
            outcome = "better"
        else:
            outcome = "churned" if moved else "same"
        named = len({clusters[topic] for topic in nonzero})
        judged[cell] = Judged(
            outcome, cause, p_loss, p_gain, mean, net, len(differences), moved, named, alone_loss, alone_gain
        )
    return Judgement(judged, losses.moved, losses.critical, losses.flips)


def largest_allowed(topics: int) -> int:
    """The most topics of a slice that can be lost, none gained and nothing else moved, without its being worse."""
    significant = max(CERTAIN, int(TOLERANCE * topics) + 1) if topics >= LEAST else topics + 1
    collapse = max(int(CLUSTERS), ceil(SHARE * topics - NOISE))
    return min(topics, significant - 1, collapse - 1)


def _tested(columns: list[Mapping[str, float]], clusters: Mapping[str, str]) -> tuple[MaxT, MaxT]:
    """The joint test of a loss in each column, and of a gain."""
    topics = sorted({topic for column in columns for topic in column})
    rows = {topic: row for row, topic in enumerate(topics)}
    missing = next((topic for topic in topics if topic not in clusters), None)
    if missing is not None:
        raise ValueError(f"the topic {missing} has no cluster")
    matrix = np.zeros((len(rows), len(columns)))
    for at, column in enumerate(columns):
        matrix[[rows[topic] for topic in column], at] = list(column.values())
    names = [clusters[topic] for topic in topics]
    return losses_and_gains(matrix, names)
