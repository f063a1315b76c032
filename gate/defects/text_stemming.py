"""Defects of stemming. What should not be stemmed gets an ending that no stemmer takes off, in any language."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from gate.defects.defect import Defect
from gate.defects.rewriting import Rewritten
from gate.defects.scripts import WORD

ENDING = "qx"
SHORTEST = 4  # letters: shorter words have no endings to lose
STEM = 4  # letters that are left of a word that is stemmed too much


class _Unstemmed(Rewritten):
    """Words match as they are written only."""

    def of_document(self, text: str) -> str:
        return WORD.sub(_whole, text)

    of_query = of_document


class _StemmedOneSide(Rewritten):
    """Queries are stemmed, documents are not: only words that are their own stem are found."""

    def of_document(self, text: str) -> str:
        return WORD.sub(_whole, text)

    def of_query(self, text: str) -> str:
        return WORD.sub(_stem, text)


class _OverStemmed(Rewritten):
    """All words that begin with the same four letters are one."""

    def of_document(self, text: str) -> str:
        return WORD.sub(lambda match: match[0][:STEM], text)

    of_query = of_document


def _whole(match: re.Match[str]) -> str:
    word = match[0]
    return word if len(word) < SHORTEST else word + ENDING


def _stem(match: re.Match[str]) -> str:
    word = match[0]
    return word if len(word) < SHORTEST else str(_english().stemWord(word)) + ENDING


@cache
def _english() -> Any:
    """The Snowball stemmer of English (Porter, "Snowball: a language for stemming algorithms", 2001)."""
    import Stemmer

    return Stemmer.Stemmer("english")


STEMMING_DEFECTS = (
    Defect(
        "unstemmed",
        "text",
        "an analyzer without a stemmer: inflected forms of a word do not find each other",
        _Unstemmed,
    ),
    Defect(
        "stemmed-one-side",
        "text",
        "an analyzer that is set for searching and not for indexing: stems are looked for among whole words",
        _StemmedOneSide,
    ),
    Defect(
        "over-stemmed",
        "text",
        "a stemmer that cuts too much, or a prefix index taken for words: unlike words become one",
        _OverStemmed,
    ),
)
