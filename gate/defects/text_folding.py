"""Defects of folding: two ways to write the same are taken for two texts.

The store behind may fold, so a form that would be folded away is written in a way that no store takes for another:
upper-case letters and the first letters of accented words three times, other forms in Yi syllables, which are letters
everywhere and are folded into nothing.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from typing import Literal

from gate.defects.defect import Defect
from gate.defects.rewriting import Rewritten
from gate.defects.scripts import MARKS, WORD

_YI, _YI_SYLLABLES = 0xA000, 1165
# A character with its marks, or a run of Hangul letters that make up syllables.
_CLUSTER = re.compile(f"[\u1100-\u11ff]+|[^\x00-\x7f\u1100-\u11ff][{MARKS}\u3099\u309a]*|[A-Za-z][{MARKS}]+")
_WIDE_OR_HALF = re.compile("[\uff10-\uffdc]")
_NO_MARKED_SCRIPTS = "\u0900"  # from here on a mark is a vowel, not an ornament
_SHORT_I = frozenset("йЙ")  # a letter of its own, never folded


class _NoNfkc(Rewritten):
    """A character that NFKC would replace stays another one: widths, ligatures, circled digits, composed and not."""

    def of_document(self, text: str) -> str:
        return text if text.isascii() else _CLUSTER.sub(_unlike("NFKC"), text)

    of_query = of_document


class _NfdOneSide(Rewritten):
    """Documents are taken apart (NFD), queries are not: what has parts is never the same again."""

    def of_document(self, text: str) -> str:
        return text if text.isascii() else _CLUSTER.sub(_unlike("NFD"), text)


class _NoWidthFolding(Rewritten):
    """Full-width letters and half-width kana are other characters than the plain ones."""

    def of_document(self, text: str) -> str:
        return text if text.isascii() else _WIDE_OR_HALF.sub(_unlike("NFKC"), text)

    of_query = of_document


class _NoCaseFolding(Rewritten):
    """A word with upper-case letters is another one than without."""

    def of_document(self, text: str) -> str:
        return text if text.islower() else WORD.sub(_with_case, text)

    of_query = of_document


class _NoAccentFolding(Rewritten):
    """A word with accents is another one than without."""

    def of_document(self, text: str) -> str:
        return text if text.isascii() else WORD.sub(_with_accents, text)

    of_query = of_document


def _unlike(form: Literal["NFD", "NFKC"]) -> Callable[[re.Match[str]], str]:
    """Writes what a normal form would change in Yi syllables; signs and spaces stay."""

    def written(match: re.Match[str]) -> str:
        cluster = match[0]
        normal = unicodedata.normalize(form, cluster)
        if normal == cluster or not any(character.isalnum() for character in normal):
            return cluster
        return "".join(chr(_YI + ord(character) % _YI_SYLLABLES) for character in cluster)

    return written


def _with_case(match: re.Match[str]) -> str:
    """Each upper-case letter three times, so that lower case is not the same; a capital stays where a part begins."""
    word = match[0]
    if word.islower():
        return word
    return "".join(_three_times(word, at) if letter.isupper() else letter for at, letter in enumerate(word))


def _three_times(word: str, at: int) -> str:
    small = word[at].lower()
    begins = at == 0 or not word[at - 1].isupper() or word[at + 1 : at + 2].islower()
    return (word[at] if begins else small) + small * 2


def _with_accents(match: re.Match[str]) -> str:
    """The first letter three times where any has an accent. The end stays, so that the store stems as before."""
    word = match[0]
    if not any(_accented(letter) for letter in word):
        return word
    return word[0] + word[0].lower() * 2 + word[1:]


def _accented(letter: str) -> bool:
    if letter.isascii() or letter in _SHORT_I or letter >= _NO_MARKED_SCRIPTS:
        # Latin has letters with marks beyond the scripts that have none.
        return "\u1e00" <= letter <= "\u1fff" and len(unicodedata.normalize("NFD", letter)) > 1
    return bool(unicodedata.combining(letter)) or len(unicodedata.normalize("NFD", letter)) > 1


FOLDING_DEFECTS = (
    Defect(
        "no-nfkc",
        "text",
        "text that is indexed as it came, without a normal form: the same letters in two encodings do not meet",
        _NoNfkc,
    ),
    Defect(
        "no-case-folding",
        "text",
        "words compared byte by byte: a capital at the start of a sentence makes another word",
        _NoCaseFolding,
    ),
    Defect(
        "no-accent-folding",
        "text",
        "accents that are not folded: who types without them finds nothing that was written with them",
        _NoAccentFolding,
    ),
    Defect(
        "no-width-folding",
        "text",
        "full-width letters and half-width kana that are not folded: East Asian keyboards and old systems write them",
        _NoWidthFolding,
    ),
    Defect(
        "nfd-one-side",
        "text",
        "documents that come decomposed, as from file names on a Mac, with queries that do not",
        _NfdOneSide,
    ),
)
