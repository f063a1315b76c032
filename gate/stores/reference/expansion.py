"""What only the index can add to a question: corrections of words that occur nowhere, and parts of compounds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from gate.stores.reference import compounds, spelling, stems
from gate.stores.reference.asked import COMPOUND, CORRECTED, Asked, Term, one_of
from gate.stores.reference.lexical import LexicalIndex


def expanded(wanted: Sequence[Asked], index: LexicalIndex, languages: tuple[str, ...]) -> list[Asked]:
    """What is asked, and where its words call for it more. `languages` are those of the documents."""
    more: list[Asked] = []
    for one in wanted:
        more.append(one)
        if not (one.word and one.content):
            continue
        built = [
            Asked(((term, COMPOUND),), content=False)
            for lang in languages
            if lang in compounds.COMPOUNDING
            for term in _parts(one.word, lang, index)
        ]
        more += built
        if not built and not any(index.occurs(term) for term, _ in one.terms):
            more[-1] = _corrected(one, index, languages)
    return more


def _parts(word: str, lang: str, index: LexicalIndex) -> list[str]:
    prefix = f"~{stems.algorithm_of(lang)}:"
    found = compounds.split(word, lambda part: stems.stem(part, lang), lambda stem: index.frequency(f"{prefix}{stem}"))
    return [f"{prefix}{stem}" for stem in found or ()]


def _corrected(one: Asked, index: LexicalIndex, languages: tuple[str, ...]) -> Asked:
    words = spelling.neighbours(one.word, index.terms())
    found = tuple(dict.fromkeys(stem for word in words for stem in stems.stem_terms(word, languages)))
    corrections: tuple[tuple[Term, float], ...] = ((one_of(found), CORRECTED),) if found else ()
    return replace(one, terms=one.terms + corrections)
