"""Records as plain JSON and back, by the types of their fields: a new field needs no change here.

What is read is checked against the types. Known are text, whole numbers, numbers, truth values,
None, unions of them, tuples and sets of any length, and records within records.
"""

from __future__ import annotations

import json
from dataclasses import fields, is_dataclass
from functools import cache
from types import NoneType, UnionType
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

T = TypeVar("T")


def to_json(value: object) -> str:
    """A value as JSON on one line of ASCII; tuples become lists, sets sorted lists.

    Raises TypeError for what has no place in it.
    """
    return json.dumps(value, default=_plain, separators=(",", ":"), check_circular=False)


def _plain(value: Any) -> Any:
    """What JSON does not know, as something that it does; its parts may still be unknown."""
    if isinstance(value, frozenset):
        return sorted(value)
    if is_dataclass(value):
        kind: Any = type(value)
        return {name: getattr(value, name) for name in _types(kind)}
    raise TypeError(f"a {type(value).__name__} cannot be written as plain data")


def from_plain(kind: type[T], data: object) -> T:
    """The value of type `kind` that `data`, as read from its JSON, stands for.

    Raises ValueError where it is not of that type.
    """
    value: T = _read(kind, data)
    return value


def _read(kind: Any, data: object) -> Any:
    origin = get_origin(kind)
    if origin in (Union, UnionType):
        for one in get_args(kind):
            try:
                return _read(one, data)
            except ValueError:
                continue
        raise _strange(kind, data)
    if origin in (tuple, frozenset):
        if not isinstance(data, list):
            raise _strange(kind, data)
        inner = get_args(kind)[0]
        if inner is str and {*map(type, data)} <= {str}:
            return origin(data)
        return origin(_read(inner, item) for item in data)
    if is_dataclass(kind):
        record: Any = kind
        types = _types(record)
        if not isinstance(data, dict) or data.keys() != types.keys():
            raise _strange(kind, data)
        return record(**{name: _read(types[name], data[name]) for name in types})
    if kind is float and type(data) is int:
        return float(data)
    # Exactly: True is no whole number.
    if kind in (str, int, float, bool, NoneType) and type(data) is kind:
        return data
    raise _strange(kind, data)


@cache
def _types(kind: Any) -> dict[str, Any]:
    hints = get_type_hints(kind)
    return {field.name: hints[field.name] for field in fields(kind)}


def _strange(kind: object, data: object) -> ValueError:
    return ValueError(f"{type(data).__name__} where {kind} should be")
