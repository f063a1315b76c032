"""An embedder without a model: feature hashing of words and character trigrams.

Weinberger, Dasgupta, Langford, Smola and Attenberg, "Feature hashing for large scale multitask
learning", ICML 2009 (signed hashing); sub-words as in Bojanowski, Grave, Joulin and Mikolov,
"Enriching word vectors with subword information", TACL 2017. Vectors hold small integers, so
that dot products are exact in any order of summation and the same on every machine.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from zlib import crc32

import numpy as np

from gate.protocols import Vectors

DIMENSION = 384

# Words that say little in any English text: they count once and have no sub-words, so that a
# question's wording does not drown what it is about.
_FUNCTION_WORDS = """
    a about after again all also am an and any are as at be been before being both but by can could did do does doing
    during each for from further had has have having he her here hers him his how i if in into is it its itself just
    me more most my myself of on once or other our ours out over own she should so some such than that the their
    theirs them then there these they this those through to too under until up us very was we were what when where
    which while who whom whose why will with would you your yours
"""
FUNCTION_WORDS = frozenset(_FUNCTION_WORDS.split())

# Part of what `hashed-384-v1` means, and therefore not shared with the scripts that a store tells apart.
_UNSPACED = (
    "\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ece\u1000-\u103f\u1780-\u17d3"  # Thai, Lao, Burmese, Khmer
    "\u1100-\u11ff\u3005\u3041-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3105-\u318f\u31f0-\u31ff"  # kana, jamo, bopomofo
    "\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\U00020000-\U0003fffd"  # Han, Hangul
)
_RUN = re.compile(f"[{_UNSPACED}]+|[^\\W_{_UNSPACED}]+")
_SYMBOL = re.compile(r"\S")
_UNSPACED_CHAR = re.compile(f"[{_UNSPACED}]")
_WORD_WEIGHT = 2


class HashedEmbedder:
    """Texts to vectors of 384 small integers (float32).

    Text is normalised (NFKC, case folded). A word counts twice, each of its character trigrams
    (`^inv nvo voi ... ce$`) once; in scripts without spaces each character counts once and each
    pair of neighbours twice. A text of nothing but symbols is hashed symbol by symbol; only a
    blank one gives zeros. `kind` changes nothing.
    """

    name = "hashed-384-v1"
    dimension = DIMENSION

    def embed(self, texts: Sequence[str], kind: str) -> Vectors:  # noqa: ARG002 - the protocol's
        """One row of 384 a text, in order."""
        features = [_features(text) for text in texts]
        # The sign is the upper half of the bins, so that one count over whole numbers sees both.
        bins = np.frombuffer(b"".join(features), dtype=np.uint16).astype(np.intp)
        rows = np.repeat(np.arange(len(features)), [len(row) // 2 for row in features])
        counts = np.bincount(rows * (2 * DIMENSION) + bins, minlength=len(features) * 2 * DIMENSION)
        signed = counts.reshape(len(features), 2, DIMENSION)
        return (signed[:, 0] - signed[:, 1]).astype(np.float32)


def _features(text: str) -> bytes:
    """The bins of a text, two bytes each in the machine's order."""
    folded = text.lower() if text.isascii() else unicodedata.normalize("NFKC", text).casefold()
    runs = _RUN.findall(folded) or _SYMBOL.findall(folded)
    return b"".join(map(_word_features, runs))


@lru_cache(maxsize=1 << 16)
def _word_features(word: str) -> bytes:
    if _UNSPACED_CHAR.match(word):
        pairs = [word[at : at + 2] for at in range(len(word) - 1)]
        features = [*word, *pairs, *pairs]
    elif word in FUNCTION_WORDS:
        features = [f"={word}"]
    else:
        marked = f"^{word}$"
        features = [f"={word}"] * _WORD_WEIGHT + [marked[at : at + 3] for at in range(len(marked) - 2)]
    return np.array([_bin(feature) for feature in features], dtype=np.uint16).tobytes()


def _bin(feature: str) -> int:
    """A dimension in [0, 384), plus 384 where the sign is negative."""
    # CRC-32 is linear: like strings differ in few bits. A multiplication spreads those over the upper half.
    mixed = crc32(feature.encode("utf-8", "surrogatepass")) * 0x9E3779B97F4A7C15 & 0xFFFFFFFFFFFFFFFF
    return ((mixed >> 32) * DIMENSION >> 32) + DIMENSION * (mixed >> 31 & 1)
