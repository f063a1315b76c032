"""What a document is indexed under, worked out once a process for each text.

Stores that are filled with the same documents, one after the other, as a gate fills them, need not take every text
apart again. What comes out rests on what goes in alone, so that a store which remembers is the same as one that does
not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from gate.stores.reference import stems, text
from gate.stores.reference.kept import Kept
from gate.stores.reference.normal import normalised

_counted: Kept[tuple[Mapping[str, int], int]] = Kept(limit=4_000_000)  # characters of texts: some tens of MB
_languages: Kept[str] = Kept(limit=4_000_000)


def counted(indexed: str, lang: str, conversion: str) -> tuple[Mapping[str, int], int]:
    """The terms of a text in a language with how often each occurs, and its length in words. Not to be changed.

    `conversion` is what converts characters here: with another one, terms are others.
    """

    def count() -> tuple[Mapping[str, int], int]:
        stemmed = stems.extra_language(lang)
        terms, length = text.written(indexed, (stemmed,) if stemmed else (), lang)
        return Counter(terms), length

    return _counted.get((indexed, lang, conversion), len(indexed), count)


def language_of(indexed: str) -> str:
    """The primary subtag of the language that a text's function words tell; empty for English, and where none do."""
    return _languages.get(indexed, len(indexed), lambda: stems.primary_language(text.language(normalised(indexed))))


def forget() -> None:
    """Keeps nothing of what was worked out before."""
    _counted.clear()
    _languages.clear()
