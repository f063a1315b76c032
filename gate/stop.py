"""The wish to stop: Ctrl-C and SIGTERM set a flag, so that nothing is torn where it stood.

Whoever takes long looks at the flag between two steps and hands back what it has. A second
signal ends the process at once.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from gate.exit_codes import ExitCode


class Stop:
    """Whether somebody asked to stop, and with which signal."""

    def __init__(self) -> None:
        self.signal = ""

    @property
    def requested(self) -> bool:
        return bool(self.signal)


@contextmanager
def watched() -> Iterator[Stop]:
    """A `Stop` that SIGINT and SIGTERM set while the block runs. Main thread only."""
    stop = Stop()

    def on_signal(number: int, _frame: FrameType | None) -> None:
        if stop.requested:
            os._exit(ExitCode.INTERRUPTED)
        stop.signal = signal.Signals(number).name

    before = {number: signal.signal(number, on_signal) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield stop
    finally:
        for number, handler in before.items():
            # None stands for a handler that was not set from Python, and cannot be set back from it.
            signal.signal(number, signal.SIG_DFL if handler is None else handler)
