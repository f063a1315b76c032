"""Words of a question that occur nowhere: those within one slip of them that do.

A slip is a letter left out, put in, changed, or swapped with its neighbour (Damerau, "A technique for
computer detection and correction of spelling errors", CACM 1964). All words at that distance are made
and looked up, which takes no more than a word's length allows and needs no index of its own.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet

SHORTEST = 5  # letters of a word that is corrected: shorter ones have too many neighbours
LONGEST = 40
_ALPHABETS = (
    "abcdefghijklmnopqrstuvwxyz",
    "абвгдежзийклмнопрстуфхцчшщъыьэюяієїґ",
    "αβγδεζηθικλμνξοπρστυφχψως",
)


def neighbours(word: str, occurring: AbstractSet[str]) -> list[str]:
    """The words that occur within one slip of a folded `word`, in alphabetic order."""
    if not SHORTEST <= len(word) <= LONGEST or not word.isalpha():
        return []
    alphabet = next((letters for letters in _ALPHABETS if word[0] in letters), "")
    made: set[str] = set()
    for at in range(len(word) + 1):
        before, after = word[:at], word[at:]
        made.update(before + letter + after for letter in alphabet)
        if after:
            made.add(before + after[1:])
            made.update(before + letter + after[1:] for letter in alphabet)
        if len(after) > 1:
            made.add(before + after[1] + after[0] + after[2:])
    made.discard(word)
    return sorted(made & occurring)
