"""One thing that a question asks for, and how much each kind of evidence for it weighs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

# A term, or several that stand for one: a document that holds any of them holds it.
Term = str | tuple[str, ...]

# Weights of what a question asks for. A stem carries the word; the exact form decides between two
# inflections; a pair of characters across a word boundary is a weak sign; a part of a compound, or a
# word within one slip of what was asked, is a guess.
STEM, EXACT, WHOLE, STRADDLING, CHARACTER, COMPOUND, CORRECTED = 1.0, 0.3, 1.0, 0.3, 0.5, 0.8, 0.8
# A stem by an algorithm that only the script of a word tells, beside pairs of clusters.
GUESSED = 0.5
# A part of a compound where most documents are in a language that writes them: nearly all hold some.
COMPOUND_AT_HOME = 0.4
# A function word of the language that most documents are in: how common it is says what it is worth. Among documents
# of other languages it is rare, and worth less than it looks.
FUNCTION = 0.6
# A character of a script without spaces, beside the pairs that hold it: another word may be written with it.
SINGLE = 0.2
# What each further pair of a word of a script without spaces weighs, beside the first: more pairs are no more words.
FURTHER = 0.4
# Two neighbouring syllables of a language that puts spaces between those: they may be a word, or of two.
SYLLABLES = 0.5
# The share of a word's weight that needs its accents, in a language where they are tones.
ACCENTED = 0.7


@dataclass(frozen=True, slots=True)
class Asked:
    """One thing that a question asks for: terms with their weights.

    `content` is False for function words and for terms that only lend weight to others; such
    do not count when it is judged how much of a question an answer covers, and nor does what is
    marked as `asking`: it finds documents, but an answer need not hold it. `word` is the folded
    word that the terms were made from, where there is one. `named` is True for what is written as
    a name or an identifier is. A document that holds all of `parts` holds what is asked, too; one
    that holds what is in `lent` is likelier to, no more.
    """

    terms: tuple[tuple[Term, float], ...]
    content: bool = True
    word: str = ""
    asking: bool = False
    named: bool = False
    parts: tuple[str, ...] = ()
    lent: tuple[tuple[Term, float], ...] = ()


def per_pair(size: int) -> float:
    """How much each pair of a word of `size` characters, two or more, weighs: one as a word, more as `FURTHER` each."""
    return (1.0 + FURTHER * (size - 2)) / (size - 1)


def weights_of(wanted: Iterable[Asked]) -> dict[Term, float]:
    """How much each term weighs in all that is asked."""
    weights: dict[Term, float] = {}
    for one in wanted:
        for term, weight in one.terms + one.lent:
            weights[term] = weights.get(term, 0.0) + weight
    return weights


def one_of(terms: tuple[str, ...]) -> Term:
    """Several terms as one; a single one stays what it is."""
    return terms[0] if len(terms) == 1 else terms
