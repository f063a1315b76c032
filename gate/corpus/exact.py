"""Identifiers: paths with lines, addresses, versions, hashes, error codes, names of settings, links.

The question has an identifier as people type it, documents as programs print it, and others a
near one: another line, another digit, another word of the name. A store that splits at
punctuation and drops digits cannot tell them apart, and one that keeps what stands between
spaces as one token finds none of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from gate.corpus.entry import Entry
from gate.corpus.family import Part
from gate.corpus.rng import Rng
from gate.corpus.template import fill, slots_of
from gate.corpus.values import Kind, near_number, part_of_values
from gate.records import Document

_ABBREVIATED = 7  # digits of a commit that `git log --oneline` shows
_ALIKE = 4  # first digits that a near hash shares: fewer than any abbreviation

Values = tuple[str, ...]


class Identifiers:
    """Slices whose topics ask by an identifier. Its kinds are patterns in the data."""

    name = "identifiers"

    def build(self, rng: Rng, data: Mapping[str, Any], topics: Mapping[str, int]) -> Part:
        """The judged part. Raises UsageError where the data breaks a rule of `gate.corpus.values`."""
        entry = Entry.of(self.name, data)
        kinds: dict[str, Kind[Any]] = {name: _pattern(below) for name, below in entry.at("kinds").items()}
        return part_of_values(rng, entry, kinds, topics, rewritten=False)

    def distractor(self, rng: Rng, data: Mapping[str, Any], index: int) -> Document | None:  # noqa: ARG002
        """None: near identifiers are what confuses here."""
        return None


class _Part(Protocol):
    """One part of an identifier."""

    def draw(self, rng: Rng) -> str: ...

    def near(self, rng: Rng, part: str) -> str: ...


@dataclass(frozen=True, slots=True)
class _Word:
    words: tuple[str, ...]

    def draw(self, rng: Rng) -> str:
        return rng.choice(self.words)

    def near(self, rng: Rng, part: str) -> str:  # noqa: ARG002
        return rng.choice(self.words)


@dataclass(frozen=True, slots=True)
class _Number:
    low: int
    high: int

    def draw(self, rng: Rng) -> str:
        return str(self.low + rng.below(self.high - self.low + 1))

    def near(self, rng: Rng, part: str) -> str:
        return str(near_number(rng, int(part), self.low, self.high))


@dataclass(frozen=True, slots=True)
class _Hash:
    digits: int

    def draw(self, rng: Rng) -> str:
        return "".join(rng.choice("0123456789abcdef") for _ in range(self.digits))

    def near(self, rng: Rng, part: str) -> str:
        return part[:_ALIKE] + self.draw(rng)[_ALIKE:]


@dataclass(frozen=True, slots=True)
class _Pattern:
    """A kind of identifier: its parts by name, those in which near ones differ, and the forms it is written in.

    A form has parts as slots; `{part|upper}`, `{part|title}` and `{part|short}` change their
    case or abbreviate a hash.
    """

    parts: Mapping[str, _Part]
    varies: tuple[str, ...]
    written: Mapping[str, str]
    where: str

    def draw(self, rng: Rng) -> Values:
        return tuple(part.draw(rng) for part in self.parts.values())

    def near(self, rng: Rng, value: Values) -> Values:
        changed = rng.choice(self.varies)
        return tuple(
            part.near(rng, held) if name == changed else held
            for (name, part), held in zip(self.parts.items(), value, strict=True)
        )

    def forms(self, value: Values) -> Mapping[str, str]:
        slots: dict[str, str] = {}
        for name, held in zip(self.parts, value, strict=True):
            slots[name] = held
            slots[f"{name}|upper"] = held.upper()
            slots[f"{name}|title"] = held.capitalize()
            slots[f"{name}|short"] = held[:_ABBREVIATED]
        return {form: fill(text, slots, self.where) for form, text in self.written.items()}


def _pattern(entry: Entry) -> _Pattern:
    parts = {name: _part(below) for name, below in entry.at("parts").items()}
    varies = entry.at("varies").texts()
    written = entry.at("forms").named_texts()
    unknown = [name for name in varies if name not in parts]
    if unknown:
        entry.fail(f"near identifiers cannot differ in '{unknown[0]}', which is no part of them")
    for form, text in written.items():
        used = {slot.partition("|")[0] for slot in slots_of(text)}
        missing = [name for name in varies if name not in used]
        if missing:
            entry.fail(f"the form '{form}' is the same for near identifiers: it lacks {{{missing[0]}}}")
    return _Pattern(parts, varies, written, entry.where)


def _part(entry: Entry) -> _Part:
    """A list of words, numbers `from` one `to` another, or `hash`, a number of hexadecimal digits."""
    if entry.has("hash"):
        return _Hash(entry.at("hash").number())
    if entry.has("from"):
        low, high = entry.at("from").number(), entry.at("to").number()
        if low > high:
            entry.fail(f"there is no number from {low} to {high}")
        return _Number(low, high)
    return _Word(entry.texts())
