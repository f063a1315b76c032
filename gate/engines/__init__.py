"""Engines that are not ours, to show that a slice measures what it says: good ones find, a wrong one does not.

`PANELS` has two good ones and a wrong one for each slice, `WITHOUT_PANEL` the reason for each slice without: a new
slice is a line in one of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.util import find_spec

from gate.engines.engine import Engine, Panel
from gate.engines.numbers import normal_numbers, telling_numbers
from gate.engines.tokens import (
    ascii_letters,
    between_spaces,
    bigrams_and_trigrams_of_words,
    characters_and_pairs,
    dictionary_words,
    first_plane_only,
    five_grams_of_words,
    folded_words,
    four_grams_of_words,
    pairs_as_written,
    pairs_of_characters,
    pairs_of_syllables,
    refusing_expressions,
    simplified_characters,
    simplified_pairs,
    stems,
    trigrams_of_chunks,
    trigrams_of_runs,
    trigrams_of_words,
    trigrams_without_spaces,
    whole_runs,
    wholes_and_parts,
    words,
    words_as_written,
    words_that_tell,
)
from gate.records import ALL_TOPICS, Document

__all__ = ["PACKAGE", "PANELS", "WITHOUT_PANEL", "Engine", "Panel", "installed"]

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


_DICTIONARY = Engine("dictionary words", dictionary_words, package="jieba")
_TRIGRAMS = Engine("trigrams", trigrams_without_spaces)
_FOUR_GRAMS = Engine("4-grams of words", four_grams_of_words)

_WIDTH = "one text in two widths: NFKC makes them one, and nothing is left to find or miss"
_FORM = "one text in two normal forms: NFC makes them one, and nothing is left to find or miss"
_SIGNS = "signs between plain words: what is right does as if they were not there"


def _stems(language: str) -> Panel:
    # N-grams do about as well: McNamee and Mayfield, "Character N-Gram Tokenization", Information Retrieval 7, 2004.
    return Panel(Engine(f"{language.capitalize()} stems", stems(language)), _FOUR_GRAMS, _UNSTEMMED)


PANELS: Mapping[str, Panel] = {
    "memory": Panel(
        Engine("trigrams of words", trigrams_of_words),
        _FOUR_GRAMS,
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
    "compounds-de": Panel(
        _FOUR_GRAMS, Engine("5-grams of words", five_grams_of_words), Engine("German stems", stems("german"))
    ),
    "zh-Hans": Panel(_PAIRS, _DICTIONARY, _RUNS),
    "zh-Hant": Panel(_PAIRS, _DICTIONARY, _RUNS),
    "ja": Panel(_PAIRS, _SINGLES, _RUNS),
    "ja-halfwidth": Panel(_PAIRS, _TRIGRAMS, _PAIRS_AS_WRITTEN, invariant=_WIDTH),
    "ko": Panel(_PAIRS, _TRIGRAMS, _RUNS),
    "ko-nfd": Panel(_PAIRS, _TRIGRAMS, _WORDS_AS_WRITTEN, invariant=_FORM),
    "th": Panel(_PAIRS, _TRIGRAMS, _RUNS),
    "vi": Panel(_FOLDED, Engine("pairs of syllables", pairs_of_syllables), _WORDS_AS_WRITTEN),
    "accents": Panel(_FOLDED, _FOUR_GRAMS, Engine("unfolded words", words)),
    "width": Panel(_PAIRS, _DICTIONARY, _PAIRS_AS_WRITTEN, invariant=_WIDTH),
    "mixed": Panel(_PAIRS, _DICTIONARY, _JOINED),
    "astral": Panel(_SINGLES, _DICTIONARY, Engine("first plane only", first_plane_only)),
    "short": Panel(_SINGLES, _DICTIONARY, Engine("trigrams of runs", trigrams_of_runs)),
    "hans-hant": Panel(
        Engine("pairs, converted", simplified_pairs, package="opencc"),
        Engine("characters, converted", simplified_characters, package="opencc"),
        _PAIRS,
    ),
    "homophones": Panel(_PAIRS, _DICTIONARY, _RUNS),
    "identifiers": Panel(
        Engine("wholes and parts", wholes_and_parts),
        Engine("trigrams of chunks", trigrams_of_chunks),
        Engine("between spaces", between_spaces),
    ),
    "numbers": Panel(
        Engine("numbers in one form", normal_numbers),
        Engine("those, words that tell", telling_numbers),
        Engine("no digits", ascii_letters),
    ),
    "typos": Panel(
        Engine("trigrams of words", trigrams_of_words),
        Engine("bigrams and trigrams", bigrams_and_trigrams_of_words),
        _STEMS,
    ),
    "duplicates": Panel(
        Engine("stems, no repeats", stems("english"), distinct=True),
        Engine("words, no repeats", words_that_tell, distinct=True),
        _STEMS,
    ),
    "duplicates-known": Panel(
        Engine("index text, scope", stems("english"), pieces=_indexed, scoped=True),
        Engine("those, 4-grams", four_grams_of_words, pieces=_indexed, scoped=True),
        _STEMS,
    ),
    "long": Panel(
        Engine("paragraphs", words_that_tell, pieces=_paragraphs),
        Engine("whole documents", words_that_tell),
        Engine(f"first {_BEGINNING} words", words_that_tell, pieces=_beginning),
    ),
    "hostile": Panel(_WORDS, _FOUR_GRAMS, Engine("query parser", words, asks=refusing_expressions), invariant=_SIGNS),
}

_LIFECYCLE = "what is replaced, scoped, linked or deleted has to be honoured, which no tokens do"
_MEANING = "question and answer share no word: keyword engines find none of it, and none here is a model"
_UNANSWERABLE = "nothing answers, so that there is no recall"

WITHOUT_PANEL: Mapping[str, str] = {
    ALL_TOPICS: "a whole corpus has no natural mistake of its own",
    "paraphrase-en": _MEANING,
    "paraphrase-across": _MEANING,
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
