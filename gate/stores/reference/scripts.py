"""Which characters belong to which kind of script: what can be split at spaces and what cannot.

Ranges are those of the Unicode blocks (Unicode Standard, Scripts.txt), as bodies of regular
expression classes.
"""

from __future__ import annotations

import unicodedata

HAN = "\u2e80-\u2fdf\u3005\u3007\u3021-\u3029\u3038-\u303b\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003fffd"
KATAKANA = "\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff"
KANA = "\u3041-\u309f" + KATAKANA
# Korean puts spaces between phrases, but its particles cling to the noun: pairs of syllables find it under them.
HANGUL = "\u1100-\u11ff\u3131-\u318f\ua960-\ua97f\uac00-\ud7a3\ud7b0-\ud7fb"
SOUTH_EAST = "\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ece\u0edc-\u0edf\u1000-\u103f\u1050-\u109f\u1780-\u17d3"
OTHER_UNSPACED = "\u0f40-\u0fbc\u3105-\u312f\u31a0-\u31bf\ua000-\ua48c"  # Tibetan, bopomofo, Yi
PICTURES = "\u2600-\u27bf\U0001f300-\U0001faff"
UNSPACED = HAN + KANA + HANGUL + SOUTH_EAST + OTHER_UNSPACED + PICTURES

# Marks that belong to the letter before them, but are no letters to the `re` module.
MARKS = (
    "\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed"
    "\u0900-\u0963\u0970-\u0dff\u1ab0-\u1aff\u1dc0-\u1dff\u200c\u200d\u20d0-\u20ff"
)

# The Snowball algorithm that is used where nothing is known but the script (by a word's first letter).
_SCRIPT_STEMMERS = (
    ("\u0041", "\u024f", "english"),
    ("\u1e00", "\u1eff", "english"),
    ("\u0370", "\u03ff", "greek"),
    ("\u0400", "\u052f", "russian"),
    ("\u0531", "\u058f", "armenian"),
    ("\u0600", "\u06ff", "arabic"),
    ("\u0900", "\u097f", "hindi"),
    ("\u0b80", "\u0bff", "tamil"),
)
# Letters that are no base letter with a mark to Unicode, but are written without it all the same.
_PLAIN = str.maketrans({"đ": "d", "ł": "l", "ø": "o", "ħ": "h", "ı": "i", "æ": "ae", "œ": "oe", "þ": "th", "ð": "d"})
_MARKED_SCRIPTS_END = "\u0900"


def script_stemmer(word: str) -> str:
    """The name of the stemming algorithm for the script of `word`, or an empty text."""
    first = word[0]
    for low, high, algorithm in _SCRIPT_STEMMERS:
        if low <= first <= high:
            return algorithm
    return ""


def is_latin(word: str) -> bool:
    """Whether a word begins with a Latin letter."""
    return script_stemmer(word) == "english"


def without_accents(word: str) -> str:
    """`word` without accents, vowel points and the like: `café` gives `cafe`, `ё` gives `е`.

    `й` stays: stems depend on it, and nobody writes it otherwise. Scripts from Devanagari on are
    left alone: there a mark is a vowel, not an ornament. A mark without a letter stays too.
    """
    if word.isascii() or word[0] >= _MARKED_SCRIPTS_END:
        return word
    return "".join(letter if letter == "й" else _plain(letter) for letter in word.translate(_PLAIN)) or word


def _plain(letter: str) -> str:
    return "".join(part for part in unicodedata.normalize("NFD", letter) if not unicodedata.combining(part))
