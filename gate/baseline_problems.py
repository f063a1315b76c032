"""What is wrong with the lines of a baseline file, each by itself and all together."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from gate.errors import Problem
from gate.files import schema_of
from gate.methodology import methodology_hash

_LARGEST_SCORE = 1e9


def line_problems(row: object, number: int, path: Path) -> Iterable[Problem]:
    """What is wrong with one line. The common case is checked by hand: a schema a line takes seconds."""
    where = f"{path}:{number}"
    kind = 0 if number == 1 else 1
    if kind == 1 and _plain_topic(row):
        return
    from jsonschema import Draft202012Validator

    schema = schema_of("baseline")
    validator = Draft202012Validator({**schema["oneOf"][kind], "$defs": schema["$defs"]})
    errors = sorted(validator.iter_errors(row), key=lambda error: [str(part) for part in error.absolute_path])
    for error in errors[:3]:
        name = ".".join(str(part) for part in error.absolute_path)
        yield Problem(f"'{name}': {error.message[:200]}" if name else error.message[:200], where)


def _plain_topic(row: object) -> bool:
    """Whether a line is a topic exactly as a baseline is written."""
    if not isinstance(row, dict) or row.keys() != {"topic", "cluster", "runs"}:
        return False
    if not (isinstance(row["topic"], str) and row["topic"] and isinstance(row["cluster"], str)):
        return False
    return isinstance(row["runs"], dict) and all(_plain_entry(entry) for entry in row["runs"].values())


def _plain_entry(entry: object) -> bool:
    if not isinstance(entry, dict) or not isinstance(entry.get("ranks"), dict):
        return False
    if any(type(rank) is not int or rank < 1 for rank in entry["ranks"].values()):
        return False
    if not entry.keys() <= {"ranks", "retrieved", "duplicates", "refused", "coverage", "repeats"}:
        return False
    if any(type(count) is not int or count < 0 for count in (entry.get("retrieved", 0), entry.get("duplicates", 0))):
        return False
    coverage = entry.get("coverage", 0.0)
    if type(coverage) not in (int, float) or not 0 <= coverage <= 1:
        return False
    if type(entry.get("refused", False)) is not bool:
        return False
    if "repeats" not in entry:
        return True
    # What is odd about repeats is for the schema to judge, which is slower and says what is wrong.
    repeats = entry["repeats"]
    return (
        isinstance(repeats, list)
        and bool(repeats)
        and all(isinstance(one, dict) and "repeats" not in one and _plain_entry(one) for one in repeats)
    )


def file_problems(rows: Sequence[Any], path: Path) -> Iterable[Problem]:
    """What no line shows by itself: a file cut short, a topic twice, a run that the header does not name."""
    header = rows[0]
    if header["methodology_hash"] != methodology_hash(header["methodology"]):
        yield Problem("the methodology and its hash do not belong together", f"{path}:1", "edited by hand?")
    if header["topics"] != len(rows) - 1:
        yield Problem(
            f"the header promises {header['topics']} topics, {len(rows) - 1} are here", f"{path}:1", "cut short?"
        )
    wild = [cell for cell, value in header["scores"].items() if not abs(value) <= _LARGEST_SCORE]
    if wild:
        yield Problem(f"the score of '{wild[0]}' is no score", f"{path}:1", "edited by hand?")
    strange = [cell for cell in header["scores"] if cell.count("/") != 6]
    if strange:
        yield Problem(f"'{strange[0]}' among the scores is not a cell", f"{path}:1", "edited by hand?")
    depth = int(header["methodology"]["depth"])
    seen: set[str] = set()
    repeats: dict[str, int] = {}
    for number, row in enumerate(rows[1:], start=2):
        where = f"{path}:{number}"
        if row["topic"] in seen:
            yield Problem(f"topic {row['topic']} stands twice", where)
        seen.add(row["topic"])
        for name, entry in row["runs"].items():
            if name not in header["runs"]:
                yield Problem(f"the run {name} is not in the header", where)
            often = len(entry.get("repeats", ()))
            if repeats.setdefault(name, often) != often:
                yield Problem(f"{name} was measured more often on other topics than on this one", where)
            for answer in (entry, *entry.get("repeats", ())):
                ranks = answer["ranks"].values()
                if answer.get("retrieved", depth) > depth:
                    yield Problem(f"{name} holds more hits than the {depth} that were asked for", where)
                if len(set(ranks)) < len(ranks) or max(ranks, default=0) > answer.get("retrieved", depth):
                    yield Problem(f"the ranks of {name} are not those of one answer", where)
