from __future__ import annotations

import gc
import os
import weakref
from collections.abc import Iterable

import pytest

from gate.errors import NotMeasured
from gate.stop import Stop
from gate.workers import can_fork, spread

forked = pytest.mark.skipif(not can_fork(), reason="forking is not safe on this system")


def double(number: int) -> int:
    return 2 * number


@pytest.mark.parametrize("workers", [1, pytest.param(2, marks=forked)])
def test_all_is_done_and_what_follows_too(workers: int) -> None:
    def following(number: int, _done: int) -> Iterable[int]:
        return (number + 100,) if number < 100 else ()

    done = dict(spread([1, 2, 3], double, workers, Stop(), following))
    assert done == {1: 2, 2: 4, 3: 6, 101: 202, 102: 204, 103: 206}


@pytest.mark.parametrize("workers", [1, pytest.param(2, marks=forked)])
def test_a_wish_to_stop_leaves_the_rest(workers: int) -> None:
    stop, done = Stop(), []
    for number, _ in spread(range(50), double, workers, stop):
        done.append(number)
        stop.signal = "SIGTERM"
    assert len(done) == 1


def test_what_ends_after_a_wish_to_stop_counts_for_nothing() -> None:
    stop = Stop()

    def stopped_meanwhile(number: int) -> int:
        stop.signal = "SIGINT"
        return number

    assert list(spread([1, 2], stopped_meanwhile, 1, stop)) == []


@forked
def test_a_worker_works_in_a_process_of_its_own() -> None:
    def where(_number: int) -> int:
        return os.getpid()

    assert os.getpid() not in dict(spread([1, 2], where, 2, Stop())).values()


@forked
def test_a_worker_that_dies_is_told_and_not_waited_for() -> None:
    def die(_number: int) -> int:
        os._exit(3)

    with pytest.raises(NotMeasured) as caught:
        list(spread([1, 2], die, 2, Stop()))
    assert caught.value.slug == "worker-died"


@pytest.mark.parametrize("workers", [1, pytest.param(2, marks=forked)])
def test_what_a_piece_of_work_raises_comes_through(workers: int) -> None:
    def fail(_number: int) -> int:
        raise ValueError("this piece")

    with pytest.raises(ValueError, match="this piece"):
        list(spread([1], fail, workers, Stop()))


@pytest.mark.parametrize("workers", [1, pytest.param(2, marks=forked)])
def test_what_nobody_holds_any_more_is_freed_before_the_rest_is_left_alone(workers: int) -> None:
    class Store:
        """Closed, and held by nothing but itself."""

        def __init__(self) -> None:
            self.own = self

    gc.disable()
    try:
        closed = weakref.ref(Store())
        assert closed() is not None
        dict(spread([1, 2], double, workers, Stop()))
        gc.collect()
        assert closed() is None
        assert gc.get_freeze_count()
    finally:
        gc.enable()
