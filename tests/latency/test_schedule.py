"""How many topics, rounds and blocks a pair has."""

from __future__ import annotations

import pytest

from gate.latency.records import BASE, HEAD
from gate.latency.schedule import Effort, Schedule, schedule, spread, topics_for

EFFORT = Effort(seconds=0.25, most_topics=151, least_topics=21, least_rounds=5, most_rounds=15)


def test_topics_are_the_middles_of_equal_stretches() -> None:
    assert spread(10, 5) == (1, 3, 5, 7, 9)
    assert spread(3, 5) == (0, 1, 2)


def test_a_quick_store_is_asked_the_most_topics_and_a_slow_one_the_least() -> None:
    assert topics_for(1000, 1e-4, EFFORT) == 151
    assert topics_for(1000, 0.1, EFFORT) == 21
    assert topics_for(2, 0.1, EFFORT) == 2


@pytest.mark.parametrize(("many", "asked"), [(20, 19), (21, 21), (26, 23), (4, 3), (1, 1)])
def test_no_number_of_topics_is_in_step_with_every_tenth_search(many: int, asked: int) -> None:
    assert topics_for(many, 1e-4, EFFORT) == asked


def test_rounds_fill_the_time_within_their_bounds() -> None:
    at = tuple(range(100))
    # 100 topics of 0.3 ms are 30 ms a round, of which eight fit into 250 ms.
    assert schedule(at, {BASE: 3e-4, HEAD: 3e-4}, EFFORT).rounds == {BASE: 8, HEAD: 8}
    assert schedule(at, {BASE: 1e-6, HEAD: 1e-6}, EFFORT).rounds == {BASE: 15, HEAD: 15}
    assert schedule(at, {BASE: 0.01, HEAD: 0.01}, EFFORT).rounds == {BASE: 5, HEAD: 5}


def test_a_head_twice_as_slow_is_asked_as_often_and_one_that_crawls_once() -> None:
    at = tuple(range(100))
    assert schedule(at, {BASE: 3e-4, HEAD: 6e-4}, EFFORT).rounds[HEAD] == 8
    assert schedule(at, {BASE: 3e-4, HEAD: 0.1}, EFFORT).rounds == {BASE: 8, HEAD: 1}


def test_a_block_takes_about_fifty_milliseconds_of_its_side() -> None:
    plan = schedule(tuple(range(100)), {BASE: 5e-4, HEAD: 1e-3}, EFFORT)
    assert plan.block == {BASE: 100, HEAD: 50}
    assert sum(map(len, plan.blocks(BASE))) == 100 * plan.rounds[BASE]


def test_the_quickest_store_still_takes_four_turns() -> None:
    plan = schedule(tuple(range(20)), {BASE: 1e-6, HEAD: 1e-6}, EFFORT)
    assert len(plan.blocks(BASE)) == 4


@pytest.mark.parametrize("base_first", [True, False])
def test_sides_take_turns_and_who_begins_changes(base_first: bool) -> None:
    plan = Schedule((0, 1), {BASE: 2, HEAD: 2}, {BASE: 2, HEAD: 2})
    sides = [side for side, _ in plan.turns(base_first=base_first)]
    assert sides == ([BASE, HEAD, HEAD, BASE] if base_first else [HEAD, BASE, BASE, HEAD])


def test_every_topic_is_asked_in_every_round_whatever_the_blocks() -> None:
    plan = Schedule((3, 5, 8), {BASE: 4, HEAD: 1}, {BASE: 5, HEAD: 2})
    turns = plan.turns(base_first=True)
    assert [at for side, block in turns if side == BASE for at in block] == [3, 5, 8] * 4
    assert [at for side, block in turns if side == HEAD for at in block] == [3, 5, 8]
