"""Text to terms: what a document is indexed under, and what a question asks for.

More is kept when writing than when asking. A word of an alphabetic script is indexed as itself,
without its accents, and as stems; a question asks for the stems and, with less weight, for the
word itself. Scripts without spaces are indexed as characters, pairs of neighbours and, for Han,
words of the dictionary. Identifiers (paths, snake_case, versions, e-mail addresses, camelCase)
are kept whole, run together, and in parts.

Terms are plain texts in one space: stems are marked by `~algorithm:`, which no word contains.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from gate.models.hashed import FUNCTION_WORDS
from gate.stores.reference import han
from gate.stores.reference.scripts import (
    HAN,
    HANGUL,
    KANA,
    MARKS,
    OTHER_UNSPACED,
    PICTURES,
    SOUTH_EAST,
    UNSPACED,
    without_accents,
)
from gate.stores.reference.stems import stem_terms

# Weights of what a question asks for. A stem carries the word; the exact form decides between
# two inflections; a pair of characters across a word boundary is a weak sign.
STEM, EXACT, WHOLE, STRADDLING, CHARACTER = 1.0, 0.3, 1.0, 0.3, 0.5
MAX_ASKED = 256  # words of one question; what follows is not asked

_WORD = f"(?:[^\\W_{UNSPACED}]|[{MARKS}])+"
_JOINER = r"['._/\\:@+#&~=\-\u2010-\u2012]{1,3}"
_TOKEN = re.compile(
    f"[{HAN}{KANA}]+|[{HANGUL}]+|[{SOUTH_EAST}]+|[{OTHER_UNSPACED}]+|[{PICTURES}]+"
    rf"|{_WORD}(?:(?:{_JOINER}|_+){_WORD})*(?:\+\+|#)?"
)
_JOINERS = re.compile(rf"(?:{_JOINER}|_)+")
_UNSPACED_START = re.compile(f"[{UNSPACED}]")
_HAN_ONLY = re.compile(f"[{HAN}]+")
_BETWEEN_PARTS = re.compile(rf"(?:{_JOINER}|_)+|(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_NEGATION = re.compile(r"\w+n't")
_CONTRACTION = re.compile(r"(\w+)'(?:s|re|ll|ve|m|d)")
_LETTERS = re.compile(r"[^\W\d_]{3,}")
_CLEANED = str.maketrans({"\u2019": "'", "\u02bc": "'", "\u00ad": None, "\u200b": None, "\ufeff": None})

_HAN_FUNCTION_WORDS = """
    的 了 吗 呢 吧 啊 是 我 你 您 他 她 它 们 在 有 和 与 也 就 都 而 及 或 这 那 哪 谁 把 被 从 到 对 给 让 很 还 要 会
    能 嗎 們 這 與 從 對 給 讓 還 會 誰
    什么 怎么 怎样 如何 为什么 哪里 哪儿 哪个 哪些 多少 我们 你们 他们 她们 咱们 这个 那个 这些 那些 一个 是否 可以
    什麼 怎麼 怎樣 為什麼 哪裡 哪個 我們 你們 他們 這個 那個 這些 一個
