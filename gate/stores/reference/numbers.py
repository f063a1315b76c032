"""Numbers, dates and times in one normal form, whatever way English and the metric system write them.

A normal form is a term as a plain writer would put it: `1200` for 1,200, `2026-03-05` (ISO 8601) for
5 March 2026, `14:30` for 2:30 pm, `24` for twenty-four, `2500000` for 2.5 million. A quantity is
also one with the symbol of its unit: `10km`, `3.5%`, `4050eur`. What can be read in two ways
(05/03/2026, 1.200) is left alone.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?"
    r"|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b\.?"
)
_SMALL = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_NUMERALS = dict(zip(_SMALL, range(20), strict=True)) | dict(zip(_TENS, range(20, 100, 10), strict=True))
_SCALES = {"k": 10**3, "thousand": 10**3, "M": 10**6, "mn": 10**6, "million": 10**6, "bn": 10**9, "billion": 10**9}
# Symbols of units (case folded), and the ways in which they are written.
_UNITS = {
    "%": "percent, per cent",
    "eur": "€, euro, euros",
    "usd": "$, dollar, dollars",
    "gbp": "£, pounds sterling",
    "jpy": "¥, yen",
    "mm": "millimetre, millimetres, millimeter, millimeters",
    "cm": "centimetre, centimetres, centimeter, centimeters",
    "m": "metre, metres, meter, meters",
    "km": "kilometre, kilometres, kilometer, kilometers",
    "mg": "milligram, milligrams",
    "g": "gram, grams",
    "kg": "kilo, kilos, kilogram, kilograms",
    "ml": "millilitre, millilitres, milliliter, milliliters",
    "l": "litre, litres, liter, liters",
    "kb": "kilobyte, kilobytes",
    "mb": "megabyte, megabytes",
    "gb": "gigabyte, gigabytes",
    "tb": "terabyte, terabytes",
    "ms": "millisecond, milliseconds",
    "s": "sec, secs, second, seconds",
    "min": "mins, minute, minutes",
    "h": "hr, hrs, hour, hours",
    "v": "volt, volts",
    "w": "watt, watts",
    "kw": "kilowatt, kilowatts",
    "hz": "hertz",
    "khz": "kilohertz",
    "mhz": "megahertz",
    "ghz": "gigahertz",
    "°c": "degrees celsius",
    "°f": "degrees fahrenheit",
}
_SYMBOLS = {name: symbol for symbol, names in _UNITS.items() for name in (symbol, *names.split(", "))}
_SIGNS = r"[€$£¥]|(?i:eur|usd|gbp|jpy)\b"


def _any_of(words: list[str]) -> str:
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))


_NUMERAL = rf"(?i:(?:{_any_of(_TENS)})(?:[- ](?:{_any_of(_SMALL[1:10])}))?|{_any_of(_SMALL)})"
_START = r"(?<![\w.,:/@#_\-])"
_END = r"(?!\w|[.,:/\-]\d|-\w)"
_NUMBER = re.compile(
    rf"{_START}(?:"
    r"(?P<iso>(?P<iso_year>\d{4})[-/](?P<iso_month>\d{1,2})[-/](?P<iso_day>\d{1,2}))"
    rf"|(?i:(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?: of)? (?P<month>{_MONTH})(?:,? (?P<year>\d{{4}}))?)"
    rf"|(?i:(?P<month_first>{_MONTH}) (?P<day_after>\d{{1,2}})(?:st|nd|rd|th)?(?:,? (?P<year_after>\d{{4}}))?)"
    r"|(?P<hour>\d{1,2})(?:[:.](?P<minute>\d\d))? ?(?P<half>(?i:[ap]\.?m\b))"
    r"|(?P<clock_hour>\d):(?P<clock_minute>[0-5]\d)(?!:)"
    rf"|(?:(?P<sign>{_SIGNS}) ?)?"
    rf"(?:(?P<figures>\d{{1,3}}(?:,\d{{3}})+(?:\.\d+)?|\d+(?:\.\d+)?)|(?P<numeral>{_NUMERAL})\b)"
    rf"(?: ?(?P<scale>{_any_of(list(_SCALES))})(?!\w))?"
    rf"(?:[ -]?(?P<unit>(?i:{_any_of(list(_SYMBOLS))}))(?!\w))?"
    rf"){_END}"
)
_MAYBE = re.compile(rf"\d|\b(?:{_any_of(list(_NUMERALS))})\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Number:
    """A number in a text, from `start` to `end`, and the normal forms that its text is not itself."""

    start: int
    end: int
    forms: tuple[str, ...]


def numbers(text: str) -> list[Number]:
    """The numbers of a normalised text (NFKC) that are not written in a normal form already, in order."""
    if not _MAYBE.search(text):
        return []
    found = []
    for match in _NUMBER.finditer(text):
        forms = tuple(form for form in _forms(match) if form != match[0])
        if forms:
            found.append(Number(match.start(), match.end(), forms))
    return found


def _forms(match: re.Match[str]) -> tuple[str, ...]:
    if match["iso"]:
        return _date(match["iso_day"], int(match["iso_month"]), match["iso_year"])
    if match["month"]:
        return _date(match["day"], _month(match["month"]), match["year"])
    if match["month_first"]:
        return _date(match["day_after"], _month(match["month_first"]), match["year_after"])
    if match["half"]:
        return _time(int(match["hour"]), match["minute"] or "00", match["half"])
    if match["clock_hour"]:
        return (f"0{match['clock_hour']}:{match['clock_minute']}",)
    return _quantity(match)


def _date(day: str, month: int, year: str | None) -> tuple[str, ...]:
    """The whole date, and the day of any year; nothing where there is no such day."""
    if not (1 <= month <= 12 and 1 <= int(day) <= 31):
        return ()
    of_any_year = f"--{month:02}-{int(day):02}"
    return (f"{year}-{month:02}-{int(day):02}", of_any_year) if year else (of_any_year,)


def _month(name: str) -> int:
    return _MONTHS.index(name[:3].lower()) + 1


def _time(hour: int, minute: str, half: str) -> tuple[str, ...]:
    if not (1 <= hour <= 12 and int(minute) < 60):
        return ()
    return (f"{hour % 12 + (12 if half[0] in 'pP' else 0):02}:{minute}",)


def _quantity(match: re.Match[str]) -> tuple[str, ...]:
    """With its unit first, where it has one; then the number alone."""
    unit = match["unit"] or match["sign"]
    if match["figures"]:
        plain = match["figures"].replace(",", "")
    else:
        plain = str(_value(_lower(match["numeral"])))
        if plain in ("0", "1") and not (unit or match["scale"]):
            return ()
    if match["scale"]:
        plain = _decimal(Decimal(plain) * _SCALES[match["scale"]])
    if not unit:
        return (plain,)
    return f"{_decimal(Decimal(plain))}{_SYMBOLS[_lower(unit)]}", plain


@lru_cache(maxsize=256)
def _value(numeral: str) -> int:
    return sum(_NUMERALS[word] for word in re.split("[- ]", numeral))


def _lower(word: str) -> str:
    # To the `re` module the dotless letter is an `i` in another case.
    return word.lower().replace("ı", "i")


def _decimal(value: Decimal) -> str:
    """In figures, without zeros that say nothing."""
    written = f"{value:f}"
    return written.rstrip("0").rstrip(".") if "." in written else written
