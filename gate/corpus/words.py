"""The words of texts, for the rules that families check on their own data."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

_WORD = re.compile(r"\w+")


def words_in(text: str) -> list[str]:
    """The words of one text, in order, in lower case: runs of letters and digits."""
    return _WORD.findall(text.lower())


def words_of(texts: Iterable[str]) -> frozenset[str]:
    """The distinct words of many texts, in lower case."""
    found: set[str] = set()
    for text in texts:
        found.update(words_in(text))
    return frozenset(found)


@lru_cache(maxsize=1 << 12)
def trigrams_of(text: str) -> frozenset[str]:
    """The character trigrams of a text's words, in lower case, with `#` at both ends of each word."""
    return frozenset(
        marked[start : start + 3]
        for word in words_in(text)
        for marked in (f"#{word}#",)
        for start in range(len(marked) - 2)
    )
