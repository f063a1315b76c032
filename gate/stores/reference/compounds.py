"""Compounds: words built of words, in languages that write them as one.

A long word of such a language is also indexed under its beginnings and its ends, so that a part finds
it; of a compound in a question the parts are asked that the index knows as words (the split with
the highest geometric mean of frequencies: Koehn and Knight, "Empirical methods for compound
splitting", EACL 2003). The stemmer takes off what links the parts.
"""

from __future__ import annotations

from collections.abc import Callable

from gate.stores.reference.asked import COMPOUND, COMPOUND_AT_HOME

COMPOUNDING = frozenset({"da", "de", "fi", "hu", "nb", "nl", "nn", "no", "sv"})
SHORTEST_PART = 4  # letters, of what is indexed as a part
SHORTEST_REST = 3  # letters that have to be left beside it
LONGEST = 40


def weight(home: str) -> float:
    """How much a part weighs among documents that are mostly in the language `home`, or mostly in no one."""
    return COMPOUND_AT_HOME if home in COMPOUNDING else COMPOUND


def parts(word: str) -> list[str]:
    """The beginnings and ends of a word that may be words: each with enough letters, and enough beside it."""
    longest = len(word) - SHORTEST_REST
    if longest < SHORTEST_PART or len(word) > LONGEST or not word.isalpha():
        return []
    sizes = range(SHORTEST_PART, longest + 1)
    return [*(word[:size] for size in sizes), *(word[-size:] for size in sizes)]


def split(word: str, stem: Callable[[str], str], frequency: Callable[[str], int]) -> tuple[str, str] | None:
    """The stems of the two words that a folded `word` is likeliest built of, or None.

    `frequency` says in how many documents a stem occurs as a word. Of equal splits the first counts.
    """
    if len(word) > LONGEST or not word.isalpha():
        return None
    best, highest = None, 0
    for at in range(SHORTEST_REST, len(word) - SHORTEST_REST + 1):
        left, right = stem(word[:at]), stem(word[at:])
        # Of geometric means of two, the higher one is that of the higher product.
        mean = frequency(left) * frequency(right)
        if mean > highest:
            best, highest = (left, right), mean
    return best
