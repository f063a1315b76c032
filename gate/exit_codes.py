"""The exit codes of every command: a contract with CI, so they never change meaning."""

from __future__ import annotations

from enum import IntEnum


class ExitCode(IntEnum):
    """What a process of ours says when it ends.

    Verbs other than `run`, `compare` and `merge` use 0, 1 (found something), 2 (could not
    tell) and 3 in the same sense.
    """

    PASS = 0
    REGRESSION = 1
    NOT_MEASURED = 2
    USAGE = 3
    INTERNAL = 70
    INTERRUPTED = 130
