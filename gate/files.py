"""Reading files that people write, and writing files that others rely on.

Every reader reports all that is wrong with a file at once, each with its line; every writer is
atomic, so that a file is either the old one or the new one.
"""

from __future__ import annotations

import difflib
import json
import math
import os
import stat
import tempfile
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from gate.data import data_path
from gate.errors import Problem, UsageError

Path_ = tuple[str | int, ...]

# Far beyond any file that a person keeps by hand, and read in seconds.
MAX_YAML = 1 << 20


@dataclass(frozen=True, slots=True)
class LinedData:
    """What a YAML file says, and the line on which each of its parts starts.

    `lines[("budgets", 0, "min")]` is the line, from 1, of that key. `broken` are the parts that
    are not what the schema asks for.
    """

    path: Path
    data: Any
    lines: Mapping[Path_, int]
    broken: frozenset[Path_] = frozenset()

    def line(self, *parts: str | int) -> int:
        """The line of a part, or of its nearest ancestor that has one; 0 without any."""
        return next((self.lines[parts[:end]] for end in range(len(parts), -1, -1) if parts[:end] in self.lines), 0)

    def where(self, *parts: str | int) -> str:
        """`file:line` of a part, or of its nearest ancestor that has a line."""
        line = self.line(*parts)
        return from_here(f"{self.path}:{line}" if line else str(self.path))

    def sound(self, *parts: str | int) -> bool:
        """Whether a part is there and, with all that is in it, what the schema asks for."""
        at = self.data
        for part in parts:
            try:
                at = at[part]
            except (KeyError, IndexError, TypeError):
                return False
        return not any(path[: len(parts)] == parts[: len(path)] for path in self.broken)


def read_text(path: Path, what: str, limit: int | None = None) -> str:
    """The text of a UTF-8 file, its lines ended by `\\n`. `what` names it in the error: 'settings', 'budgets'.

    Raises UsageError where it cannot be read, is no file but a pipe or a device, or is larger than `limit` bytes.
    """
    try:
        mode = path.stat().st_mode
        # Opening a pipe waits until somebody writes into it.
        if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
            said = f"the {what} file is no file, but a pipe, a socket or a device"
            raise UsageError("file-unreadable", said, where=str(path), hint="Write it into a file, and name that.")
        with path.open("rb") as file:
            raw = file.read() if limit is None else file.read(limit + 1)
    except FileNotFoundError:
        hint = "Check the path: it is taken from the folder that the command runs in, or that its file stands in."
        raise UsageError("file-missing", f"there is no {what} file here", where=str(path), hint=hint) from None
    except IsADirectoryError:
        hint = f"Name the {what} file itself."
        raise UsageError("file-unreadable", f"the {what} file is a folder", where=str(path), hint=hint) from None
    except (OSError, ValueError) as error:
        said = f"the {what} file cannot be read: {getattr(error, 'strerror', None) or error}"
        raise UsageError("file-unreadable", said, where=str(path), hint="Make it readable.") from None
    if limit is not None and len(raw) > limit:
        raise UsageError(
            "file-too-large",
            f"the {what} file is larger than {limit // 1024} KiB",
            where=str(path),
            hint="Is this the right file?",
        )
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise UsageError(
            "file-not-utf8",
            f"the {what} file is not UTF-8: byte {error.start} cannot be decoded",
            where=f"{path}:{line}",
            hint="Save it as UTF-8.",
        ) from None
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def read_yaml(
    path: Path, what: str, schema: str, check: Callable[[LinedData], Iterable[Problem]] | None = None
) -> LinedData:
    """A YAML file that holds to `schemas/<schema>.schema.json`. Raises UsageError with every problem and its line.

    `check` finds what no schema can say. It is called whatever the schema found, and looks only
    at parts that are `sound`.
    """
    from gate.yaml_source import parse

    text = read_text(path, what, MAX_YAML)
    data, lines, found = parse(text, path, what)
    lined = LinedData(path, {} if data is None else data, lines)
    told = {at for at, _ in found}
    broken = [*found, *(one for one in _violations(lined, schema) if one[0] not in told)]
    lined = replace(lined, broken=frozenset(at for at, _ in broken))
    problems = [*(problem for _, problem in broken), *(check(lined) if check is not None else ())]
    if problems:
        raise UsageError(
            f"{schema}-invalid",
            f"the {what} file cannot be used",
            where=str(path),
            problems=tuple(sorted(dict.fromkeys(problems), key=lambda problem: _line_in(path, problem))),
        )
    return lined


def _line_in(path: Path, problem: Problem) -> float:
    """The line of a problem; those of other files come last."""
    file, _, line = problem.where.rpartition(":")
    return int(line) if file == str(path) and line.isdecimal() else math.inf


@cache
def schema_of(name: str) -> Mapping[str, Any]:
    """A shipped JSON Schema, by the name of what it describes."""
    schema: Mapping[str, Any] = json.loads(data_path("schemas", f"{name}.schema.json").read_text(encoding="utf-8"))
    return schema


def violations(lined: LinedData, schema: str) -> list[Problem]:
    """Every way in which data breaks its schema, in the order of the file, in words."""
    return [problem for _, problem in _violations(lined, schema)]


