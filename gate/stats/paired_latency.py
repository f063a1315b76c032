"""Whether the head is slower than the base, from a few pairs of processes timed by turns.

A pair gives v = ln(head / base), which says by what factor the head is slower. The pairs are few and their
spread is not known beforehand, so each bound is Student's, on the logarithms (a geometric mean of ratios: Fleming and
Wallace, "How not to lie with statistics: the correct way to summarize benchmark results", CACM 29, 1986). After
three pairs a head that is clearly not slower passes; otherwise seven are made, and those decide. That nothing slower
than a quarter is called equal is an equivalence test (Schuirmann, J. Pharmacokinetics and Biopharmaceutics 15,
1987), of the one side that matters.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum, inf, isfinite, log, sqrt

from gate.stats.student import quantile

FIRST, LAST = 3, 7  # pairs after which the rule decides
SLOWER = log(1.10)  # a mean above this is a loss
BOUND = log(1.25)  # a slowdown that must be ruled out before anything passes
PASS, FAIL, NOT_MEASURED, GO_ON = "pass", "fail", "not measured", ""


@dataclass(frozen=True, slots=True)
class PairedLatency:
    """What so many pairs say. `outcome` is pass, fail, not measured, or empty where more pairs are needed.

    `mean` is that of v = ln(head / base); `low` and `high` are its one-sided 95% bounds, so that the true mean lies
    between them in 90% of cases, and `sure` is the one-sided 99% lower bound. With one pair they are infinite.
    """

    pairs: int
    mean: float
    low: float
    high: float
    sure: float
    outcome: str


def judge_pairs(v: Sequence[float]) -> PairedLatency:
    """The rule on v = ln(head / base) of 1 to 7 pairs, in the order in which they were made.

    Three pairs pass where the mean is below ln(1.10) / 2 and the 95% upper bound below ln 1.25. Seven fail where the
    mean is above ln 1.10 and the 99% lower bound above 0; else they pass where the 95% upper bound is below ln 1.25;
    else nobody can tell. Any other number asks for more. Raises ValueError for no pair, too many, or what is no number.
    """
    n = len(v)
    if not 1 <= n <= LAST:
        raise ValueError(f"between 1 and {LAST} pairs are judged, not {n}")
    if not all(map(isfinite, v)):
        raise ValueError("a ratio that is no number cannot be judged")
    mean = fsum(v) / n
    if n == 1:
        return PairedLatency(n, mean, -inf, inf, -inf, GO_ON)
    error = sqrt(fsum((one - mean) ** 2 for one in v) / (n - 1) / n)
    half, sure = quantile(0.95, n - 1) * error, mean - quantile(0.99, n - 1) * error
    return PairedLatency(n, mean, mean - half, mean + half, sure, _outcome(n, mean, mean + half, sure))


def _outcome(n: int, mean: float, high: float, sure: float) -> str:
    if n == FIRST:
        return PASS if mean < SLOWER / 2 and high < BOUND else GO_ON
    if n < LAST:
        return GO_ON
    if mean > SLOWER and sure > 0:
        return FAIL
    return PASS if high < BOUND else NOT_MEASURED
