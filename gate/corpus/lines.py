"""The lines of a file of documents, bounded: a file is somebody else's, and compressed ones grow a thousandfold."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from gate.errors import UsageError

# Far beyond any document that is searched: a book of a thousand pages has 2 MiB.
MOST_IN_LINE = 16 << 20
MOST_IN_FILE = 4 << 30


def bounded_lines(
    file: BinaryIO, path: Path, *, most_in_line: int = MOST_IN_LINE, most_in_file: int = MOST_IN_FILE
) -> Iterator[bytes]:
    """The lines of an open file with their ends, never more than one of them in memory.

    `most_in_line` and `most_in_file` are bytes, of a compressed file those that come out of it.
    Raises UsageError with the file and the line where one of them is passed; `path` is only for places.
    """
    read = number = 0
    # One byte more than is allowed tells a line that fills its limit from a longer one.
    while line := file.readline(most_in_line + 1):
        number += 1
        read += len(line)
        if len(line) > most_in_line:
            raise too_long("line", f"{path}:{number}", most_in_line)
        if read > most_in_file:
            raise UsageError(
                "file-too-large",
                f"this file holds more than {most_in_file >> 20:,} MiB",
                where=f"{path}:{number}",
                hint="Is this the right file? Part it in several, or keep fewer documents.",
            )
        yield line


def too_long(what: str, where: str, most: int = MOST_IN_LINE) -> UsageError:
    """The error that says that a line or a document passes its limit, in bytes."""
    return UsageError(
        f"{what}-too-long",
        f"this {what} is longer than {most >> 20:,} MiB",
        where=where,
        hint="Is this the right file? Part the text in several documents.",
    )
