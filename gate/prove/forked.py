"""A side of a pair in a process that is forked from one in which its store is open already. Linux alone."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Mapping
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from gate.errors import StoreError
from gate.guard import Guard, Stopped
from gate.latency.records import Opened
from gate.latency.side import SideFailed
from gate.latency.spawned import GRACE_SECONDS
from gate.latency.worker import Worker, opened_message
from gate.protocols import Store
from gate.stop import Stop
from gate.stopwatch import now
from gate.workers import belong_to_parent

POLL_SECONDS = 0.1


class Forked:
    """A process with a store that holds the corpus. `depth` is the hits asked for, `timeout` the seconds of a search.

    Every wait raises Stopped on a wish to stop, SideFailed where the process dies or hangs. The store itself stays
    open where it was opened.
    """

    def __init__(self, name: str, store: Store, depth: int, timeout: float, stop: Stop) -> None:
        self.name, self._timeout, self._stop = name, timeout + GRACE_SECONDS, stop
        context = multiprocessing.get_context("fork")
        self._connection, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(store, depth, timeout, theirs), daemon=True)
        self._process.start()
        theirs.close()
        try:
            said = self._next(self._timeout)
            if failure := said.get("failure"):
                raise SideFailed("latency-open", f"the store of the {name} cannot be timed: {failure}")
        except (SideFailed, Stopped):
            self.kill()
            raise
        self._opened = Opened(said["name"], frozenset(said["modes"]), frozenset(said["abilities"]))

    @property
    def opened(self) -> Opened:
        return self._opened

    def ask(self, message: Mapping[str, Any]) -> Mapping[str, Any]:
        try:
            self._connection.send(message)
        except OSError:
            raise self._died() from None
        return self._next(self._timeout)

    def close(self) -> None:
        self.kill()

    def kill(self) -> None:
        """Ends the process at once."""
        self._process.kill()
        self._process.join()
        self._connection.close()

    def _next(self, timeout: float) -> Mapping[str, Any]:
        deadline = now() + timeout
        while not self._connection.poll(POLL_SECONDS):
            if self._stop.requested:
                raise Stopped(self._stop)
            if now() >= deadline:
                raise SideFailed("latency-hung", f"the process of the {self.name} gave no answer within {timeout:g} s")
        try:
            answer: Mapping[str, Any] = self._connection.recv()
        except (EOFError, OSError):
            raise self._died() from None
        return answer

    def _died(self) -> SideFailed:
        self._process.join(1)
        return SideFailed(
            "latency-died", f"the process of the {self.name} ended with exit code {self._process.exitcode}"
        )


def _serve(store: Store, depth: int, timeout: float, connection: Connection) -> None:
    """What the process does. It never comes back into the code that forked it."""
    try:
        belong_to_parent()
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        try:
            # A guard of its own, since no thread of the parent's is here. There is nothing to open.
            guard = Guard(lambda *_: store, Path(), None, None, timeout=timeout, stop=Stop(), known_as=store.name)
        except StoreError as error:
            connection.send({"failure": f"{error.where}: {error.what}"})
            return
        connection.send(opened_message(guard))
        worker = Worker(guard, depth)
        while True:
            connection.send(worker.answer(connection.recv()))
    finally:
        os._exit(0)
