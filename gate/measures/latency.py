"""Latency: percentiles of the time that a search takes."""

from __future__ import annotations

from gate.records import Timing


class Latency:
    """`latency-pN`: the time in milliseconds that N of 100 searches did not exceed, as one of them took it.

    The nearest-rank percentile: definition 1 of R. J. Hyndman and Y. Fan, "Sample Quantiles in
    Statistical Packages", The American Statistician 50(4), 1996.
    """

    unit = "ms"
    higher_is_better = False
    version = 1
    source = "Hyndman and Fan, The American Statistician 50(4), 1996, definition 1"

    def __init__(self, percent: int) -> None:
        self.name = f"latency-p{percent}"
        self._percent = percent

    def over(self, timing: Timing) -> float | None:
        times = sorted(timing.milliseconds)
        if not times:
            return None
        # In whole numbers: 0.99 * 100 as floats could round up to the next search.
        nearest_rank = -(-self._percent * len(times) // 100)
        return times[nearest_rank - 1]
