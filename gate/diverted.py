"""What a store prints goes to a log, at descriptor level, and never into our output.

Libraries in C, child processes and left-over threads write to descriptors 1 and 2, not to
`sys.stdout`. So the descriptors themselves are pointed at the log, and our own output goes to
copies of what they were.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import TextIO

from gate.streams import output_to


@contextmanager
def diverted(log: Path) -> Iterator[tuple[TextIO, TextIO]]:
    """While the block runs, descriptors 1 and 2 lead to `log`; yields streams to what they were.

    The descriptors come back whatever happens in the block, a reader of ours that went away
    included. Raises OSError where the log cannot be opened.
    """
    _flush()
    with ExitStack() as undo:
        target = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
        undo.callback(os.close, target)
        streams = []
        for descriptor in (1, 2):
            kept = os.dup(descriptor)
            stream = output_to(kept, closes=True)
            undo.callback(stream.close)
            undo.callback(os.dup2, kept, descriptor)
            os.dup2(target, descriptor)
            streams.append(stream)
        undo.callback(_flush)
        yield streams[0], streams[1]


def _flush() -> None:
    """What is buffered goes where the descriptors lead now; a stream that cannot take it loses it."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
