"""Word lists that know the file they were read from, and the line on which a part of it stands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import yaml

from gate.errors import UsageError
from gate.files import from_here
from gate.yaml_source import CORE_RESOLVERS

# libyaml reads the word lists ten times faster; where PyYAML was built without it, the result is the same.
_Fast: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_AFTER_FILE = ": "


class Loader(_Fast):  # type: ignore[misc]
    """Words such as `on` and `no` stay words, as in every YAML file of ours."""

    yaml_implicit_resolvers = CORE_RESOLVERS


class WordLists(dict[str, Any]):
    """A family's data, or the part of it that has a file of its own. `path` is that file, or the folder of several."""

    __slots__ = ("path",)

    def __init__(self, data: Mapping[str, Any], path: Path) -> None:
        super().__init__(data)
        self.path = path


def place_of(data: object, otherwise: str) -> str:
    """Where data begins, for keys to be added: its file where it knows it."""
    return f"{from_here(str(data.path))}{_AFTER_FILE}" if isinstance(data, WordLists) else otherwise


def add_lines(error: UsageError) -> None:
    """Gives every place in an error, `FILE: key.key`, the line of what it names: `FILE:LINE: key.key`.

    A file is read once more for it, which costs time only where something is wrong.
    """
    error.where = _with_line(error.where)
    error.problems = tuple(replace(one, where=_with_line(one.where)) for one in error.problems)


def _with_line(where: str) -> str:
    file, after, keys = where.partition(_AFTER_FILE)
    if not after:
        return where
    if not keys:
        return file
    try:
        node = yaml.compose(Path(file).read_text(encoding="utf-8"), Loader=Loader)
    except (OSError, UnicodeDecodeError, yaml.YAMLError):
        return where
    line = _line_of(node, keys.split("."))
    return f"{file}:{line}{_AFTER_FILE}{keys}" if line else where


def _line_of(node: yaml.Node | None, keys: Sequence[str]) -> int:
    """The line of the last of these keys that is there, 0 where none is. A key may hold dots."""
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            for length in range(1, len(keys) + 1):
                if key.value == ".".join(keys[:length]):
                    return _line_of(value, keys[length:]) or int(key.start_mark.line) + 1
    elif isinstance(node, yaml.SequenceNode) and keys and keys[0].isdecimal() and int(keys[0]) < len(node.value):
        item = node.value[int(keys[0])]
        return _line_of(item, keys[1:]) or int(item.start_mark.line) + 1
    return 0