"""
HAN_FUNCTION_WORDS = frozenset(_HAN_FUNCTION_WORDS.split())


@dataclass(frozen=True, slots=True)
class Asked:
    """One thing that a question asks for: terms with their weights.

    `content` is False for function words and for terms that only lend weight to others; such
    do not count when it is judged how much of a question an answer covers.
    """

    terms: tuple[tuple[str, float], ...]
    content: bool = True


_Split = tuple[Sequence[Asked], Sequence[Asked]]  # what has content, and function words


def written(text: str, languages: tuple[str, ...] = ()) -> tuple[list[str], int]:
    """The terms that a document is indexed under, repeated as they occur, and its length in words.

    A word of an unspaced script counts as two characters.
    """
    terms: list[str] = []
    length = 0
    for token in _TOKEN.findall(normalised(text)):
        if not token.isascii() and _UNSPACED_START.match(token):
            terms += _written_run(token)
            length += (len(token) + 1) // 2
        else:
            chunk = _written_chunk(token, languages)
            terms += chunk[0]
            length += chunk[1]
    return terms, length


def asked(text: str, languages: tuple[str, ...] = ()) -> list[Asked]:
    """What a question asks for. Function words are left out, unless it has nothing else."""
    content: list[Asked] = []
    function: list[Asked] = []
    for token in _TOKEN.findall(normalised(text)):
        if len(content) + len(function) >= MAX_ASKED:
            break
        unspaced = not token.isascii() and _UNSPACED_START.match(token)
        wanted, small = _asked_run(token) if unspaced else _asked_chunk(token, languages)
        content += wanted
        function += small
    return (content or function)[:MAX_ASKED]


def normalised(text: str) -> str:
    """NFKC, one kind of apostrophe, no invisible characters. Case is kept: camelCase needs it."""
    if text.isascii():
        return text
    return unicodedata.normalize("NFKC", text).translate(_CLEANED)


def folded(word: str) -> str:
    """Case folded, and normalised again, since folding can take letters apart."""
    if word.isascii():
        return word.lower()
    return unicodedata.normalize("NFKC", word.casefold())


@lru_cache(maxsize=1 << 16)
def _written_chunk(chunk: str, languages: tuple[str, ...]) -> tuple[tuple[str, ...], int]:
    parts = _parts(chunk)
    terms: list[str] = []
    for part in parts:
        terms += _written_word(part, languages)
    terms += [form for form in _wholes(chunk) if form not in terms]
    return tuple(terms), len(parts)


def _written_word(word: str, languages: tuple[str, ...]) -> list[str]:
    if word in FUNCTION_WORDS:
        return [word]
    forms = list(dict.fromkeys((word, without_accents(word))))
    if word.isdigit():
        return forms
    if any(letter.isdigit() for letter in word):
        # `python3` is found by `python` too.
        letters = [run for run in _LETTERS.findall(word) if run not in FUNCTION_WORDS]
        return forms + [term for run in letters for term in _written_word(run, languages)]
    return forms + list(dict.fromkeys(stem for form in forms for stem in stem_terms(form, languages)))


@lru_cache(maxsize=1 << 14)
def _asked_chunk(chunk: str, languages: tuple[str, ...]) -> _Split:
    parts = _parts(chunk)
    wholes = _wholes(chunk)
    small = [part for part in parts if part in FUNCTION_WORDS]
    if _is_contraction(folded(chunk)):
        small = parts
    content = [_asked_word(part, languages) for part in parts if part not in small]
    if wholes and not (small and not content):
        content.append(Asked(tuple((form, WHOLE / len(wholes)) for form in wholes), content=not content))
    return content, [Asked(((part, EXACT),), content=False) for part in small]


def _asked_word(word: str, languages: tuple[str, ...]) -> Asked:
    forms = list(dict.fromkeys((word, without_accents(word))))
    stems: list[str] = []
    if not any(letter.isdigit() for letter in word):
        stems = list(dict.fromkeys(stem for form in forms for stem in stem_terms(form, languages)))
    exact = EXACT if stems else EXACT + STEM
    return Asked(
        tuple((form, exact / len(forms)) for form in forms) + tuple((stem, STEM / len(stems)) for stem in stems)
    )


def _parts(chunk: str) -> list[str]:
    """The words of a chunk, case folded. Of `don't`, `Anna's` and `l'école` the one-letter piece is dropped."""
    if chunk.isalpha() and chunk.islower():
        return [folded(chunk)]
    pieces: list[str] = []
    for piece in _BETWEEN_PARTS.split(chunk.replace("'", "\0")):
        around = [letters for letters in piece.split("\0") if letters]
        pieces += [letters for letters in around if len(letters) > 1 or len(around) == 1] or around
    return [folded(piece) for piece in pieces]


def _wholes(chunk: str) -> list[str]:
    """A chunk of several parts as it stands and run together: `e-mail` and `email`. Empty for a plain word."""
    if chunk.isalpha() and chunk.islower():
        return []
    whole = folded(chunk)
    together = _JOINERS.sub("", whole)
    return [form for form in dict.fromkeys((whole, together)) if [form] != _parts(chunk)]


def _is_contraction(chunk: str) -> bool:
    if _NEGATION.fullmatch(chunk):
        return True
    short = _CONTRACTION.fullmatch(chunk)
    return short is not None and short[1] in FUNCTION_WORDS


def _written_run(run: str) -> list[str]:
    """Characters, pairs of neighbours, and longer words: pairs that are words stand among the pairs."""
    terms = [*run, *_pairs(run)]
    if _HAN_ONLY.fullmatch(run):
        terms += [word for word in han.words(run) if len(word) > 2]
    return terms


def _asked_run(run: str) -> _Split:
    # A run with kana is Japanese, to which the Chinese dictionary does not apply.
    if len(run) == 1:
        return ([], [_term(run, EXACT, False)]) if run in HAN_FUNCTION_WORDS else ([_term(run, STEM)], [])
    words = han.words(run) if _HAN_ONLY.fullmatch(run) else []
    if not words:
        return [_term(pair, STEM) for pair in _pairs(run)], []
    known = frozenset(words)
    small = frozenset("".join(known & HAN_FUNCTION_WORDS))
    function = [_term(word, EXACT, False) for word in words if word in HAN_FUNCTION_WORDS]
    content = [_term(word, STEM, False) for word in words if len(word) > 2 and word not in HAN_FUNCTION_WORDS]
    covered: set[str] = set()
    for pair in _pairs(run):
        # Two characters that are no words of more are likely a name that the dictionary lacks.
        if pair in known or known.issuperset(pair):
            if not small.issuperset(pair):
                content.append(_term(pair, STEM))
                covered.update(pair)
        elif small.isdisjoint(pair):
            content.append(_term(pair, STRADDLING, False))
    content += [_term(word, CHARACTER) for word in words if len(word) == 1 and word not in covered | small]
    return content, function


def _term(term: str, weight: float, content: bool = True) -> Asked:
    return Asked(((term, weight),), content)


def _pairs(run: str) -> list[str]:
    return [run[at : at + 2] for at in range(len(run) - 1)]
