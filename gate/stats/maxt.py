"""The joint sign-flip test: which of many cells lost more than a harmless reshuffle of what moved would show.

Under the hypothesis that a change is harmless, each moved cluster of topics could as well have
moved the other way. Flipping the sign of a cluster's whole row, over all cells together, keeps
the dependence between cells; the largest statistic over the cells gives p-values that are right
for all cells at once. Westfall and Young, "Resampling-Based Multiple Testing", 1993 (single-step
maxT); sign flips of paired differences: Fisher, "The Design of Experiments", 1935; clusters kept
whole: Cameron, Gelbach and Miller, "Bootstrap-Based Improvements for Inference with Clustered
Errors", 2008.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

ENUMERATED = 13  # up to so many moved clusters, all sign patterns are tried
FLIPS = 9_999
SEED = 20_260_101
TIE = 1e-9
# Flips at a time, and the most numbers that hold them, which bounds the memory at some tens of MB.
_BLOCK, _NUMBERS = 2_048, 4_000_000


@dataclass(frozen=True, slots=True)
class MaxT:
    """`p[cell]` is the adjusted p-value, None where nothing of the cell moved; `moved` counts the clusters that did.

    `critical` is the statistic that one flip in a hundred passes; `flips` how many were tried,
    the observed one included. `alone[cell]` is the p-value of a cell as if it were the only one.
    """

    p: tuple[float | None, ...]
    moved: int
    critical: float
    flips: int
    alone: tuple[float | None, ...]


def max_t(differences: NDArray[np.float64], clusters: Sequence[Hashable]) -> MaxT:
    """One-sided test of a loss in each cell.

    `differences` is topics x cells, head - base, 0 where a topic is not in a cell. `clusters`
    names the cluster of each topic. Raises ValueError where the lengths differ or a difference
    is not finite.
    """
    return losses_and_gains(differences, clusters)[0]


def losses_and_gains(differences: NDArray[np.float64], clusters: Sequence[Hashable]) -> tuple[MaxT, MaxT]:
    """The test of a loss in each cell, and that of a gain: the same of the negated differences, on the same flips."""
    if differences.ndim != 2 or len(clusters) != len(differences):
        raise ValueError("differences have to be topics x cells, with one cluster a topic")
    if not np.isfinite(differences).all():
        raise ValueError("a difference is not a finite number")
    names = {name: row for row, name in enumerate(dict.fromkeys(clusters))}
    sums = np.zeros((len(names), differences.shape[1]))
    np.add.at(sums, [names[name] for name in clusters], differences)
    sums = sums[np.abs(sums).max(axis=1, initial=0.0) > TIE]
    spread = np.sqrt((sums * sums).sum(axis=0))
    tested = spread > TIE
    moved = len(sums)
    if not moved or not tested.any():
        none = (None,) * differences.shape[1]
        untested = MaxT(none, moved, 0.0, 1, none)
        return untested, untested
    scaled = sums[:, tested] / spread[tested]
    gained = scaled.sum(axis=0)
    losses, gains = _Counted(-gained, moved), _Counted(gained, moved)
    for signs in _signs(moved):
        statistics = signs @ scaled
        losses.count(-statistics)
        gains.count(statistics)
    return losses.result(tested), gains.result(tested)


class _Counted:
    """How the statistics of flips compare with those `observed`, a cell each."""

    def __init__(self, observed: NDArray[np.float64], moved: int) -> None:
        self._observed, self._moved = observed, moved
        # What was observed is one of those counted, enumerated or added: p is never 0.
        added = int(moved > ENUMERATED)
        self._largest = [np.full(added, observed.max())]
        self._reached = np.full(len(observed), added)

    def count(self, statistics: NDArray[np.float64]) -> None:
        """Counts a block of flips: flips x cells."""
        self._largest.append(statistics.max(axis=1))
        self._reached += (statistics >= self._observed - TIE).sum(axis=0)

    def result(self, tested: NDArray[np.bool_]) -> MaxT:
        ordered = np.sort(np.concatenate(self._largest))
        flips = len(ordered)
        share = (flips - np.searchsorted(ordered, self._observed - TIE, side="left")) / flips
        critical = float(ordered[int(np.ceil(0.99 * flips)) - 1])
        return MaxT(_placed(share, tested), self._moved, critical, flips, _placed(self._reached / flips, tested))


def _placed(values: NDArray[np.float64], tested: NDArray[np.bool_]) -> tuple[float | None, ...]:
    """The values of the tested cells in their places, None in all others."""
    left = iter(values.tolist())
    return tuple(next(left) if is_tested else None for is_tested in tested)


def _signs(moved: int) -> Iterator[NDArray[np.float64]]:
    """Blocks of sign patterns, flips x clusters: all of them for few clusters, seeded random ones for many."""
    if moved <= ENUMERATED:
        patterns = np.arange(1 << moved, dtype=np.int64)[:, None]
        yield np.where((patterns >> np.arange(moved)) & 1, -1.0, 1.0)
        return
    # The raw stream of a bit generator is the same in every version of numpy; that of its methods is not.
    stream = np.random.PCG64(SEED)
    words = -(-moved // 64)
    block = max(1, min(_BLOCK, _NUMBERS // moved))
    for start in range(0, FLIPS, block):
        rows = min(block, FLIPS - start)
        raw = stream.random_raw(rows * words).astype("<u8").view(np.uint8).reshape(rows, words * 8)
        bits = np.unpackbits(raw, axis=1, bitorder="little")[:, :moved]
        yield np.where(bits, -1.0, 1.0)
