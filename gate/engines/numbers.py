"""Numbers of English text brought to one form: dates as in ISO 8601, times by the clock of 24 hours, figures."""

from __future__ import annotations

import re

from gate.engines.tokens import english_function_words

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = rf"({'|'.join(_MONTHS)})[a-z]*"
_UNITS = {"kilometres": "km", "kilograms": "kg", "gigabytes": "gb", "milliseconds": "ms"}
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_ONES = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine")

_DAY_FIRST = re.compile(rf"(\d+) {_MONTH} (\d{{4}})")
_MONTH_FIRST = re.compile(rf"{_MONTH} (\d+), (\d{{4}})")
_CLOCK = re.compile(r"(\d+):(\d\d) ?(am|pm)")
_ROUNDED = re.compile(r"(\d+(?:\.\d+)?) ?(k|m|thousand|million)\b")
_NUMERAL = re.compile(rf"({'|'.join(_TENS)})-({'|'.join(_ONES)})")
_TOKEN = re.compile(r"\d+(?:[.:-]\d+)*|[^\W\d]+|[%€]")


def normal_numbers(text: str) -> list[str]:
    """Words and numbers; one number is one token however it was written."""
    said = text.lower()
    said = _DAY_FIRST.sub(lambda found: _date(found[1], found[2], found[3]), said)
    said = _MONTH_FIRST.sub(lambda found: _date(found[2], found[1], found[3]), said)
    said = _CLOCK.sub(lambda found: f"{int(found[1]) % 12 + 12 * (found[3] == 'pm'):02}:{found[2]}", said)
    said = _ROUNDED.sub(_rounded, said)
    said = _NUMERAL.sub(lambda found: str(10 * (_TENS.index(found[1]) + 2) + _ONES.index(found[2]) + 1), said)
    return figures(said)


def telling_numbers(text: str) -> list[str]:
    """The same without the function words of English."""
    return [token for token in normal_numbers(text) if token not in english_function_words()]


def figures(text: str) -> list[str]:
    """Words, and numbers with their separators taken out and units set apart: the least an index should do."""
    joined = re.sub(r"(?<=\d),(?=\d{3})", "", text.lower()).replace("per cent", "%").replace("percent", "%")
    spaced = re.sub(r"(?<=\d)(?=[a-z%])", " ", joined)
    return [_UNITS.get(token, token) for token in _TOKEN.findall(spaced)]


def _date(day: str, month: str, year: str) -> str:
    return f"{year}-{_MONTHS.index(month) + 1:02}-{int(day):02}"


def _rounded(found: re.Match[str]) -> str:
    return str(round(float(found[1]) * (1000 if found[2] in ("k", "thousand") else 1_000_000)))
