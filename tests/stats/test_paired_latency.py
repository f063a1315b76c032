"""The sequential rule on pairs of processes, against figures worked out by hand and by SciPy."""

from __future__ import annotations

from math import inf, log

import pytest
from scipy import stats

from gate.stats.paired_latency import BOUND, SLOWER, judge_pairs


def test_bounds_of_three_pairs_worked_by_hand() -> None:
    # 0, 0.03, 0.06: mean 0.03, deviation 0.03, error 0.03 / sqrt(3) = 0.0173205. With two degrees of freedom t is
    # 2.919986 at 95% and 6.964557 at 99% (tables of the t distribution).
    seen = judge_pairs([0.0, 0.03, 0.06])
    assert seen.mean == pytest.approx(0.03)
    assert seen.high == pytest.approx(0.03 + 2.919986 * 0.0173205, abs=1e-6)
    assert seen.low == pytest.approx(0.03 - 2.919986 * 0.0173205, abs=1e-6)
    assert seen.sure == pytest.approx(0.03 - 6.964557 * 0.0173205, abs=1e-6)
    assert (seen.pairs, seen.outcome) == (3, "pass")


@pytest.mark.parametrize(
    "v", [[0.1, 0.2], [0.02, -0.01, 0.07], [0.11, 0.08, 0.3, -0.2], [0.1, 0.12, 0.14, 0.09, 0.2, 0.11, 0.1]]
)
def test_bounds_are_those_of_scipy(v: list[float]) -> None:
    seen, error = judge_pairs(v), stats.sem(v)
    low, high = stats.t.interval(0.90, len(v) - 1, loc=seen.mean, scale=error)
    assert (seen.low, seen.high) == pytest.approx((low, high), rel=1e-9)
    assert seen.sure == pytest.approx(stats.t.interval(0.98, len(v) - 1, loc=seen.mean, scale=error)[0], rel=1e-9)


def test_three_pairs_that_are_alike_pass() -> None:
    assert judge_pairs([0.01, -0.02, 0.02]).outcome == "pass"


def test_three_pairs_pass_only_below_half_of_what_is_a_loss() -> None:
    below, above = SLOWER / 2 - 1e-6, SLOWER / 2 + 1e-6
    assert judge_pairs([below] * 3).outcome == "pass"
    assert judge_pairs([above] * 3).outcome == ""


def test_three_pairs_that_vary_too_much_pass_nothing() -> None:
    # The error is 0.2 / sqrt(3) = 0.1155, and 2.92 of it are more than ln 1.25 = 0.223.
    assert judge_pairs([-0.2, 0.0, 0.2]).outcome == ""


@pytest.mark.parametrize("n", [1, 2, 4, 5, 6])
def test_nothing_is_decided_between_three_pairs_and_seven(n: int) -> None:
    assert judge_pairs([0.0] * n).outcome == ""
    assert judge_pairs([log(2)] * n).outcome == ""


def test_three_pairs_never_fail() -> None:
    assert judge_pairs([log(30)] * 3).outcome == ""


def test_one_pair_bounds_nothing() -> None:
    seen = judge_pairs([0.4])
    assert (seen.low, seen.high, seen.sure) == (-inf, inf, -inf)


def test_seven_pairs_fail_where_the_mean_is_a_loss_and_surely_above_nothing() -> None:
    assert judge_pairs([0.18, 0.2, 0.15, 0.21, 0.17, 0.19, 0.2]).outcome == "fail"
    assert judge_pairs([SLOWER + 1e-6] * 7).outcome == "fail"
    assert judge_pairs([SLOWER - 1e-6] * 7).outcome == "pass"


def test_seven_pairs_do_not_fail_on_a_mean_that_may_be_chance() -> None:
    # Mean 0.12 and deviation 0.152: 3.143 errors are 0.18, more than the mean; 1.943 errors above it are 0.23.
    v = [0.12 + step for step in (-0.2, -0.15, -0.05, 0.0, 0.05, 0.15, 0.2)]
    seen = judge_pairs(v)
    assert seen.mean > SLOWER
    assert seen.sure < 0
    assert seen.outcome == "not measured"


def test_seven_pairs_pass_where_a_quarter_is_ruled_out() -> None:
    v = [0.2, -0.2, 0.1, -0.1, 0.05, -0.05, 0.0]
    seen = judge_pairs(v)
    assert seen.high < BOUND
    assert seen.outcome == "pass"


def test_seven_pairs_that_rule_out_nothing_are_not_measured() -> None:
    v = [0.9, -0.9, 0.5, -0.5, 0.1, -0.1, 0.0]
    assert judge_pairs(v).outcome == "not measured"


@pytest.mark.parametrize("v", [[], [0.0] * 8, [0.0, float("nan"), 0.0], [0.0, inf, 0.0]])
def test_what_cannot_be_judged_is_refused(v: list[float]) -> None:
    with pytest.raises(ValueError, match=r"judged"):
        judge_pairs(v)
