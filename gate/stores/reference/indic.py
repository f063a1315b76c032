"""Words of South Asian scripts, also by pairs of clusters: a letter with the vowel signs and marks behind it.

The languages written in them string suffixes together, and what their stems are is unknown or a guess: Snowball has
an algorithm for few of them, and the script alone does not tell the language. Neighbouring clusters are what two
inflections of a word share. After McNamee and Mayfield, "Character n-gram tokenization for European language text
retrieval", Information Retrieval 7, 2004; for some of these languages Dolamic and Savoy, "Comparative study of indexing
and search strategies for the Hindi, Marathi, and Bengali languages", ACM TALIP 9, 2010.
"""

from __future__ import annotations

import re

_FIRST, _LAST = "\u0900", "\u0dff"  # the blocks from Devanagari to Sinhala
_CLUSTER = re.compile(r"\w\W*|\W+")  # to the `re` module vowel signs and marks are no letters
_JOINERS = str.maketrans({"\u200c": None, "\u200d": None})  # say how letters are drawn
_START = "^"


def pairs(word: str) -> list[str]:
    """The pairs of neighbouring clusters of a folded word, each marked as such; none of a word of another script.

    Its start counts as a cluster, so that a word of one has a pair, and what stands first is told from what does not.
    """
    if not _FIRST <= word[0] <= _LAST:
        return []
    clusters = [_START, *_CLUSTER.findall(word.translate(_JOINERS))]
    return [f"~pair:{clusters[at]}{clusters[at + 1]}" for at in range(len(clusters) - 1)]
