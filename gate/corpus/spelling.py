"""Ways to spell one text: the same characters to a reader, other code points to a tokenizer.

Normal forms are those of Unicode Standard Annex #15, half and full width those of the block
U+FF00 to U+FFEF (Unicode Standard, chapter 18.5).
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping
from functools import partial

_HALFWIDTH = range(0xFF65, 0xFFA0)  # the dot between words, katakana, and their two sound marks
_FULLWIDTH = range(0x30A1, 0x30FD)  # katakana, the dot and the mark of a long vowel
_PRINTABLE_ASCII = range(0x21, 0x7F)
_ASCII_TO_FULLWIDTH = {code: code + 0xFEE0 for code in _PRINTABLE_ASCII} | {ord(" "): "\u3000"}


def _katakana_to_halfwidth() -> dict[int, str]:
    """Each letter in half width, a voiced one as its letter and the sound mark; the few without one are left out."""
    halves = {unicodedata.normalize("NFKC", chr(code)): chr(code) for code in _HALFWIDTH}
    apart = {code: unicodedata.normalize("NFD", chr(code)) for code in _FULLWIDTH}
    return {
        code: "".join(map(halves.__getitem__, pieces)) for code, pieces in apart.items() if halves.keys() >= {*pieces}
    }


_KATAKANA_TO_HALFWIDTH = _katakana_to_halfwidth()


def halfwidth(text: str) -> str:
    """Katakana in half width, one more code point for each sound mark; everything else as it was."""
    return text.translate(_KATAKANA_TO_HALFWIDTH)


def fullwidth(text: str) -> str:
    """Letters, digits, signs and spaces of ASCII in full width; everything else as it was."""
    return text.translate(_ASCII_TO_FULLWIDTH)


def unaccented(text: str) -> str:
    """Without combining marks, composed again. Letters that do not decompose, such as `ø` and `đ`, stay."""
    decomposed = unicodedata.normalize("NFD", text)
    return unicodedata.normalize("NFC", "".join(sign for sign in decomposed if not unicodedata.combining(sign)))


SPELLINGS: Mapping[str, Callable[[str], str]] = {
    "nfc": partial(unicodedata.normalize, "NFC"),
    "nfd": partial(unicodedata.normalize, "NFD"),
    "halfwidth": halfwidth,
    "fullwidth": fullwidth,
    "unaccented": unaccented,
}
