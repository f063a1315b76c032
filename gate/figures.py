"""Numbers as people read them. Rounding never hides a difference; what has no value is never a number."""

from __future__ import annotations

import math

from gate.measures import RUN_MEASURES

NO_VALUE = "not measured"
_MOST_DIGITS = 12


def unit_of(measure: str) -> str:
    """The unit of a measure by its name, or empty for those without: gains run from 0 to 1."""
    return RUN_MEASURES[measure].unit if measure in RUN_MEASURES else ""


def figure(value: float | None, unit: str = "") -> str:
    """One number with its unit: three decimals, fewer for large numbers of a unit.

    More decimals are shown where three would show a whole number that the value is not: 0.9997
    is `0.9997` and never `1.000`.
    """
    if value is None or not math.isfinite(value):
        return NO_VALUE if value is None else "not a number"
    return _with_digits(value, _digits(value, unit), unit)


def figures_apart(values: tuple[float | None, ...], unit: str = "") -> tuple[str, ...]:
    """Several numbers that are read against each other: with as many decimals as their differences need.

    0.8996 against 0.9 is `0.8996` against `0.9000`. Values that are no number stay as `figure` has them.
    """
    numbers = [value for value in values if value is not None and math.isfinite(value)]
    digits = max((_digits(value, unit) for value in numbers), default=0)
    while digits < _MOST_DIGITS and len({_fixed(v, digits) for v in numbers}) < len(set(numbers)):
        digits += 1
    return tuple(
        _with_digits(value, digits, unit) if value is not None and math.isfinite(value) else figure(value)
        for value in values
    )


def duration(seconds: float) -> str:
    """A time span for people: `0.4 s`, `72 s`, `12 min 5 s`."""
    if seconds < 10:
        return f"{seconds:.1f} s"
    whole = round(seconds)
    return f"{whole} s" if whole < 120 else f"{whole // 60} min {whole % 60} s"


def rank(place: int | None, missing: str = "not in the results") -> str:
    """A rank, or the words for none."""
    return missing if place is None else f"rank {place}"


def rank_change(before: int | None, after: int | None) -> str:
    """`rank 2 -> 14`, `rank 1 -> gone`, `absent -> rank 3`."""
    if before is not None and after is not None:
        return f"rank {before} -> {after}"
    return f"{rank(before, 'absent')} -> {rank(after, 'gone')}"


def count(number: int, noun: str, plural: str = "") -> str:
    """`1 check`, `2 checks`."""
    return f"{number} {noun if number == 1 else plural or noun + 's'}"


def _digits(value: float, unit: str) -> int:
    """The decimals to show: three, or about three significant digits for a unit, and more where that would lie."""
    digits = 3 if not unit else 2 if abs(value) < 10 else 1 if abs(value) < 100 else 0
    # Within 1e-12 of a whole number is the noise of a sum of floats, not a difference.
    if digits == 0 or abs(value - round(value)) < 10**-_MOST_DIGITS:
        return digits
    while digits < _MOST_DIGITS and float(_fixed(value, digits)).is_integer():
        digits += 1
    return digits


def _fixed(value: float, digits: int) -> str:
    text = f"{value:.{digits}f}"
    return text.removeprefix("-") if float(text) == 0 else text


def _with_digits(value: float, digits: int, unit: str) -> str:
    text = _fixed(value, digits)
    return f"{text} {unit}" if unit else text
