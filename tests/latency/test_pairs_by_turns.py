"""Pairs of fake sides: what their costs come to, and what the rule makes of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import log
from typing import Any

import pytest
from timed_sides import Cost, Fakes, TimedSide, each

from gate.latency.compare import compare
from gate.latency.pair import Question, plan_mode, warm
from gate.latency.records import BASE, HEAD, LatencyReport, Opened, Timed
from gate.latency.schedule import Effort
from gate.latency.side import SideFailed
from gate.progress import Silent

EFFORT = Effort(seconds=0.01, most_topics=31, least_topics=7)


def timed(fakes: Fakes, *modes: str) -> tuple[Timed, ...]:
    asked = {mode: tuple(Question(f"query {n}") for n in range(40)) for mode in modes or ("keyword",)}

    def asking(base: Opened, head: Opened) -> tuple[Mapping[str, Sequence[Question]], Mapping[str, str]]:
        return asked, {}

    return compare(fakes, asking, "seeded@smoke", "cpu-hash", EFFORT, Silent())


def exit_code(*modes: Timed) -> int:
    return LatencyReport("store", "base", "head", modes).exit_code


def test_a_store_that_does_the_same_work_is_green_after_three_pairs() -> None:
    fakes = Fakes(each(1e-4), each(1e-4))
    (one,) = timed(fakes)
    assert (one.outcome, fakes.pairs, exit_code(one)) == ("pass", 3, 0)
    assert [pair.v for pair in one.pairs] == [0.0] * 3


def test_a_store_that_does_double_work_is_red_after_seven_pairs() -> None:
    fakes = Fakes(each(1e-4), each(2e-4))
    (one,) = timed(fakes)
    assert (one.outcome, fakes.pairs, exit_code(one)) == ("fail", 7, 1)
    assert [pair.v for pair in one.pairs] == pytest.approx([log(2)] * 7)
    assert one.ratio == pytest.approx((2, 2, 2))
    assert one.p50 == pytest.approx((0.1, 0.2))


def test_a_quicker_head_passes() -> None:
    (one,) = timed(Fakes(each(2e-4), each(1e-4)))
    assert (one.outcome, len(one.pairs)) == ("pass", 3)


def test_a_cost_is_the_sum_over_the_topics_of_the_median_over_the_rounds() -> None:
    # One round in three is disturbed; each topic costs what its number says.
    def cost(mode: str, at: int, before: int) -> float:
        return 1e-5 * (at + 1) * (1000 if before % 3 == 0 else 1)

    (one,) = timed(Fakes(cost, cost))
    # The eight topics that are tried first look slow in their first round, so that the least number is asked.
    at = [(2 * number + 1) * 40 // 14 for number in range(7)]
    assert one.topics == 7
    assert one.pairs[0].base == pytest.approx(sum(1e-5 * (topic + 1) for topic in at))


def test_a_few_topics_with_a_slow_path_are_seen() -> None:
    def spiking(mode: str, at: int, before: int) -> float:
        return 50e-4 if at == 20 else 1e-4

    (one,) = timed(Fakes(each(1e-4), spiking))
    assert one.topics == 31
    assert one.outcome == "fail"
    assert one.pairs[0].v == pytest.approx(log((30 + 50) / 31))


def test_only_one_side_works_at_a_time_and_pairs_begin_by_turns() -> None:
    fakes = Fakes(each(1e-4), each(2e-4))
    timed(fakes)
    times = [side for side, deed in fakes.log if deed == "time"]
    assert times.count(BASE) == times.count(HEAD)
    # Each pair begins with its questions, and after the first, in which searches are tried, with what warms a side.
    begins = [at for at, (side, deed) in enumerate(fakes.log) if (side, deed) == (BASE, "ask")]
    warmed = [next(side for side, deed in fakes.log[at:] if deed == "time") for at in begins]
    assert warmed == [BASE, HEAD, BASE, HEAD, BASE, HEAD, BASE]


class Patient(TimedSide):
    """Notes how many searches it is asked for at once."""

    def __init__(self, name: str) -> None:
        super().__init__(name, each(2.0), [], frozenset({"keyword"}))
        self.at_once: list[int] = []

    def ask(self, message: Mapping[str, Any]) -> Mapping[str, Any]:
        self.at_once.append(len(message.get("at", ())))
        return super().ask(message)


def test_of_slow_searches_one_is_waited_for_at_a_time() -> None:
    base, head = Patient(BASE), Patient(HEAD)
    plan = plan_mode(base, head, "keyword", 40, EFFORT)
    for side in (base, head):
        warm(side, "keyword", plan)
        assert set(side.at_once) == {1}


def test_modes_are_decided_one_by_one() -> None:
    def slow_vectors(mode: str, at: int, before: int) -> float:
        return 2e-4 if mode == "vector" else 1e-4

    fakes = Fakes(each(1e-4), slow_vectors, frozenset({"keyword", "vector"}))
    keyword, vector = timed(fakes, "keyword", "vector")
    assert (keyword.outcome, len(keyword.pairs)) == ("pass", 3)
    assert (vector.outcome, len(vector.pairs)) == ("fail", 7)
    assert exit_code(keyword, vector) == 1


class WithoutVectors(TimedSide):
    """Its vector mode raises."""

    def ask(self, message: Mapping[str, Any]) -> Mapping[str, Any]:
        if message.get("mode") == "vector" and message["do"] == "check":
            return {"failure": "fake, mode vector: RuntimeError: no index"}
        return super().ask(message)


class Failing(Fakes):
    def side(self, name: str) -> TimedSide:
        if name == HEAD:
            return WithoutVectors(name, self.costs[name], self.log, self.modes)
        return super().side(name)


def test_a_mode_that_fails_is_not_measured_and_the_others_are() -> None:
    keyword, vector = timed(Failing(each(1e-4), each(1e-4)), "keyword", "vector")
    assert keyword.outcome == "pass"
    assert (vector.outcome, vector.reason) == ("not measured", "head: fake, mode vector: RuntimeError: no index")
    assert exit_code(keyword, vector) == 2


def test_what_takes_no_time_at_all_cannot_be_compared() -> None:
    (one,) = timed(Fakes(each(0.0), each(0.0)))
    assert one.outcome == "not measured"
    assert "too quick for the clock" in one.reason


def alternating(first: float, second: float) -> Cost:
    """Slow in every other pair: a store anew counts from nought, so that pairs are told apart outside."""
    state = {"pair": 0}

    def cost(mode: str, at: int, before: int) -> float:
        if before == 0 and at == 0:
            state["pair"] += 1
        return first if state["pair"] % 2 else second

    return cost


def test_pairs_that_contradict_each_other_are_not_measured() -> None:
    (one,) = timed(Fakes(each(1e-4), alternating(4e-4, 0.3e-4)))
    assert (one.outcome, len(one.pairs)) == ("not measured", 7)
    assert exit_code(one) == 2


def test_a_side_that_fails_ends_it() -> None:
    class Dying(Fakes):
        def side(self, name: str) -> TimedSide:
            raise SideFailed("latency-died", "it is gone")

    with pytest.raises(SideFailed):
        timed(Dying(each(1), each(1)))


def test_nothing_timed_is_no_pass() -> None:
    assert exit_code() == 2
    assert LatencyReport("store", "base", "head", (), ("it died",)).exit_code == 2
