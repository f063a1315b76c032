"""How far a download is, on standard error: a bar on a terminal, a line now and then elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING, TextIO

from gate.report.escape import visible
from gate.stopwatch import now

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

EVERY = 10.0  # seconds between two lines


class DownloadLines:
    """One line when a file begins, and one every ten seconds with the time that is left."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._name, self._size, self._got = "", 0, 0
        self._began = self._said = 0.0

    def begin(self, name: str, size: int | None) -> None:
        self._name, self._size, self._got = visible(name), size or 0, 0
        self._began = self._said = now()
        self._say(f"{self._name} ({megabytes(size)})" if size else self._name)

    def more(self, size: int) -> None:
        self._got += size
        at = now()
        if at - self._said >= EVERY:
            self._said = at
            self._say(f"{self._name}: {told(self._got, self._size, at - self._began)}")

    def wait(self, what: str) -> None:
        self._say(f"waiting for {visible(what)}")

    def close(self) -> None:
        pass

    def _say(self, text: str) -> None:
        self._stream.write(f"gate: {text}\n")
        self._stream.flush()


class DownloadBar:
    """A bar with the speed and the time that is left, gone when it is done."""

    def __init__(self, stream: TextIO) -> None:
        from rich.console import Console
        from rich.progress import (
            BarColumn,
            DownloadColumn,
            Progress,
            TextColumn,
            TimeRemainingColumn,
            TransferSpeedColumn,
        )

        self._bar: Progress = Progress(
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            DownloadColumn(),
            TransferSpeedColumn(),
            TimeRemainingColumn(),
            console=Console(file=stream, force_terminal=True),
            transient=True,
        )
        self._task: TaskID | None = None
        self._bar.start()

    def begin(self, name: str, size: int | None) -> None:
        if self._task is not None:
            self._bar.remove_task(self._task)
        self._task = self._bar.add_task(visible(name), total=size)

    def more(self, size: int) -> None:
        if self._task is not None:
            self._bar.advance(self._task, size)

    def wait(self, what: str) -> None:
        self._bar.console.print(f"waiting for {visible(what)}", markup=False)

    def close(self) -> None:
        self._bar.stop()


class NoDownload:
    """Shows nothing."""

    def begin(self, name: str, size: int | None) -> None:
        pass

    def more(self, size: int) -> None:
        pass

    def wait(self, what: str) -> None:
        pass

    def close(self) -> None:
        pass


def megabytes(size: int) -> str:
    """A number of bytes as people read it."""
    return f"{size / 1e6:,.1f} MB"


def told(got: int, size: int, seconds: float) -> str:
    """How much is here, and about how long the rest takes at the speed so far; `size` 0 where nobody knows."""
    if not size:
        return f"{megabytes(got)} so far"
    left = (size - got) * seconds / got if got else 0.0
    return f"{got / size:.0%} of {megabytes(size)}, about {left:,.0f} s left"
