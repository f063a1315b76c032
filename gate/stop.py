"""The wish to stop, by Ctrl-C or SIGTERM.

Before anything is measured there is nothing to lose, and a wish ends what is being read where it
stands: `Interrupted` is raised. From then on it sets a flag, so that nothing is torn: whoever
takes long looks at the flag between two steps and hands back what it has. A second signal ends
the process at once.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from gate.exit_codes import ExitCode


class Interrupted(BaseException):
    """Somebody asked to stop before anything was measured. No Exception, so that nobody takes it for a fault."""

    def __init__(self, name: str) -> None:
        super().__init__(f"Stopped by {name} before anything was measured.")


class Stop:
    """Whether somebody asked to stop, and with which signal; and whether what is done by then has to be kept."""

    def __init__(self) -> None:
        self.signal = ""
        self.keeps = False

    def keep(self) -> None:
        """From here on a wish is noted and interrupts nothing. Raises Interrupted where there was one already."""
        self.keeps = True
        if self.signal:
            raise Interrupted(self.signal)

    @property
    def requested(self) -> bool:
        return bool(self.signal)


@contextmanager
def watched() -> Iterator[Stop]:
    """A `Stop` that SIGINT and SIGTERM set while the block runs. Main thread only.

    Until `keep` was called of it they raise Interrupted as well.
    """
    stop = Stop()

    def on_signal(number: int, _frame: FrameType | None) -> None:
        if stop.requested:
            os._exit(ExitCode.INTERRUPTED)
        stop.signal = signal.Signals(number).name
        if not stop.keeps:
            raise Interrupted(stop.signal)

    before = {number: signal.signal(number, on_signal) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield stop
    finally:
        for number, handler in before.items():
            # None stands for a handler that was not set from Python, and cannot be set back from it.
            signal.signal(number, signal.SIG_DFL if handler is None else handler)
