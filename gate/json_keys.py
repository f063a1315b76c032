"""JSON whose objects have each key once.

RFC 8259, section 4, leaves open what a key means that stands twice. Python takes the last one,
a person reads the first: of two labels or two ranks, one would be seen and the other would count.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from typing import Any

from gate.files import shown

# The parts of a valid text that tell where objects begin and end, what is a key, and on which line it stands.
_PART = re.compile(r'"(?:[^"\\]|\\.)*"(?P<key>[ \t\n\r]*:)?|[{}]', re.DOTALL)


class KeyTwice(ValueError):
    """An object in which `key` stands twice."""

    def __init__(self, key: str) -> None:
        super().__init__(f"the key {shown(key)} stands twice")
        self.key = key


def each_key_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of its pairs, for the `object_pairs_hook` of `json.loads`. Raises KeyTwice."""
    found = dict(pairs)
    if len(found) == len(pairs):
        return found
    times = Counter(key for key, _ in pairs)
    raise KeyTwice(next(key for key in found if times[key] > 1))


def line_of_key_twice(text: str, twice: str) -> int:
    """The line, from 1, on which a key stands in an object for the second time; 0 without one."""
    open_objects: list[set[str]] = []
    for part in _PART.finditer(text):
        token = part.group()
        if token == "{":
            open_objects.append(set())
        elif token == "}":
            if open_objects:
                open_objects.pop()
        elif part.group("key") and open_objects:
            key = json.loads(token.removesuffix(":"))
            if key == twice and key in open_objects[-1]:
                return text.count("\n", 0, part.start()) + 1
            open_objects[-1].add(key)
    return 0
