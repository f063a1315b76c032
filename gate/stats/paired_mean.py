"""The mean of paired differences with its standard error, where topics of one cluster move together.

The cluster-robust variance of a mean, Liang and Zeger, "Longitudinal data analysis using
generalized linear models", Biometrika 73, 1986, which is also that of a ratio estimator in
cluster sampling, Cochran, "Sampling Techniques", 1977, 9A.2; the t-interval on clusters - 1 degrees of
freedom after Cameron and Miller, "A Practitioner's Guide to Cluster-Robust Inference", J. Human
Resources 50, 2015. With clusters of one topic each it is the paired t-interval.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from math import fsum, inf, sqrt

from gate.stats.student import quantile

# A standard error that is only the rounding of differences that are all the same.
NOTHING = 1e-12


@dataclass(frozen=True, slots=True)
class PairedMean:
    """`error` is the standard error of the mean; `degrees` are clusters - 1.

    With clusters of very unequal sizes the interval is too short: simulated, sizes 40, 20, 10 and
    thirty of 2 gave 85% in place of 95%.
    """

    mean: float
    error: float
    degrees: int

    def interval(self, confidence: float = 0.95, *, largest: float = inf) -> tuple[float, float] | None:
        """The t-interval; None where there is one cluster only, or nothing varies: then it says nothing.

        It is cut at -`largest` and `largest`, the differences that a measure can have: an interval that is
        symmetric about the mean can leave them, and no mean difference lies there.
        """
        if self.degrees < 1 or self.error <= NOTHING:
            return None
        half = quantile((1 + confidence) / 2, self.degrees) * self.error
        return max(self.mean - half, -largest), min(self.mean + half, largest)


def paired_mean(differences: Mapping[str, float], clusters: Mapping[str, str]) -> PairedMean:
    """Mean and error of `differences[topic]`. Raises ValueError without topics, KeyError for one without cluster."""
    n = len(differences)
    if not n:
        raise ValueError("there is no mean of nothing")
    mean = fsum(differences.values()) / n
    by_cluster: dict[str, list[float]] = defaultdict(list)
    for topic, difference in differences.items():
        by_cluster[clusters[topic]].append(difference - mean)
    m = len(by_cluster)
    if m < 2:
        return PairedMean(mean, 0.0, 0)
    squares = fsum(fsum(deviations) ** 2 for deviations in by_cluster.values())
    return PairedMean(mean, sqrt(m / (m - 1) * squares) / n, m - 1)
