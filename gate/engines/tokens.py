"""The tokens of engines that are not ours: good ones for each kind of text, and the mistakes that are made with it."""

from __future__ import annotations

import re
import unicodedata
import warnings
from collections.abc import Callable
from functools import cache
from itertools import pairwise
from typing import Any

from gate.corpus.tokens import folded, grams, pairs, runs

Tokens = Callable[[str], list[str]]

_WORD = re.compile(r"\w+")
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
# What Lucene's classic query parser gives a meaning to, and control characters.
_EXPRESSION = re.compile(r'[+\-!(){}\[\]^"~*?:\\/\x00-\x1f\x7f]|&&|\|\||\b(?:AND|OR|NOT|TO)\b')


def normal(text: str) -> str:
    """NFKC (Unicode Standard Annex #15), in lower case."""
    return unicodedata.normalize("NFKC", text).lower()


def words(text: str) -> list[str]:
    return _WORD.findall(normal(text))


def words_as_written(text: str) -> list[str]:
    """Without a normal form."""
    return _WORD.findall(text.lower())


def folded_words(text: str) -> list[str]:
    return _WORD.findall(folded(text))


def words_that_tell(text: str) -> list[str]:
    """Without the function words of English."""
    return [word for word in words(text) if word not in english_function_words()]


def english_function_words() -> frozenset[str]:
    return _function_words("english")


@cache
def stems(language: str) -> Tokens:
    """Snowball's stems (PyStemmer) of the words of a language, but for its function words."""

    def tokens(text: str) -> list[str]:
        small = _function_words(language)
        listed = [word for word in words(text) if word not in small]
        return [str(stem) for stem in _stemmer(language).stemWords(listed)]

    return tokens


def pairs_of_characters(text: str) -> list[str]:
    """Words, and pairs of characters in scripts without spaces."""
    return pairs(normal(text))


def pairs_as_written(text: str) -> list[str]:
    """The same without a normal form."""
    return pairs(text.lower())


def characters_and_pairs(text: str) -> list[str]:
    found = pairs_of_characters(text)
    for run, unspaced in runs(normal(text)):
        # A run of one character is its own pair already.
        if unspaced and len(run) > 1:
            found += run
    return found


def dictionary_words(text: str) -> list[str]:
    """Words, and in scripts without spaces what jieba's Chinese dictionary takes for words, long and short."""
    segmenter = _segmenter()
    return [
        token
        for run, unspaced in runs(normal(text))
        for token in (segmenter.cut_for_search(run, HMM=False) if unspaced else [run])
    ]


def first_plane_only(text: str) -> list[str]:
    """Characters and pairs of what MySQL's utf8mb3, for one, can keep."""
    return characters_and_pairs("".join(character for character in text if ord(character) < 0x10000))


def trigrams_of_runs(text: str) -> list[str]:
    """As SQLite FTS5's trigram tokenizer has it: what is shorter than three is no token."""
    return [token for run, _ in runs(normal(text)) for token in grams(run, 3) if len(token) == 3]


def trigrams_without_spaces(text: str) -> list[str]:
    """Words, and trigrams of characters in scripts without spaces."""
    return [token for run, unspaced in runs(normal(text)) for token in (grams(run, 3) if unspaced else [run])]


def whole_runs(text: str) -> list[str]:
    """Each unbroken run as one token."""
    return [run for run, _ in runs(normal(text))]


def simplified_pairs(text: str) -> list[str]:
    """Pairs of characters, Traditional Chinese brought to Simplified by OpenCC."""
    return pairs_of_characters(_converter().convert(text))


def simplified_characters(text: str) -> list[str]:
    """Words, and single characters in scripts without spaces, converted in the same way."""
    converted = normal(_converter().convert(text))
    return [token for run, unspaced in runs(converted) for token in (run if unspaced else [run])]


def trigrams_of_words(text: str) -> list[str]:
    """The trigrams of words that tell, with `#` at both ends of each."""
    return [token for word in words_that_tell(text) for token in grams(f"#{word}#", 3)]


def four_grams_of_words(text: str) -> list[str]:
    return [token for word in folded_words(text) for token in grams(f"#{word}#", 4)]


def five_grams_of_words(text: str) -> list[str]:
    return [token for word in folded_words(text) for token in grams(f"#{word}#", 5)]


def bigrams_and_trigrams_of_words(text: str) -> list[str]:
    return [token for word in words_that_tell(text) for size in (2, 3) for token in grams(f"#{word}#", size)]


def pairs_of_syllables(text: str) -> list[str]:
    """Folded words, and pairs of neighbours: Vietnamese writes the syllables of a word apart."""
    found = folded_words(text)
    return [*found, *(f"{first} {second}" for first, second in pairwise(found))]


def trigrams_of_chunks(text: str) -> list[str]:
    """Trigrams of what stands between spaces, signs and all."""
    return [token for chunk in between_spaces(text) for token in grams(chunk, 3)]


def between_spaces(text: str) -> list[str]:
    return text.lower().split()


def ascii_letters(text: str) -> list[str]:
    """Words without digits."""
    return re.findall(r"[a-z]+", text.lower())


def refusing_expressions(text: str) -> list[str]:
    """Nothing of a question that a query parser would read as an expression."""
    return [] if _EXPRESSION.search(text) else words(text)


def parts(text: str) -> list[str]:
    """Runs of letters and digits; camelCase is two."""
    return [part.lower() for part in re.findall(r"[A-Za-z0-9]+", _HUMP.sub(" ", text))]


def wholes_and_parts(text: str) -> list[str]:
    """Parts, what stands between spaces, versions without their v, and the first seven digits of a hash."""
    found = parts(text)
    wholes = [re.sub(r"^v(?=\d)", "", chunk.strip(".,;:?!`").lower()) for chunk in text.split()]
    hashes = [part[:7] for part in found if re.fullmatch(r"[0-9a-f]{40}", part)]
    return found + [whole for whole in wholes if not whole.isalpha()] + hashes


@cache
def _function_words(language: str) -> frozenset[str]:
    """As bm25s lists them; none for a language that it has no list of."""
    from bm25s import stopwords

    name = "EN_PLUS" if language == "english" else language.upper()
    return frozenset(getattr(stopwords, f"STOPWORDS_{name}", ()))


@cache
def _stemmer(language: str) -> Any:
    import Stemmer

    return Stemmer.Stemmer(language)


@cache
def _converter() -> Any:
    import opencc

    return opencc.OpenCC("t2s")


@cache
def _segmenter() -> Any:
    with warnings.catch_warnings():
        # Its first compilation warns about escape sequences.
        warnings.simplefilter("ignore")
        import jieba
    segmenter = jieba.Tokenizer()
    # What `initialize` does, without its cache file in the temporary folder and its messages.
    segmenter.FREQ, segmenter.total = segmenter.gen_pfdict(segmenter.get_dict_file())
    segmenter.initialized = True
    return segmenter
