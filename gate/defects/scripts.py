"""Which characters are written without spaces, and what a word is elsewhere (Unicode Standard, Scripts.txt).

Ranges are bodies of regular expression classes. They are not those of the embedded store, which is what is broken.
"""

from __future__ import annotations

import re

HAN = "\u3005\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003fffd"
KANA = "\u3041-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\uff66-\uff9f"
HANGUL = "\u1100-\u11ff\u3131-\u318f\ua960-\ua97f\uac00-\ud7a3\ud7b0-\ud7fb\uffa0-\uffdc"
SOUTH_EAST = "\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ece\u1000-\u103f\u1780-\u17d3"  # Thai, Lao, Burmese, Khmer
UNSPACED = HAN + KANA + HANGUL + SOUTH_EAST
MARKS = "\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0900-\u0dff"  # what stands above or behind a letter

RUN = re.compile(f"[{UNSPACED}]+")
# Letters of scripts with spaces, with their marks.
WORD = re.compile(f"(?:[^\\W\\d_{UNSPACED}][{MARKS}]*)+")
