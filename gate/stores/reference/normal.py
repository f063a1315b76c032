"""One form for texts and words that differ only in how they are encoded or cased."""

from __future__ import annotations

import unicodedata

_CLEANED = str.maketrans({"\u2019": "'", "\u02bc": "'", "\u00ad": None, "\u200b": None, "\ufeff": None})


def normalised(text: str) -> str:
    """NFKC, one kind of apostrophe, no invisible characters. Case is kept: camelCase needs it."""
    if text.isascii():
        return text
    return unicodedata.normalize("NFKC", text).translate(_CLEANED)


def folded(word: str) -> str:
    """Case folded, and normalised again, since folding can take letters apart."""
    if word.isascii():
        return word.lower()
    return unicodedata.normalize("NFKC", word.casefold())
