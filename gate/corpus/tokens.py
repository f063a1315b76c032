"""Tokens that take no side: words, and pairs of characters where a script puts no spaces between words.

Blocks and scripts are those of the Unicode Standard. Hangul has spaces, but particles cling to
its words, so that pairs serve it too.
"""

from __future__ import annotations

import re
import unicodedata

# Han with the sign that repeats it, kana, Hangul, and Thai, Lao, Myanmar and Khmer with their marks.
_UNSPACED = (
    "\u3005\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003fffd\u3041-\u309f\u30a1-\u30fa\u30fc-\u30ff"
    "\uac00-\ud7a3\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"
)
_PICTURES = "\U0001f300-\U0001faff"
_RUN = re.compile(f"([{_UNSPACED}]+)|[{_PICTURES}]|[^\\W{_UNSPACED}]+")
_ACCENTS = re.compile("[\u0300-\u036f]")


def folded(text: str) -> str:
    """One spelling for what a person reads alike: NFKC, no case, and no accents on letters of alphabets.

    Marks of other scripts stay: without them a Thai or Japanese word is another word.
    """
    decomposed = unicodedata.normalize("NFD", unicodedata.normalize("NFKC", text).casefold())
    return unicodedata.normalize("NFC", _ACCENTS.sub("", decomposed))


def runs(text: str) -> list[tuple[str, bool]]:
    """Words, pictures and unbroken runs, in order; True marks a run of a script without spaces."""
    return [(found[0], found[1] is not None) for found in _RUN.finditer(text)]


def grams(run: str, size: int) -> list[str]:
    """The `size` neighbours at every place of a run; a shorter run is one of them."""
    return [run[at : at + size] for at in range(max(1, len(run) - size + 1))]


def pairs(text: str) -> list[str]:
    """Words whole, runs of scripts without spaces as pairs of characters, in order, spelt as they are."""
    return [token for run, unspaced in runs(text) for token in (grams(run, 2) if unspaced else [run])]
