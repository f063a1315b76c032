"""Progress on standard error: a bar on a terminal, a line a stage elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID


class Lines:
    """One line when a stage begins, for logs."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def stage(self, label: str, total: int | None) -> None:
        size = f" ({total} searches)" if total else ""
        self._stream.write(f"gate: {label}{size}\n")
        self._stream.flush()

    def tick(self, steps: int) -> None:
        pass


class Bar:
    """A bar that is gone when it is done."""

    def __init__(self, stream: TextIO) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

        self._bar: Progress = Progress(
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
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
