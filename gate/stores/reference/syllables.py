"""Vietnamese puts a space between syllables, and most of its words have two: neighbours are indexed and asked together.

The pairs stand beside the syllables, since nothing but a dictionary tells which are words: `không gian` (space) is
one, `không` (not) and `gian` (room) are others.
"""

from __future__ import annotations

import re

from gate.stores.reference.normal import folded
from gate.stores.reference.scripts import UNSPACED

LANGUAGE = "vi"
_SYLLABLE = rf"[^\W\d_{UNSPACED}]+"
_NEIGHBOURS = re.compile(rf"(?<![\w-])(?=({_SYLLABLE})\s+({_SYLLABLE})(?![\w-]))")


def pairs(text: str) -> list[str]:
    """Each two neighbouring syllables of a normalised text that only a space parts, case folded, with one space."""
    return [f"{folded(first)} {folded(second)}" for first, second in _NEIGHBOURS.findall(text)]
