"""What a report knows beside the verdict."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from gate.records import Verdict


@dataclass(frozen=True, slots=True)
class ReportContext:
    """Where the results are, how long the run took (None where nobody timed it), and the reader's screen.

    `folder` is where the run stood, as a path from the top of the repository, which annotations name files from.
    `width` is in terminal columns. `colour` allows ANSI escapes: only for a terminal.
    """

    results: str
    seconds: float | None
    width: int = 100
    colour: bool = False
    folder: str = ""


@dataclass(frozen=True, slots=True)
class Report:
    """One view of a verdict: the file it is kept in, in the results folder, and the function that writes it."""

    file_name: str
    render: Callable[[Verdict, ReportContext], str]
