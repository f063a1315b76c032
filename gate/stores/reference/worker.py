"""A thread of its own for the calls of one part, so that a part which hangs takes no search with it.

A call that is not back in time is given up. While the part is still busy with it every further call is given
up at once: a part that hangs costs one wait, not one a search. When the call comes back its answer is dropped, and
the next call is made as ever.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from queue import SimpleQueue
from typing import Any, Generic, TypeVar

T = TypeVar("T")

# A wait is counted in slices, so that a machine which sleeps for a while takes one slice away and not all of them.
_SLICES = 10


class TooLate(Exception):
    """A part did not answer in time, or is still busy with a call that did not."""


class Worker:
    """Makes calls one after the other in a daemon thread, which is started with the first one."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._calls: SimpleQueue[_Call[Any] | None] = SimpleQueue()
        self._thread: threading.Thread | None = None
        self._late: _Call[Any] | None = None

    def call(self, task: Callable[[], T], patience: float) -> T:
        """The task's value, or whatever it raises. Raises TooLate where it takes more than `patience` seconds.

        To be called from one thread at a time.
        """
        self._start()
        if self._late is not None:
            if self._late.done.locked():
                raise TooLate
            self._late = None
        call = _Call(task)
        self._calls.put(call)
        # As a rule the answer is there long before the first slice is over.
        if not any(call.done.acquire(timeout=patience / _SLICES) for _ in range(_SLICES)):
            self._late = call
            raise TooLate
        if call.error is not None:
            raise call.error
        value: T = call.value
        return value

    def close(self) -> None:
        """Ends the thread once it is back from what it is doing."""
        self._calls.put(None)

    def _start(self) -> None:
        # In a process that was forked the thread is gone, and its queue may be left in any state.
        if self._thread is None or not self._thread.is_alive():
            self._calls, self._late = SimpleQueue(), None
            self._thread = threading.Thread(target=_serve, args=(self._calls,), name=self._name, daemon=True)
            self._thread.start()


class _Call(Generic[T]):
    """A call; `done` is locked until it came back."""

    __slots__ = ("done", "error", "task", "value")

    def __init__(self, task: Callable[[], T]) -> None:
        self.task = task
        self.value: Any = None
        self.error: BaseException | None = None
        self.done = threading.Lock()
        self.done.acquire()


def _serve(calls: SimpleQueue[_Call[Any] | None]) -> None:
    while (call := calls.get()) is not None:
        try:
            call.value = call.task()
        except BaseException as error:  # noqa: BLE001 - a part may raise anything; the caller judges it
            call.error = error
        call.done.release()
        del call
