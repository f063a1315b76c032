"""What only the index can add to a question: corrections of words that occur nowhere, and parts of compounds.

The parts of a compound are asked for; the two words of one that is written as one by mistake are evidence, no more.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from gate.stores.reference import compounds, spelling, stems
from gate.stores.reference.asked import CORRECTED, Asked, Term, one_of
from gate.stores.reference.lexical import LexicalIndex


def expanded(wanted: Sequence[Asked], index: LexicalIndex, languages: tuple[str, ...], home: str = "") -> list[Asked]:
    """What is asked, and where its words call for it more.

    `languages` are those of the documents, `home` the one that most of them are in.
    """
    more: list[Asked] = []
    for one in wanted:
        if not (one.word and one.content):
            more.append(one)
            continue
        split = [_parts(one.word, lang, index) for lang in languages if lang in compounds.COMPOUNDING]
        built = [Asked(((term, compounds.weight(home)),), content=False) for parts in split for term in parts]
        if built or any(index.occurs(term) for term, _ in one.terms):
            more += [replace(one, parts=next(filter(None, split), ())), *built]
        else:
            corrected = _corrected(one, index, languages)
            more.append(corrected if corrected != one else replace(one, parts=_glued(one.word, index)))
    return more


def _parts(word: str, lang: str, index: LexicalIndex) -> tuple[str, ...]:
    prefix = f"~{stems.algorithm_of(lang)}:"
    found = compounds.split(word, lambda part: stems.stem(part, lang), lambda stem: index.frequency(f"{prefix}{stem}"))
    return tuple(f"{prefix}{stem}" for stem in found or ())


def _glued(word: str, index: LexicalIndex) -> tuple[str, ...]:
    """Two words that occur and were written as one, each long enough not to be an accident."""
    ends = range(compounds.SHORTEST_PART, len(word) - compounds.SHORTEST_PART + 1)
    return next(((word[:at], word[at:]) for at in ends if index.occurs(word[:at]) and index.occurs(word[at:])), ())


def _corrected(one: Asked, index: LexicalIndex, languages: tuple[str, ...]) -> Asked:
    words = spelling.neighbours(one.word, index.terms())
    found = tuple(dict.fromkeys(stem for word in words for stem in stems.stem_terms(word, languages)))
    corrections: tuple[tuple[Term, float], ...] = ((one_of(found), CORRECTED),) if found else ()
    return replace(one, terms=one.terms + corrections)
