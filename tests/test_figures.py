from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.figures import count, duration, figure, figures_apart, rank_change, unit_of


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (0.94123, "0.941"),
        (1.0, "1.000"),
        (0.0, "0.000"),
        (-0.0, "0.000"),
        (0.9997, "0.9997"),
        (0.99951, "0.9995"),
        (0.9994, "0.999"),
        (0.99999999, "0.99999999"),
        (0.0004, "0.0004"),
        (-0.00001, "-0.00001"),
        (1.9999, "1.9999"),
        (0.9999999999999999, "1.000"),
        (None, "not measured"),
        (math.nan, "not a number"),
        (math.inf, "not a number"),
    ],
)
def test_rounding_never_shows_a_whole_number_that_is_none(value: float | None, shown: str) -> None:
    assert figure(value) == shown


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (4.2371, "4.24 ms"),
        (42.371, "42.4 ms"),
        (423.71, "424 ms"),
        (0.0004, "0.0004 ms"),
        (99.97, "99.97 ms"),
        (0.0, "0.00 ms"),
        (None, "not measured"),
    ],
)
def test_values_with_a_unit_have_about_three_digits(value: float | None, shown: str) -> None:
    assert figure(value, "ms") == shown


def test_figures_that_differ_look_different() -> None:
    assert figures_apart((0.8996, 0.9)) == ("0.8996", "0.9000")
    assert figures_apart((0.85, 0.9)) == ("0.850", "0.900")
    assert figures_apart((0.9, 0.9)) == ("0.900", "0.900")
    assert figures_apart((100.2, 100.3), "ms") == ("100.2 ms", "100.3 ms")
    assert figures_apart((None, 0.9)) == ("not measured", "0.900")
    assert figures_apart((math.nan, 0.9)) == ("not a number", "0.900")


@given(st.floats(0, 1), st.floats(0, 1))
def test_figures_apart_keep_the_order_of_their_values(one: float, other: float) -> None:
    shown = [float(text) for text in figures_apart((one, other))]
    assert (shown[0] < shown[1]) == (one < other) or abs(one - other) < 1e-11


@given(st.floats(1e-9, 1 - 1e-9))
def test_what_lies_between_0_and_1_is_shown_between_them(value: float) -> None:
    assert 0 < float(figure(value)) < 1


def test_ranks_change_in_words() -> None:
    assert rank_change(2, 14) == "rank 2 -> 14"
    assert rank_change(1, None) == "rank 1 -> gone"
    assert rank_change(None, 3) == "absent -> rank 3"


def test_units_belong_to_measures_of_a_run() -> None:
    assert unit_of("latency-p95") == "ms"
    assert unit_of("nDCG@10") == ""


def test_durations_and_counts_read_as_sentences() -> None:
    assert [duration(s) for s in (0.04, 4.21, 72.4, 725.0)] == ["0.0 s", "4.2 s", "72 s", "12 min 5 s"]
    assert [count(n, "query", "queries") for n in (0, 1, 2)] == ["0 queries", "1 query", "2 queries"]
