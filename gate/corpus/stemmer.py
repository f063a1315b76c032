"""Snowball stemmers (Porter, "Snowball: a language for stemming algorithms", 2001), for rules on word forms."""

from __future__ import annotations

from collections.abc import Callable

from gate.errors import UsageError


def stemmer(algorithm: str, where: str) -> Callable[[str], str]:
    """A function from a word, in any case, to its stem. Raises UsageError where there is no such algorithm."""
    import Stemmer

    try:
        stem = Stemmer.Stemmer(algorithm).stemWord
    except KeyError:
        raise UsageError(
            "recipe-stemmer-unknown",
            f"there is no Snowball stemmer '{algorithm}'",
            where=where,
            hint=f"Known: {', '.join(Stemmer.algorithms())}.",
        ) from None
    return lambda word: str(stem(word.lower()))
