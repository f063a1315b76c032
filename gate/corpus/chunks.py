"""Cuts a text into overlapping pieces of whole words, as passage retrieval does.

Windows of a fixed number of words with overlap are the usual passages (for instance J. Callan,
"Passage-Level Evidence in Document Retrieval", SIGIR 1994). A word is what white space parts; in
scripts that put no spaces between words (Han, kana, bopomofo, Thai, Lao, Tibetan, Burmese, Khmer) each
character counts as one, with the marks and the punctuation that follow it.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator
from itertools import takewhile

WORDS = 300
OVERLAP = 50
CHARACTERS = 6000

# Letters that begin a word of their own: of scripts without spaces, and none that leans on the one before.
_ALONE = (
    "\u2e80-\u2fdf\u3005\u3007\u3021-\u3029\u3038-\u303b\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003fffd"
    "\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\uff66-\uff9d\U0001b000-\U0001b16f"
    "\u3105-\u312f\u31a0-\u31bf"
    "\u0e01-\u0e30\u0e32\u0e40-\u0e46\u0e81-\u0eb0\u0eb2\u0ebd\u0ec0-\u0ec6\u0edc-\u0edf\u0f40-\u0f6c\u0f88-\u0f8c"
    "\u1000-\u102a\u103f\u1050-\u1055\u105a-\u105d\u1061\u1065\u1066\u106e-\u1070\u1075-\u1081\u108e"
    "\u1780-\u17b3\u17dc"
)
# Letters that are written onto the one before: Thai and Lao am, the halfwidth voicing marks.
_LEANING = "\u0e33\u0eb3\uff9e\uff9f"
# A stacked consonant of Burmese or Khmer belongs to the one above it.
_WORD = re.compile(f"[{_ALONE}](?:[\u1039\u17d2]\\w|[{_LEANING}]|[^\\w\\s])*|[^\\s{_ALONE}]+")

_JOINER = "\u200d"
_EXTENDING = re.compile(f"[{_LEANING}\u200c\u200d\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f]")
_REGIONAL = re.compile("[\U0001f1e6-\U0001f1ff]")
_JAMO = re.compile("[\u1100-\u115f][\u1100-\u11ff\uac00-\ud7a3]|[\u1160-\u11ff\uac00-\ud7a3][\u1160-\u11ff]")


def chunks(text: str) -> list[tuple[int, int]]:
    """Where each piece of a text starts and ends, in characters.

    A piece holds at most WORDS words and CHARACTERS characters, starts and ends with a word, and
    repeats the last OVERLAP words of the piece before, or a sixth of its words where it has
    fewer than WORDS. A word of more than CHARACTERS characters is cut between graphemes (Unicode
    Standard Annex 29), and counts as many words as it gives parts. A text without words is one piece.
    """
    words = list(_words(text))
    if not words:
        return [(0, min(len(text), CHARACTERS))]
    ends = [end for _, end in words]
    found, first = [], 0
    while True:
        start = words[first][0]
        last = min(first + WORDS, bisect_right(ends, start + CHARACTERS))
        found.append((start, ends[last - 1]))
        if last == len(words):
            return found
        first = last - min(OVERLAP, (last - first) * OVERLAP // WORDS)


def _words(text: str) -> Iterator[tuple[int, int]]:
    """Start and end of each word, none longer than a piece may be."""
    for word in _WORD.finditer(text):
        start, end = word.span()
        while end - start > CHARACTERS:
            cut = _between_graphemes(text, start, start + CHARACTERS)
            yield start, cut
            start = cut
        yield start, end


def _between_graphemes(text: str, start: int, at: int) -> int:
    """The last place after `start`, up to `at`, that is inside no grapheme; `at` where there is none."""
    return next((place for place in range(at, start, -1) if not _inside_grapheme(text, start, place)), at)


def _inside_grapheme(text: str, start: int, place: int) -> bool:
    before, after = text[place - 1], text[place]
    if _REGIONAL.match(after):
        # Two make a flag, so what parts them depends on how many stand before.
        others = takewhile(_REGIONAL.match, (text[at] for at in range(place - 1, start - 1, -1)))
        return before == _JOINER or sum(1 for _ in others) % 2 == 1
    return (
        before == _JOINER
        or unicodedata.category(after).startswith("M")
        or bool(_EXTENDING.match(after) or _JAMO.match(before + after))
    )
