"""Times of searches, taken with a clock that the store itself moves on."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from pathlib import Path

import pytest
from shelf import Shelf

from gate.errors import StoreError
from gate.guard import Guard
from gate.latency.worker import Worker
from gate.records import Document, SearchResult
from gate.stop import Stop


class Ticking(Shelf):
    """Each search takes as many ticks as its query has words. `collected` tells whether garbage was, meanwhile."""

    def __init__(self, clock: list[float]) -> None:
        super().__init__()
        self.clock = clock
        self.collected: set[bool] = set()

    def search(self, query: str, k: int, mode: str, scope: frozenset[str] = frozenset()) -> SearchResult:
        self.clock[0] += len(query.split()) / 1000
        self.collected.add(gc.isenabled())
        if query == "broken":
            raise RuntimeError("no index")
        return super().search(query, k, mode, scope)


@pytest.fixture
def store(monkeypatch: pytest.MonkeyPatch) -> Ticking:
    clock = [0.0]
    monkeypatch.setattr("gate.guard.now", lambda: clock[0])
    return Ticking(clock)


@pytest.fixture
def worker(store: Ticking) -> Iterator[Worker]:
    guard = Guard(lambda *_: store, Path(), None, None, timeout=60, stop=Stop())
    guard.add([Document("d1", "one two three")])
    yield Worker(guard, 10)
    guard.close()
    gc.unfreeze()


def test_each_search_is_timed_by_itself_and_nothing_is_collected_meanwhile(store: Ticking, worker: Worker) -> None:
    worker.answer({"do": "ask", "mode": "keyword", "questions": [["one", []], ["one two", ["user-a"]], ["a b c", []]]})
    answer = worker.answer({"do": "time", "mode": "keyword", "at": [2, 0, 1, 1]})
    assert answer["seconds"] == pytest.approx([0.003, 0.001, 0.002, 0.002])
    assert store.collected == {False}
    assert gc.isenabled()


def test_what_a_store_does_wrong_is_told(worker: Worker) -> None:
    worker.answer({"do": "ask", "mode": "vector", "questions": [["broken", []]]})
    for deed in ("check", "time"):
        assert "RuntimeError: no index" in worker.answer({"do": deed, "mode": "vector", "at": [0]})["failure"]
    assert gc.isenabled()


def test_a_store_that_is_handed_over_is_open_and_its_guard_of_no_use(store: Ticking) -> None:
    guard = Guard(lambda *_: store, Path(), None, None, timeout=60, stop=Stop())
    assert guard.hand_over() is store
    with pytest.raises(StoreError):
        guard.count()
    assert store.count() == 0
