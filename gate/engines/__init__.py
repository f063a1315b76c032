"""Engines that are not ours, to show that a slice measures what it says: a good one finds, a wrong one does not.

`PAIRS` has two for each slice, `UNPAIRED` the reason for each slice without: a new slice is a line in one of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.util import find_spec

from gate.engines.engine import Engine, Pair
from gate.engines.numbers import normal_numbers
from gate.engines.tokens import (
    ascii_letters,
    between_spaces,
    characters_and_pairs,
    first_plane_only,
    folded_words,
    four_grams_of_words,
    pairs_as_written,
    pairs_of_characters,
    refusing_expressions,
    simplified_pairs,
    stems,
    trigrams_of_runs,
    trigrams_of_words,
    whole_runs,
    wholes_and_parts,
    words,
    words_as_written,
    words_that_tell,
)
from gate.records import ALL_TOPICS, Document

__all__ = ["PACKAGE", "PAIRS", "UNPAIRED", "Engine", "Pair", "installed"]

PACKAGE = "bm25s"
_BEGINNING = 300  # words


def installed(package: str) -> bool:
    """Whether a package is there to be imported."""
    return find_spec(package) is not None


def _paragraphs(document: Document) -> Sequence[str]:
    return document.text.split("\n\n")


def _beginning(document: Document) -> Sequence[str]:
    return (" ".join(document.text.split()[:_BEGINNING]),)


def _indexed(document: Document) -> Sequence[str]:
    return (document.index_text or document.text,)


_WORDS = Engine("words", words)
_UNSTEMMED = Engine("unstemmed words", words)
_PAIRS = Engine("pairs of characters", pairs_of_characters)
_SINGLES = Engine("characters and pairs", characters_and_pairs)
_FOLDED = Engine("folded words", folded_words)
_STEMS = Engine("English stems", stems("english"))
_RUNS = Engine("whole runs", whole_runs)
_JOINED = Engine("words between signs", words)
_PAIRS_AS_WRITTEN = Engine("pairs, no NFKC", pairs_as_written)
_WORDS_AS_WRITTEN = Engine("words, no NFC", words_as_written)


def _stems(language: str) -> Pair:
    return Pair(Engine(f"{language.capitalize()} stems", stems(language)), _UNSTEMMED)


PAIRS: Mapping[str, Pair] = {
    "memory": Pair(
        Engine("trigrams of words", trigrams_of_words),
        _STEMS,
        "plain words find half by design: the rest is what embedders are measured by",
    ),
    "morphology-en": _stems("english"),
    "morphology-de": _stems("german"),
    "morphology-fr": _stems("french"),
    "morphology-es": _stems("spanish"),
    "morphology-it": _stems("italian"),
    "morphology-pt": _stems("portuguese"),
    "morphology-ru": _stems("russian"),
    "morphology-tr": _stems("turkish"),
    "morphology-fi": _stems("finnish"),
    "compounds-de": Pair(Engine("4-grams of words", four_grams_of_words), Engine("German stems", stems("german"))),
    "zh-Hans": Pair(_PAIRS, _RUNS),
    "zh-Hant": Pair(_PAIRS, _RUNS),
    "ja": Pair(_PAIRS, _RUNS),
    "ja-halfwidth": Pair(_PAIRS, _PAIRS_AS_WRITTEN),
    "ko": Pair(_PAIRS, _RUNS),
    "ko-nfd": Pair(_PAIRS, _WORDS_AS_WRITTEN),
    "th": Pair(_PAIRS, _RUNS),
    "vi": Pair(_FOLDED, _WORDS_AS_WRITTEN),
    "accents": Pair(_FOLDED, Engine("unfolded words", words)),
    "width": Pair(_PAIRS, _PAIRS_AS_WRITTEN),
    "mixed": Pair(_PAIRS, _JOINED),
    "astral": Pair(_SINGLES, Engine("first plane only", first_plane_only)),
    "short": Pair(_SINGLES, Engine("trigrams of runs", trigrams_of_runs)),
    "hans-hant": Pair(Engine("pairs, converted", simplified_pairs, package="opencc"), _PAIRS),
    "homophones": Pair(_PAIRS, _RUNS),
    "identifiers": Pair(Engine("wholes and parts", wholes_and_parts), Engine("between spaces", between_spaces)),
    "numbers": Pair(Engine("numbers in one form", normal_numbers), Engine("no digits", ascii_letters)),
    "typos": Pair(Engine("trigrams of words", trigrams_of_words), _STEMS),
    "duplicates": Pair(Engine("stems, no repeats", stems("english"), distinct=True), _STEMS),
    "duplicates-known": Pair(Engine("index text, scope", stems("english"), pieces=_indexed, scoped=True), _STEMS),
    "long": Pair(
        Engine("paragraphs", words_that_tell, pieces=_paragraphs),
        Engine(f"first {_BEGINNING} words", words_that_tell, pieces=_beginning),
    ),
    "hostile": Pair(_WORDS, Engine("query parser", words, asks=refusing_expressions)),
}

_LIFECYCLE = "what is replaced, scoped, linked or deleted has to be honoured, which no tokens do"
_UNANSWERABLE = "nothing answers, so that there is no recall"

UNPAIRED: Mapping[str, str] = {
    ALL_TOPICS: "a whole corpus has no natural mistake of its own",
    "facts": "the newest value is told from older ones by time, which no tokens hold",
    "superseded": _LIFECYCLE,
    "scopes": _LIFECYCLE,
    "references": _LIFECYCLE,
    "deleted": _LIFECYCLE,
    "lifecycle": _LIFECYCLE,
    "unanswerable-known": _UNANSWERABLE,
    "unanswerable-unknown": _UNANSWERABLE,
    "unanswerable": _UNANSWERABLE,
}
