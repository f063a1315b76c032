"""Accepting a part: some runs of new results laid into a baseline, the others left as they were accepted.

The part is made of whole runs, `STORE/CORPUS@TIER/ARM/MODE/FAULT`. A slice is no part: its topics
are those of `all` too, and a mean over topics of two different runs is nobody's result.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from fnmatch import fnmatchcase
from typing import Any

from gate.files import canonical_json


def runs_named(label: str, runs: Sequence[str], globs: Sequence[str]) -> list[str]:
    """The runs, MODE/FAULT, of `label`, STORE/CORPUS@TIER/ARM, that a glob means. Here `*` crosses slashes."""
    return [name for name in runs if any(fnmatchcase(f"{label}/{name}", glob) for glob in globs)]


def laid_into(old: str, new: str, chosen: Collection[str]) -> str:
    """The text of a baseline file: the `chosen` runs as `new` has them, all others as `old` does.

    Both are whole, valid baseline files of the same methodology. Who, why and on what are left
    to the stamp that accepting adds.
    """
    old_header, old_rows = _read(old)
    new_header, new_rows = _read(new)
    kept = [name for name in old_header["runs"] if name not in chosen]
    names = [name for name in dict.fromkeys((*new_header["runs"], *kept)) if name in chosen or name in kept]
    scores = {cell: value for cell, value in old_header["scores"].items() if _run(cell) in kept}
    scores |= {cell: value for cell, value in new_header["scores"].items() if _run(cell) in chosen}
    lines = []
    for topic in sorted({*old_rows, *new_rows}):
        before, after = old_rows.get(topic, {"runs": {}}), new_rows.get(topic, {"runs": {}})
        runs = {name: entry for name, entry in before["runs"].items() if name in kept}
        runs |= {name: entry for name, entry in after["runs"].items() if name in chosen}
        if runs:
            lines.append(canonical_json({**before, **after, "runs": runs}))
    header = {**new_header, "runs": names, "scores": scores, "topics": len(lines)}
    return "\n".join((canonical_json(header), *lines)) + "\n"


def _run(cell: str) -> str:
    """The run, MODE/FAULT, of a cell."""
    *_, mode, fault, _measure = cell.split("/")
    return f"{mode}/{fault}"


def _read(text: str) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
    first, *rest = text.removesuffix("\n").split("\n")
    rows = [json.loads(line) for line in rest]
    return json.loads(first), {row["topic"]: row for row in rows}
