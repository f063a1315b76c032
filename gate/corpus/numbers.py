"""Numbers: dates, times, amounts, shares and measures, written one way in the question and another in the documents.

`1,200` and `1200`, `2026-03-05` and `5 March 2026`, `10 km` and `10km`, `2:30 pm` and `14:30`: a
person takes them for the same, and an index can where it brings them to one form. One that
drops digits, or takes `1,200` as `1` and `200`, cannot. English forms only.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from gate.corpus.entry import Entry
from gate.corpus.family import Part
from gate.corpus.rng import Rng
from gate.corpus.values import Forms, Kind, near_number, part_of_values
from gate.records import Document

_MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July"),
    *("August", "September", "October", "November", "December"),
)
_MAY = 5  # has no short form of its own
_DAYS = 28  # of any month
_YEARS = (2023, 2024, 2025, 2026)
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_ONES = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
# Hours that are hours of a working day in the morning and in the evening alike.
_HOURS = (6, 7, 8, 9, 10, 11)
_HALF_DAY = 12


class Numbers:
    """Slices whose topics ask by a number, a date or a time. Its kinds are in `KINDS`, their ranges in the data."""

    name = "numbers"

    def build(self, rng: Rng, data: Mapping[str, Any], topics: Mapping[str, int]) -> Part:
        """The judged part. Raises UsageError where the data breaks a rule of `gate.corpus.values`."""
        entry = Entry.of(self.name, data)
        kinds = {name: _kind(below) for name, below in entry.at("kinds").items()}
        return part_of_values(rng, entry, kinds, topics, rewritten=True)

    def distractor(self, rng: Rng, data: Mapping[str, Any], index: int) -> Document | None:  # noqa: ARG002
        """None: near numbers are what confuses here."""
        return None


@dataclass(frozen=True, slots=True)
class _Within:
    """Whole numbers of a range, whatever they count."""

    low: int
    high: int

    def draw(self, rng: Rng) -> int:
        return self.low + rng.below(self.high - self.low + 1)

    def near(self, rng: Rng, value: int) -> int:
        return near_number(rng, value, self.low, self.high)


@dataclass(frozen=True, slots=True)
class _Amount(_Within):
    """Thousands with and without their comma."""

    def forms(self, value: int) -> Forms:
        return {"grouped": f"{value:,}", "plain": str(value)}


@dataclass(frozen=True, slots=True)
class _Price(_Within):
    """Thousands of a currency: with its sign or its code before the amount, or its name after it."""

    sign: str
    code: str
    word: str

    def forms(self, value: int) -> Forms:
        return {"sign": f"{self.sign}{value:,}", "code": f"{self.code} {value:,}", "words": f"{value} {self.word}"}


@dataclass(frozen=True, slots=True)
class _Percentage(_Within):
    """Tenths of a percent."""

    def forms(self, value: int) -> Forms:
        amount = f"{value // 10}.{value % 10}"
        return {"sign": f"{amount}%", "words": f"{amount} percent", "british": f"{amount} per cent"}


@dataclass(frozen=True, slots=True)
class _Measure(_Within):
    """A whole number of a unit: its symbol with and without a space, or its name."""

    unit: str
    word: str

    def forms(self, value: int) -> Forms:
        return {"tight": f"{value}{self.unit}", "spaced": f"{value} {self.unit}", "words": f"{value} {self.word}"}


@dataclass(frozen=True, slots=True)
class _Rounded(_Within):
    """Steps of a large round number, in figures, with its word, or with its letter: 2,500,000, 2.5 million, 2.5M."""

    round: int
    step: int
    letter: str
    word: str

    def forms(self, value: int) -> Forms:
        amount = value * self.step
        short = f"{amount / self.round:g}"
        return {"grouped": f"{amount:,}", "words": f"{short} {self.word}", "short": f"{short}{self.letter}"}


@dataclass(frozen=True, slots=True)
class _Count:
    """Two-digit numbers of two words, and their figures."""

    def draw(self, rng: Rng) -> tuple[int, int]:
        return rng.below(len(_TENS)), rng.below(len(_ONES))

    def near(self, rng: Rng, value: tuple[int, int]) -> tuple[int, int]:
        other = self.draw(rng)
        return (value[0], other[1]) if rng.below(2) else (other[0], value[1])

    def forms(self, value: tuple[int, int]) -> Forms:
        tens, ones = value
        return {"figures": str(10 * (2 + tens) + 1 + ones), "words": f"{_TENS[tens]}-{_ONES[ones]}"}


@dataclass(frozen=True, slots=True)
class _Date:
    """A day: year, month and day in ISO 8601, or with the month's name, in full or short, British or American."""

    def draw(self, rng: Rng) -> tuple[int, int, int]:
        return rng.choice(_YEARS), _month(rng), 1 + rng.below(_DAYS)

    def near(self, rng: Rng, value: tuple[int, int, int]) -> tuple[int, int, int]:
        year, month, day = value
        changed = rng.below(4)
        if changed == 0:
            return rng.choice(_YEARS), month, day
        if changed == 1:
            return year, _month(rng), day
        return year, month, 1 + rng.below(_DAYS)

    def forms(self, value: tuple[int, int, int]) -> Forms:
        year, month, day = value
        name = _MONTHS[month - 1]
        return {
            "iso": f"{year}-{month:02}-{day:02}",
            "british": f"{day} {name} {year}",
            "american": f"{name} {day}, {year}",
            "short": f"{day} {name[:3]} {year}",
        }


