"""Choosing names by globs: `!glob` leaves out, and the last glob that matches a name decides.

A list that starts by leaving out starts from all names.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase


def chosen(names: Iterable[str], globs: Sequence[str]) -> list[str]:
    """The names that globs choose, in the order of the names; no globs choose none."""
    kept = []
    for name in names:
        verdict = bool(globs) and globs[0].startswith("!")
        for glob in globs:
            if fnmatchcase(name, glob.removeprefix("!")):
                verdict = not glob.startswith("!")
        if verdict:
            kept.append(name)
    return kept


def unmatched(globs: Iterable[str], names: Sequence[str]) -> list[str]:
    """The globs, without their `!`, that speak of none of the names."""
    plain = (glob.removeprefix("!") for glob in globs)
    return [glob for glob in plain if not any(fnmatchcase(name, glob) for name in names)]