def _violations(lined: LinedData, schema: str) -> list[tuple[Path_, Problem]]:
    """The same, each with the part that is broken."""
    from jsonschema import Draft202012Validator

    validator = Draft202012Validator(schema_of(schema))
    errors = sorted(validator.iter_errors(lined.data), key=lambda error: [str(part) for part in error.absolute_path])
    # Each key that is missing is an error of its own, which does not say which it is.
    found = dict.fromkeys(broken for error in errors for broken in _in_words(error, lined))
    return sorted(found, key=lambda broken: lined.line(*broken[0]))


def _in_words(error: Any, lined: LinedData) -> Iterable[tuple[Path_, Problem]]:
    """One violation in words; an unknown key gives one problem a key, with the nearest known one."""
    parts: Path_ = tuple(error.absolute_path)
    properties = error.schema.get("properties", {}) if isinstance(error.schema, Mapping) else {}
    if error.validator == "additionalProperties" and isinstance(error.instance, dict) and not error.validator_value:
        for key in error.instance:
            if key not in properties:
                at = (*parts, str(key))
                yield at, Problem(f"unknown key {_quoted(key)}", lined.where(*at), nearest(str(key), properties))
        return
    subject = _quoted(".".join(str(part) for part in parts)) if parts else "the file"
    hint = str(error.schema.get("description", "")) if isinstance(error.schema, Mapping) else ""
    at = parts
    if error.validator == "required":
        for key in error.validator_value:
            if key not in error.instance:
                described = properties.get(key)
                hint = str(described.get("description", "")) if isinstance(described, Mapping) else ""
                yield (*parts, key), Problem(f"{subject}: '{key}' is missing", lined.where(*parts), hint)
        return
    if error.validator == "type" and error.instance is None:
        what = f"{subject} is empty, and has to be {_kinds(error.validator_value)}"
        hint = f"leave the key out, or give it a value: {hint}" if hint else "leave the key out, or give it a value"
    elif error.validator == "type":
        what = f"{subject} has to be {_kinds(error.validator_value)}, not {shown(error.instance)}"
    elif error.validator == "enum":
        what = f"{subject} cannot be {shown(error.instance)}"
        hint = nearest(str(error.instance), [str(value) for value in error.validator_value])
    elif error.validator in ("minItems", "minLength"):
        what = f"{subject} is empty"
    elif error.validator == "uniqueItems":
        what, hint = f"{subject} holds an item twice", "keep one of them"
    elif error.validator in ("anyOf", "oneOf", "not", "const", "pattern") and hint:
        what = f"{subject} cannot be {shown(error.instance)}"
    else:
        what = f"{subject}: {error.message}"
    yield parts, Problem(what, lined.where(*parts), hint)


def _kinds(wanted: str | list[str]) -> str:
    words = {
        "object": "a mapping",
        "array": "a list",
        "string": "a text",
        "number": "a number",
        "integer": "a whole number",
        "boolean": "true or false",
        "null": "empty",
    }
    return " or ".join(words[kind] for kind in ([wanted] if isinstance(wanted, str) else wanted))


def _quoted(text: object, limit: int = 60) -> str:
    cut = str(text)
    return f"'{cut if len(cut) <= limit else cut[: limit - 3] + '...'}'"


def shown(value: Any, limit: int = 60) -> str:
    """A value as it may stand in an error: JSON, on one line, cut."""
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= limit else text[: limit - 3] + "..."


def nearest(word: str, known: Iterable[str]) -> str:
    """A hint with the known word most like `word`, or with all of them where none is alike. Case does not count."""
    choices = list(known)
    folded = {choice.casefold(): choice for choice in choices}
    start = word.casefold()
    alike = [name for name in folded if start.startswith(name) or name.startswith(start)]
    begun = [name for name in alike if min(len(name), len(start)) > 2]
    close = begun[:1] or difflib.get_close_matches(start, folded, n=1, cutoff=0.5)
    if close:
        return f"did you mean '{folded[close[0]]}'?"
    return f"known: {', '.join(choices)}" if choices else ""


def from_here(place: str) -> str:
    """A path, with or without a line, as people see it: from the current folder where it is in it."""
    try:
        return place.removeprefix(f"{Path.cwd()}{os.sep}")
    except OSError:
        return place


def canonical_json(data: Any) -> str:
    """JSON with sorted keys and fixed separators: equal data gives equal bytes. Raises ValueError on NaN."""
    return json.dumps(data, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)


def write_atomic(path: Path, text: str, *, durable: bool = True) -> None:
    """Writes a file through a neighbour and a rename. Raises UsageError where the folder cannot be written.

    One that is `durable` is on disk when the call returns; the others can be made again.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        # Not named after the file, whose name may be as long as names can be.
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=".gate-", suffix=".tmp")
        try:
            with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
                file.write(text)
                file.flush()
                if durable:
                    os.fsync(file.fileno())
            os.chmod(name, 0o644)
            os.replace(name, path)
        except BaseException:
            os.unlink(name)
            raise
    except OSError as error:
        raise UsageError(
            "file-unwritable",
            f"this file cannot be written: {error.strerror or error}",
            where=str(path),
            hint="Choose another folder, or make this one writable.",
        ) from None
