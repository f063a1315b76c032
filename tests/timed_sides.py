"""Sides of a pair whose searches take exactly what a test says, and no time at all."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from gate.latency.records import BASE, HEAD, Opened
from gate.latency.side import Side

# Seconds of the search of a topic in a mode; how often this side was asked it before comes third.
Cost = Callable[[str, int, int], float]


class TimedSide:
    """A side that answers at once with what its searches took. `log` is shared by both: who was asked what, when."""

    def __init__(self, name: str, cost: Cost, log: list[tuple[str, str]], modes: frozenset[str]) -> None:
        self.name, self._cost, self._log = name, cost, log
        self._asked: dict[tuple[str, int], int] = {}
        self._opened = Opened("fake", modes, frozenset())
        self.closed = False

    @property
    def opened(self) -> Opened:
        return self._opened

    def ask(self, message: Mapping[str, Any]) -> Mapping[str, Any]:
        self._log.append((self.name, message["do"]))
        if message["do"] != "time":
            return {}
        seconds = []
        for at in message["at"]:
            before = self._asked.get((message["mode"], at), 0)
            self._asked[message["mode"], at] = before + 1
            seconds.append(self._cost(message["mode"], at, before))
        return {"seconds": seconds}

    def close(self) -> None:
        self.closed = True


class Fakes:
    """Opens pairs of such sides; `pairs` holds the order in which each was opened."""

    def __init__(self, base: Cost, head: Cost, modes: frozenset[str] = frozenset({"keyword"})) -> None:
        self.costs, self.modes = {BASE: base, HEAD: head}, modes
        self.log: list[tuple[str, str]] = []
        self.pairs = 0

    def side(self, name: str) -> TimedSide:
        return TimedSide(name, self.costs[name], self.log, self.modes)

    @contextmanager
    def __call__(self, number: int) -> Iterator[tuple[Side, Side]]:
        assert number == self.pairs
        self.pairs += 1
        yield self.side(BASE), self.side(HEAD)


def each(seconds: float) -> Cost:
    """The same for every search."""
    return lambda mode, at, before: seconds
