"""A place in a family's data, which knows its own name: whatever is wrong there is said with the place.

The data comes from a YAML file that people edit; a missing list or a number where a sentence
belongs is a `UsageError` and never a traceback.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NoReturn

from gate.corpus.source import place_of
from gate.errors import UsageError


@dataclass(frozen=True, slots=True)
class Entry:
    """`data` as read from YAML, and `where` it stands: `corpora/seeded/typos.yml: templates.lost.asks`.

    A part that was read from a file of its own begins anew: `corpora/seeded/scripts/th.yml: slots`.
    """

    data: Any
    where: str

    @classmethod
    def of(cls, family: str, data: Any) -> Entry:
        """The data of a family. What was not read from a file is said to be in one of the family's name."""
        return cls(data, place_of(data, f"{family}.yml: "))

    def at(self, *keys: str) -> Entry:
        """The entry below. Raises UsageError where there is none."""
        entry = self
        for key in keys:
            if not isinstance(entry.data, Mapping) or key not in entry.data:
                entry.fail(f"'{key}' is missing")
            entry = entry._part(key, entry.data[key])
        return entry

    def has(self, key: str) -> bool:
        return isinstance(self.data, Mapping) and key in self.data

    def items(self) -> Iterator[tuple[str, Entry]]:
        """The named entries below, in the order of the file."""
        if not isinstance(self.data, Mapping) or not self.data:
            self.fail("this has to be a mapping with at least one key")
        for key, value in self.data.items():
            yield str(key), self._part(str(key), value)

    def values(self) -> Iterator[Entry]:
        """The named entries below, without their names."""
        return (entry for _, entry in self.items())

    def each(self) -> Iterator[Entry]:
        """The entries of a list, in order."""
        if not isinstance(self.data, list) or not self.data:
            self.fail("this has to be a list with at least one entry")
        for index, value in enumerate(self.data):
            yield self._part(str(index), value)

    def text(self) -> str:
        if not isinstance(self.data, str) or not self.data.strip():
            self.fail("this has to be a text")
        return self.data

    def texts(self) -> tuple[str, ...]:
        return tuple(entry.text() for entry in self.each())

    def flag(self) -> bool:
        if not isinstance(self.data, bool):
            self.fail("this has to be true or false")
        return self.data

    def number(self) -> int:
        if not isinstance(self.data, int) or isinstance(self.data, bool) or self.data < 1:
            self.fail("this has to be a whole number above 0")
        return self.data

    def names(self) -> tuple[str, ...]:
        return tuple(name for name, _ in self.items())

    def numbers(self) -> dict[str, int]:
        return {key: entry.number() for key, entry in self.items()}

    def named_texts(self) -> dict[str, str]:
        return {key: entry.text() for key, entry in self.items()}

    def lists_of_texts(self) -> dict[str, tuple[str, ...]]:
        """Word lists by name; a list with a word twice would lend it twice the weight and is refused."""
        lists = {}
        for key, entry in self.items():
            words = entry.texts()
            if len(set(words)) < len(words):
                entry.fail(f"'{next(word for word in words if words.count(word) > 1)}' stands twice")
            lists[key] = words
        return lists

    def fail(self, what: str) -> NoReturn:
        raise UsageError("recipe-invalid", what, where=self.where.removesuffix(": "))

    def _part(self, key: str, value: Any) -> Entry:
        below = f"{self.where}{key}" if self.where.endswith(" ") else f"{self.where}.{key}"
        return Entry(value, place_of(value, below))
