"""YAML text to plain data, with the line of every part: the core schema of YAML 1.2, and nothing that can do harm.

In the core schema (YAML 1.2.2, section 10.3) `off` and `no` are texts and `010` is ten; PyYAML
alone follows YAML 1.1. Dates stay texts too: whoever wants a day checks it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar

import yaml

from gate.errors import Problem, UsageError

Path_ = tuple[str | int, ...]

MAX_DEPTH = 32
# Aliases can make a short text long: "billion laughs" doubles with every line.
MAX_PARTS = 100_000
# Beyond it floats, and JSON readers that use them, no longer tell whole numbers apart.
MAX_DIGITS = 15

_TAG = "tag:yaml.org,2002:"
_UNWRITABLE = re.compile("[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff]")


def _error(said: str, at: Any) -> yaml.MarkedYAMLError:
    return yaml.MarkedYAMLError(problem=said, problem_mark=at.start_mark)


def _unknown_tag(_: yaml.SafeLoader, node: yaml.Node) -> Any:
    raise _error(f"the tag '{node.tag.replace(_TAG, '!!')}' is not for files like this one", node)


class _Loader(yaml.SafeLoader):
    """Knows the tags of the core schema alone, and stops at a depth that no file of ours needs."""

    yaml_implicit_resolvers: dict[str, Any] = {}  # noqa: RUF012 - as PyYAML declares it
    yaml_constructors: ClassVar[dict[str | None, Any]] = {
        f"{_TAG}str": yaml.SafeLoader.construct_yaml_str,
        f"{_TAG}seq": yaml.SafeLoader.construct_yaml_seq,
        f"{_TAG}map": yaml.SafeLoader.construct_yaml_map,
        None: _unknown_tag,
    }
    _depth = 0

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise _error(f"nested more than {MAX_DEPTH} levels deep", self.peek_event())  # type: ignore[no-untyped-call]
        node = super().compose_node(parent, index)
        self._depth -= 1
        return node


def _float(text: str) -> float:
    return float(text.lower().replace(".inf", "inf").replace(".nan", "nan"))


def _int(text: str) -> int | float:
    # One that is too long is refused by the walk; as a float it cannot take long to get there.
    return int(text) if len(text) <= MAX_DIGITS + 1 else _float(text)


# A kind of scalar: what it looks like, its first characters, and how to read it.
_SCALARS: tuple[tuple[str, str, str, Callable[[str], Any]], ...] = (
    ("null", r"~|null|Null|NULL|", "~nN", lambda text: None),  # noqa: ARG005
    ("bool", r"true|True|TRUE|false|False|FALSE", "tTfF", lambda text: text.lower() == "true"),
    ("int", r"[-+]?[0-9]+", "-+0123456789", _int),
    (
        "float",
        r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?|[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)",
        "-+.0123456789",
        _float,
    ),
)


def _constructor(
    kind: str, pattern: re.Pattern[str], read: Callable[[str], Any]
) -> Callable[[_Loader, yaml.Node], Any]:
    def construct(loader: _Loader, node: yaml.Node) -> Any:
        text = loader.construct_scalar(node)  # type: ignore[arg-type]
        if not pattern.match(str(text)):
            raise _error(f"'{text}' is no {kind}", node)
        return read(str(text))

    return construct


for _kind, _looks, _first, _read in _SCALARS:
    _pattern = re.compile(rf"(?:{_looks})\Z")
    _Loader.add_implicit_resolver(f"{_TAG}{_kind}", _pattern, ["", *_first] if _kind == "null" else list(_first))
    _Loader.yaml_constructors[f"{_TAG}{_kind}"] = _constructor(_kind, _pattern, _read)

# For a reader of its own that is to see the same scalars.
CORE_RESOLVERS: dict[str, Any] = _Loader.yaml_implicit_resolvers


def parse(text: str, path: Path, what: str) -> tuple[Any, dict[Path_, int], list[tuple[Path_, Problem]]]:
    """The data (None for an empty text), the line from 1 of every part, and each part with something wrong.

    `lines[("budgets", 0, "min")]` is the line of that key. Wrong are keys that stand twice or
    are no texts, numbers that are not finite or too long, and characters that no file can hold.
    Raises UsageError where the text is not YAML, is nested too deeply, or is made huge by aliases.
    """
    try:
        loader = _Loader(text)
        node = loader.get_single_node()
        outline = _Outline(path)
        if node is None:
            return None, outline.lines, []
        outline.lines[()] = node.start_mark.line + 1
        outline.walk(node, ())
        return loader.construct_document(node), outline.lines, outline.problems
    except yaml.YAMLError as error:
        raise _refused(error, text, path, what) from None


def _refused(error: yaml.YAMLError, text: str, path: Path, what: str) -> UsageError:
    hint = "Look at this line and at the one before it."
    if isinstance(error, yaml.MarkedYAMLError):
        mark = error.problem_mark or error.context_mark
        line = mark.line if mark is not None else 0
        said = ": ".join(part for part in (error.context, error.problem) if part)
        lines = text.split("\n")
        if line < len(lines) and lines[line].lstrip(" ").startswith("\t"):
            hint = "Indent with spaces: YAML allows no tabs there."
        elif "alias" in said or "anchor" in said:
            hint = "Write the values out, or put a text that starts with * or & in quotes."
    elif isinstance(error, yaml.reader.ReaderError):
        line = text.count("\n", 0, error.position)
        said = f"the character U+{int(error.character):04X} may not stand in YAML"
        hint = "Take it out, or save the file as UTF-8."
    else:
        line, said = 0, str(error)
    return UsageError(
        "yaml-syntax", f"the {what} file is not valid YAML: {said}", where=f"{path}:{line + 1}", hint=hint
    )


class _Outline:
    """A walk over a document, aliases followed, before anything is made of it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.lines: dict[Path_, int] = {(): 1}
        self.problems: list[tuple[Path_, Problem]] = []
        self._parts = 0

    def walk(self, node: yaml.Node, at: Path_) -> None:
        """Notes the lines under one node. Raises YAMLError where aliases make it too deep or too long."""
        self._parts += 1
        if len(at) > MAX_DEPTH:
            raise _error("an alias contains itself, or aliases nest too deeply", node)
        if self._parts > MAX_PARTS:
            raise _error(f"aliases make more than {MAX_PARTS} parts of it", node)
        if isinstance(node, yaml.MappingNode):
            seen: set[str] = set()
            for key_node, value_node in node.value:
                key = self._key(key_node, seen, at)
                self.lines[(*at, key)] = key_node.start_mark.line + 1
                self.walk(value_node, (*at, key))
        elif isinstance(node, yaml.SequenceNode):
            for index, item in enumerate(node.value):
                self.lines[(*at, index)] = item.start_mark.line + 1
                self.walk(item, (*at, index))
        else:
            self._scalar(node, str(node.value), at)

    def _key(self, node: yaml.Node, seen: set[str], at: Path_) -> str:
        if not isinstance(node, yaml.ScalarNode):
            raise _error("a key has to be a text", node)
        key = str(node.value)
        if node.tag != f"{_TAG}str":
            self._problem((*at, key), node, f"the key '{key[:60]}' is not a text", "put it in quotes")
        if key in seen:
            self._problem((*at, key), node, f"the key '{key[:60]}' stands twice", "keep one of them")
        seen.add(key)
        return key

    def _scalar(self, node: yaml.Node, text: str, at: Path_) -> None:
        number = node.tag in (f"{_TAG}int", f"{_TAG}float")
        if number and node.tag == f"{_TAG}int" and len(text.lstrip("+-")) > MAX_DIGITS:
            self._problem(at, node, f"a number of {len(text)} digits is too large", f"at most {MAX_DIGITS} digits")
        elif number and not _is_finite(text):
            self._problem(
                at, node, f"{text[:60]} is no number that anything can be compared with", "write a finite number"
            )
        elif found := _UNWRITABLE.search(text):
            self._problem(at, node, f"the text holds the character U+{ord(found[0]):04X}", "take it out")

    def _problem(self, at: Path_, node: yaml.Node, said: str, hint: str) -> None:
        self.problems.append((at, Problem(said, f"{self.path}:{node.start_mark.line + 1}", hint)))


def _is_finite(text: str) -> bool:
    try:
        return math.isfinite(_float(text))
    except ValueError:
        return True  # not a number at all: its constructor says so
