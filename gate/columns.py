"""The lines of TREC's files: columns that white space parts, and grades that are whole numbers.

As trec_eval reads them (Buckley, "trec_eval", README). Both readers of judgements, that of corpora and that of files
given to `gate compare`, read their lines here, so that the same file gives the same grades.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

# What a reader says of documents judged twice, with their number behind it.
JUDGED_AGAIN = "documents judged again with a different grade (the last one holds)"
_GRADE = re.compile(r"[+-]?[0-9]{1,9}")


class Row(NamedTuple):
    """A line that is not blank. `number` counts from 1; `last` marks one that no line end follows."""

    number: int
    columns: list[str]
    last: bool


def rows(text: str) -> Iterator[Row]:
    """The lines of a file, in its order. Only what C calls white space parts columns.

    Other scripts have spaces that ids may hold, such as the no-break space and the ideographic one.
    """
    lines = text.split("\n")
    for number, line in enumerate(lines, start=1):
        columns = line.split() if line.isascii() and line.isprintable() else _apart(line)
        if columns:
            yield Row(number, columns, number == len(lines))


def _apart(line: str) -> list[str]:
    # Bytes are parted as C parts them, text is not.
    return [part.decode("utf-8") for part in line.encode("utf-8").split()]


def grade_of(written: str) -> int | None:
    """A grade, with or without its sign; None where it is no whole number of nine digits or fewer."""
    return int(written) if _GRADE.fullmatch(written) else None
