"""Our own output: UTF-8 wherever we run, and patient with a reader who has gone.

`gate run | head -1` closes our pipe after a line. What is written then is lost, and nothing
else: the run goes on, and its exit code is the verdict's.
"""

from __future__ import annotations

import io
import os
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer


class _Patient(io.FileIO):
    """A descriptor that takes what nobody reads, and what no disk holds."""

    def write(self, data: ReadableBuffer, /) -> int:
        try:
            return super().write(data) or 0
        except OSError:
            return memoryview(data).nbytes


def output_to(descriptor: int, *, closes: bool = False) -> TextIO:
    """A line-buffered stream to a descriptor; what cannot be encoded is shown as an escape."""
    raw = _Patient(descriptor, "w", closefd=closes)
    return io.TextIOWrapper(
        io.BufferedWriter(raw), encoding="utf-8", errors="backslashreplace", line_buffering=True, write_through=False
    )


def open_descriptors() -> None:
    """Sees to it that descriptors 0, 1 and 2 are open, if only to nothing."""
    while (descriptor := os.open(os.devnull, os.O_RDWR)) <= 2:
        continue
    os.close(descriptor)
