"""Bounds on cells as entries of a budget file: one glob where all slices of a mode have the same."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from gate.budgets import matching
from gate.records import CellKey


@dataclass(frozen=True, slots=True)
class Bound:
    """A bound on one cell as it is written, such as `min: 0.85`, and a comment on it or an empty text."""

    key: CellKey
    bound: str
    says: str = ""


def merged(bounds: Sequence[Bound], cells: Collection[CellKey]) -> Iterator[list[str]]:
    """The lines of each entry, in the order of the bounds.

    Slices that all have the same bound are one entry with a `*`, only where that matches none of the
    `cells` but theirs: what it binds is what the single entries would.
    """
    groups: dict[str, list[Bound]] = {}
    for one in bounds:
        groups.setdefault(_over_slices(one.key), []).append(one)
    for glob, group in groups.items():
        alike = len({one.bound for one in group}) == 1
        if len(group) > 1 and alike and set(matching(glob, cells)) == {one.key for one in group}:
            says = {one.says for one in group}
            yield _entry(glob, group[0].bound, says.pop() if len(says) == 1 else "")
        else:
            yield from (_entry(str(one.key), one.bound, one.says) for one in group)


def _over_slices(key: CellKey) -> str:
    return f"{key.store}/{key.corpus}@{key.tier}/*/{key.arm}/{key.mode}/{key.fault}/{key.measure}"


def _entry(cell: str, bound: str, says: str) -> list[str]:
    return [f"  - cell: {quoted(cell)}", f"    {bound}" + (f"  # {says}" if says else "")]


def quoted(name: str) -> str:
    """A text in quotes: JSON is YAML, and reads the same."""
    return json.dumps(name, ensure_ascii=False)
