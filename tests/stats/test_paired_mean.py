"""The interval of a mean difference, held against SciPy and a calculation by hand."""

from __future__ import annotations

from math import sqrt

import pytest
from scipy import stats

from gate.stats.paired_mean import paired_mean
from gate.stats.tost import equivalence, equivalence_of

VALUES = [-0.5, -0.5, -0.667, -0.75, -1.0, 0.5, -0.25, 0.0, 0.0, 0.125]
DIFFERENCES = {f"t{number}": value for number, value in enumerate(VALUES)}
APART = {topic: topic for topic in DIFFERENCES}


def test_topics_apart_give_the_paired_t_interval() -> None:
    found = paired_mean(DIFFERENCES, APART)
    expected = stats.ttest_1samp(VALUES, 0).confidence_interval(0.95)
    assert found.interval() == pytest.approx((expected.low, expected.high), abs=1e-9)
    assert found.error == pytest.approx(stats.sem(VALUES), abs=1e-12)
    ninety = stats.ttest_1samp(VALUES, 0).confidence_interval(0.90)
    assert found.interval(0.90) == pytest.approx((ninety.low, ninety.high), abs=1e-9)


def test_equal_clusters_give_the_t_interval_of_their_means() -> None:
    # Five clusters of two: the mean of all is the mean of the cluster means, and so is its error.
    clusters = {topic: f"c{number // 2}" for number, topic in enumerate(DIFFERENCES)}
    means = [(VALUES[at] + VALUES[at + 1]) / 2 for at in range(0, 10, 2)]
    found = paired_mean(DIFFERENCES, clusters)
    expected = stats.ttest_1samp(means, 0).confidence_interval(0.95)
    assert found.interval() == pytest.approx((expected.low, expected.high), abs=1e-9)
    assert found.degrees == 4


def test_clusters_of_different_sizes() -> None:
    # Mean -1/2; deviations summed by cluster: a -1, b +1/2, c +1/2; 3/2 * (1 + 1/4 + 1/4) = 9/4; its root / 4.
    found = paired_mean({"1": -1.0, "2": -1.0, "3": 0.0, "4": 0.0}, {"1": "a", "2": "a", "3": "b", "4": "c"})
    assert (found.mean, found.degrees) == (-0.5, 2)
    assert found.error == pytest.approx(sqrt(9 / 4) / 4)


def test_what_does_not_vary_has_no_interval() -> None:
    same = {f"t{number}": -1.0 for number in range(20)}
    assert paired_mean(same, {topic: topic for topic in same}).interval() is None
    assert paired_mean(DIFFERENCES, dict.fromkeys(DIFFERENCES, "one")).interval() is None
    with pytest.raises(ValueError, match="nothing"):
        paired_mean({}, {})


def test_equivalence_takes_the_error_of_the_clusters() -> None:
    found = paired_mean(DIFFERENCES, APART)
    assert equivalence_of(found.mean, found.error, found.degrees, 0.4) == equivalence(VALUES, 0.4)
    together = paired_mean(DIFFERENCES, {topic: f"c{number // 5}" for number, topic in enumerate(DIFFERENCES)})
    assert equivalence_of(together.mean, together.error, together.degrees, 0.4) != equivalence(VALUES, 0.4)
    with pytest.raises(ValueError, match="margin"):
        equivalence_of(0.0, 1.0, 5, 0.0)
    with pytest.raises(ValueError, match="margin"):
        equivalence([0.0], -1.0)


def test_an_interval_does_not_leave_what_a_measure_can_differ_by() -> None:
    # Two of three lost: mean -2/3, standard error 1/3, t(2) at 97.5% 4.3027, so that the low end is -2.1009.
    spread = paired_mean({"a": -1.0, "b": -1.0, "c": 0.0}, {"a": "a", "b": "b", "c": "c"})
    assert spread.interval() == pytest.approx((-2.1008842, 0.7675508), abs=1e-6)
    assert spread.interval(largest=1.0) == pytest.approx((-1.0, 0.7675508), abs=1e-6)