@dataclass(frozen=True, slots=True)
class _Time:
    """Minutes of a day by the clock of twenty-four hours, or of twelve with and without a space. None around noon."""

    def draw(self, rng: Rng) -> tuple[int, int]:
        return rng.choice(_HOURS) + _HALF_DAY * rng.below(2), 1 + rng.below(59)

    def near(self, rng: Rng, value: tuple[int, int]) -> tuple[int, int]:
        hour, minute = value
        changed = rng.below(3)
        if changed == 0:
            return (hour + _HALF_DAY) % (2 * _HALF_DAY), minute
        if changed == 1:
            return rng.choice(_HOURS) + hour // _HALF_DAY * _HALF_DAY, minute
        return hour, near_number(rng, minute, 1, 59)

    def forms(self, value: tuple[int, int]) -> Forms:
        hour, minute = value
        half = "pm" if hour >= _HALF_DAY else "am"
        clock = f"{hour % _HALF_DAY}:{minute:02}"
        return {"clock": f"{hour:02}:{minute:02}", "spaced": f"{clock} {half}", "tight": f"{clock}{half}"}


def _month(rng: Rng) -> int:
    """A month whose short name differs from its name."""
    return rng.choice([month for month in range(1, 13) if month != _MAY])


def _range(entry: Entry) -> tuple[int, int]:
    low, high = entry.at("from").number(), entry.at("to").number()
    if low > high:
        entry.fail(f"there is no number from {low} to {high}")
    return low, high


def _texts(entry: Entry, *keys: str) -> tuple[str, ...]:
    return tuple(entry.at(key).text() for key in keys)


KINDS: Mapping[str, Callable[[Entry], Kind[Any]]] = {
    "amount": lambda entry: _Amount(*_range(entry)),
    "price": lambda entry: _Price(*_range(entry), *_texts(entry, "sign", "code", "word")),
    "percentage": lambda entry: _Percentage(*_range(entry)),
    "measure": lambda entry: _Measure(*_range(entry), *_texts(entry, "unit", "word")),
    "rounded": lambda entry: _Rounded(
        *_range(entry), entry.at("round").number(), entry.at("step").number(), *_texts(entry, "letter", "word")
    ),
    "count": lambda entry: _Count(),  # noqa: ARG005
    "date": lambda entry: _Date(),  # noqa: ARG005
    "time": lambda entry: _Time(),  # noqa: ARG005
}


def _kind(entry: Entry) -> Kind[Any]:
    name = entry.at("is").text()
    if name not in KINDS:
        entry.fail(f"there is no kind '{name}'; known: {', '.join(KINDS)}")
    return KINDS[name](entry)
