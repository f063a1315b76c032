import numpy as np
import pytest

from gate.measures import RUN_MEASURES
from gate.records import Timing


def test_percentiles_are_the_nearest_rank() -> None:
    timing = Timing(tuple(float(n) for n in range(100, 0, -1)), 0, 0.0)
    found = [RUN_MEASURES[f"latency-p{percent}"].over(timing) for percent in (50, 95, 99)]
    assert found == [50.0, 95.0, 99.0]


def test_one_search_is_every_percentile() -> None:
    timing = Timing((7.5,), 0, 0.0)
    assert [RUN_MEASURES[f"latency-p{percent}"].over(timing) for percent in (50, 95, 99)] == [7.5, 7.5, 7.5]


@pytest.mark.parametrize("count", [2, 3, 19, 20, 21, 99, 101, 250])
@pytest.mark.parametrize("percent", [50, 95, 99])
def test_percentiles_agree_with_numpy(count: int, percent: int) -> None:
    times = np.random.default_rng(count).exponential(5.0, count)
    timing = Timing(tuple(times.tolist()), 0, 0.0)
    expected = np.percentile(times, percent, method="inverted_cdf")
    assert RUN_MEASURES[f"latency-p{percent}"].over(timing) == float(expected)


def test_nothing_timed_has_no_latency() -> None:
    assert RUN_MEASURES["latency-p50"].over(Timing((), 10, 1.0)) is None
