"""Calls of a part in a thread of their own: in time, too late, and well again."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator

import pytest

from gate.stores.reference.worker import TooLate, Worker

SOON = 0.02


@pytest.fixture
def worker() -> Iterator[Worker]:
    made = Worker("test-part")
    yield made
    made.close()


def back(held: threading.Event, worker: Worker) -> None:
    """Lets go of a call, and waits until the worker is back from it."""
    held.set()
    thread = worker._thread
    assert thread is not None
    assert worker._late is not None
    assert worker._late.done.acquire(timeout=10)
    worker._late.done.release()


def test_a_call_gives_what_the_task_gives_or_raises(worker: Worker) -> None:
    assert worker.call(lambda: 6 * 7, 10) == 42
    with pytest.raises(ZeroDivisionError):
        worker.call(lambda: 1 // 0, 10)
    with pytest.raises(SystemExit):
        worker.call(lambda: exit(3), 10)
    assert worker.call(lambda: "well", 10) == "well"


def test_all_calls_are_made_in_one_daemon_thread_that_starts_with_the_first(worker: Worker) -> None:
    assert worker._thread is None
    first = worker.call(threading.current_thread, 10)
    assert first is worker.call(threading.current_thread, 10)
    assert first is not threading.current_thread()
    assert first.daemon


def test_what_does_not_answer_is_given_up(worker: Worker) -> None:
    held = threading.Event()
    with pytest.raises(TooLate):
        worker.call(held.wait, SOON)
    held.set()


def test_a_call_that_hangs_costs_one_wait_and_not_one_a_call(worker: Worker) -> None:
    held = threading.Event()
    with pytest.raises(TooLate):
        worker.call(held.wait, SOON)
    made: list[int] = []
    for _ in range(3):
        # Ten minutes: whoever waited here would be noticed.
        with pytest.raises(TooLate):
            worker.call(lambda: made.append(1), 600)
    held.set()
    assert made == []


def test_a_late_answer_is_dropped_and_the_next_call_gets_its_own(worker: Worker) -> None:
    held = threading.Event()

    def late() -> str:
        held.wait()
        return "late"

    with pytest.raises(TooLate):
        worker.call(late, SOON)
    back(held, worker)
    assert [worker.call(lambda: "in time", 10) for _ in range(2)] == ["in time", "in time"]


def test_a_late_error_is_dropped_too(worker: Worker) -> None:
    held = threading.Event()

    def late() -> None:
        held.wait()
        raise OSError("late")

    with pytest.raises(TooLate):
        worker.call(late, SOON)
    back(held, worker)
    assert worker.call(lambda: "well", 10) == "well"


def test_a_closed_worker_ends_its_thread(worker: Worker) -> None:
    thread = worker.call(threading.current_thread, 10)
    worker.close()
    thread.join(10)
    assert not thread.is_alive()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_process_gets_a_thread_of_its_own(worker: Worker) -> None:
    assert worker.call(lambda: 1, 10) == 1
    child = os.fork()
    if child == 0:
        try:
            os._exit(worker.call(lambda: 7, 10))
        except BaseException:
            os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
    assert worker.call(lambda: 2, 10) == 2
