"""Progress on standard error, with the time that is left: a bar on a terminal, lines elsewhere."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TextIO

from gate.figures import duration
from gate.stopwatch import now

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

SECONDS_BETWEEN = 30.0  # lines that say how far a stage is


class Lines:
    """For logs: one line when a stage begins, and one each half minute that it goes on."""

    def __init__(self, stream: TextIO, clock: Callable[[], float] = now) -> None:
        self._stream, self._clock = stream, clock
        self._label, self._total, self._done = "", 0, 0
        self._began = self._said = clock()

    def stage(self, label: str, total: int | None) -> None:
        self._label, self._total, self._done = label, total or 0, 0
        self._began = self._said = self._clock()
        self._write(f"{label} ({total} searches)" if total else label)

    def tick(self, steps: int) -> None:
        self._done += steps
        at = self._clock()
        if self._total and 0 < self._done < self._total and at - self._said >= SECONDS_BETWEEN:
            self._said = at
            left = (at - self._began) / self._done * (self._total - self._done)
            self._write(f"{self._label}: {self._done} of {self._total}, about {duration(left)} left")

    def _write(self, line: str) -> None:
        self._stream.write(f"gate: {line}\n")
        self._stream.flush()


class Bar:
    """A bar that is gone when it is done."""

    def __init__(self, stream: TextIO) -> None:
        from rich.console import Console
        from rich.progress import (
            BarColumn,
            MofNCompleteColumn,
            Progress,
            TextColumn,
            TimeElapsedColumn,
            TimeRemainingColumn,
        )

        self._bar: Progress = Progress(
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TextColumn("left"),
            TimeRemainingColumn(),
            console=Console(file=stream, force_terminal=True),
            transient=True,
        )
        self._task: TaskID | None = None
        self._bar.start()

    def stage(self, label: str, total: int | None) -> None:
        if self._task is not None:
            self._bar.remove_task(self._task)
        self._task = self._bar.add_task(label, total=total)

    def tick(self, steps: int) -> None:
        if self._task is not None:
            self._bar.advance(self._task, steps)

    def close(self) -> None:
        self._bar.stop()
