"""What a document is indexed under, worked out once a process for each text.

Stores that are filled with the same documents, one after the other, as a gate fills them, need not take every text
apart again. What comes out rests on what goes in alone, so that a store which remembers is the same as one that does
not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import lru_cache

from gate.stores.reference import stems, text
from gate.stores.reference.normal import normalised

_KEPT = 4096  # texts: some tens of MB at most


@lru_cache(maxsize=_KEPT)
def counted(indexed: str, languages: tuple[str, ...], conversion: str) -> tuple[Mapping[str, int], int]:
    """The terms of a text with how often each occurs, and its length in words. Not to be changed.

    `conversion` is what converts characters here: with another one, terms are others.
    """
    del conversion
    terms, length = text.written(indexed, languages)
    return Counter(terms), length


@lru_cache(maxsize=_KEPT)
def language_of(indexed: str) -> str:
    """The primary subtag of the language that a text's function words tell; empty for English, and where none do."""
    return stems.primary_language(text.language(normalised(indexed)))
