"""Words and identifiers of alphabetic scripts: what a chunk between spaces is indexed under, and what is asked of it.

A word is indexed as itself, without its accents, and as stems; long words of languages that write
compounds as one also under their parts, and those of South Asian scripts under pairs of letters. An
identifier (path, snake_case, version, e-mail address, camelCase) is kept whole, run together, and in
parts; a long hexadecimal one, such as a commit's, also under the abbreviations that people use.
"""

from __future__ import annotations

import re
from functools import lru_cache

from gate.stores.reference import compounds, indic, stems
from gate.stores.reference.asked import ACCENTED, EXACT, FUNCTION, GUESSED, STEM, WHOLE, Asked, Term, one_of, per_pair
from gate.stores.reference.function_words import BY_LANGUAGE, ENGLISH
from gate.stores.reference.normal import folded
from gate.stores.reference.scripts import MARKS, UNSPACED, without_accents

_WORD = f"(?:[^\\W_{UNSPACED}]|[{MARKS}])+"
_JOINER = r"['._/\\:@+#&~=\-\u2010-\u2012]{1,3}"
CHUNK = rf"{_WORD}(?:(?:{_JOINER}|_+){_WORD})*(?:\+\+|#)?"
_TONAL = "vi"  # the accents of its words are tones: without them they are other words
_ELIDING = frozenset({"ca", "fr", "it"})  # an article clings to its word with an apostrophe
_JOINERS = re.compile(rf"(?:{_JOINER}|_)+")
_BETWEEN_PARTS = re.compile(rf"(?:{_JOINER}|_)+|(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_NEGATION = re.compile(r"\w+n't")
_CONTRACTION = re.compile(r"(\w+)'(?:s|re|ll|ve|m|d)")
_LETTERS = re.compile(r"[^\W\d_]{3,}")
# Git abbreviates to 7 digits and more as a repository grows; fewer than 16 digits are not abbreviated.
_SHORTEST_PREFIX, _LONGEST_PREFIX, _SHORTEST_HASH = 7, 12, 16
_HEXADECIMAL = re.compile(r"(?=\D*\d)[0-9a-f]{7,}", re.ASCII)


@lru_cache(maxsize=1 << 16)
def written_chunk(chunk: str, languages: tuple[str, ...]) -> tuple[tuple[str, ...], int]:
    """The terms of a chunk of a document, and how many words it is."""
    pieces = parts(chunk)
    terms: list[str] = []
    for piece in pieces:
        terms += _written_word(piece, languages)
    terms += [form for form in _wholes(chunk) if form not in terms]
    whole = folded(chunk)
    if len(whole) >= _SHORTEST_HASH and _HEXADECIMAL.fullmatch(whole):
        terms += [_prefix(whole[:size]) for size in range(_SHORTEST_PREFIX, _LONGEST_PREFIX + 1)]
    return tuple(terms), len(pieces)


def _written_word(word: str, languages: tuple[str, ...]) -> list[str]:
    if word in ENGLISH or any(word in BY_LANGUAGE.get(lang, ()) for lang in languages):
        return [word]
    forms = list(dict.fromkeys((word, without_accents(word))))
    if word.isdigit():
        return forms
    if any(letter.isdigit() for letter in word):
        # `python3` is found by `python` too.
        letters = [run for run in _LETTERS.findall(word) if run not in ENGLISH]
        return forms + [term for run in letters for term in _written_word(run, languages)]
    terms = forms + list(dict.fromkeys(stem for form in forms for stem in stems.stem_terms(form, languages)))
    terms += indic.pairs(word)
    for lang in languages:
        if lang in compounds.COMPOUNDING:
            terms += dict.fromkeys(_part(stems.stem(part, lang), lang) for part in compounds.parts(word))
    return terms


@lru_cache(maxsize=1 << 14)
def asked_chunk(
    chunk: str, languages: tuple[str, ...], lang: str, home: str = ""
) -> tuple[tuple[Asked, ...], tuple[Asked, ...]]:
    """What a chunk of a question in the language `lang` asks for: what has content, and function words.

    `languages` are those of the documents that are asked, `home` the one that most of them are in.
    """
    pieces = parts(chunk)
    elided = lang in _ELIDING and _JOINERS.findall(chunk) == ["'"]
    wholes = [] if elided else _wholes(chunk)
    # An English one may be a word of content in another language, as `in` (to print) in Vietnamese.
    little = BY_LANGUAGE.get(lang, ENGLISH)
    small = [piece for piece in pieces if piece in little]
    if _is_contraction(folded(chunk)):
        small = pieces
    accented = ACCENTED if lang == _TONAL else 0.0
    content = [asked_word(piece, languages, accented, home) for piece in pieces if piece not in small]
    if wholes and not (small and not content):
        content.append(Asked(tuple((form, WHOLE / len(wholes)) for form in wholes), content=not content))
    little_worth = FUNCTION if lang and lang == home else EXACT
    return tuple(content), tuple(Asked(((piece, little_worth),), content=False) for piece in small)


def asked_word(word: str, languages: tuple[str, ...], accented: float = 0.0, home: str = "") -> Asked:
    """What a folded word asks for. Its stems by all algorithms are one term: more languages make it weigh no less.

    `accented` is the share of its weight that needs its accents, `home` the language that most documents are in.
    """
    forms = tuple(dict.fromkeys((word, without_accents(word))))
    accented = accented if len(forms) > 1 else 0.0
    own: tuple[str, ...] = ()
    found: tuple[str, ...] = ()
    pairs: list[str] = []
    if word not in ENGLISH and not any(letter.isdigit() for letter in word):
        own = tuple(dict.fromkeys(stems.stem_terms(word, languages)))
        found = tuple(dict.fromkeys(stem for form in forms for stem in stems.stem_terms(form, languages)))
        pairs = indic.pairs(word)
    terms: list[tuple[Term, float]] = []
    exact = EXACT
    if found:
        terms.append((one_of(found), STEM * (GUESSED if pairs else 1.0 - accented)))
        if accented:
            terms.append((one_of(own), STEM * accented))
    elif _HEXADECIMAL.fullmatch(word):
        terms.append((_prefix(word[:_LONGEST_PREFIX]), STEM))
    elif not pairs:
        exact += STEM
    shares = ((1.0 + accented) / 2, (1.0 - accented) / 2) if len(forms) > 1 else (1.0,)
    terms += [(form, exact * share) for form, share in zip(forms, shares, strict=True)]
    built = tuple(_part(stems.stem(word, lang), lang) for lang in languages if lang in compounds.COMPOUNDING)
    if found and built and len(word) >= compounds.SHORTEST_PART:
        terms.append((one_of(built), compounds.weight(home)))
    lent = tuple((pair, STEM * per_pair(len(pairs) + 1)) for pair in pairs)
    return Asked(tuple(terms), word=word if word.isalpha() else "", lent=lent)


def parts(chunk: str) -> list[str]:
    """The words of a chunk, case folded. Of `don't`, `Anna's` and `l'école` the one-letter piece is dropped."""
    whole = folded(chunk)
    if (chunk.isalpha() and chunk.islower()) or _HEXADECIMAL.fullmatch(whole):
        return [whole]
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
    return [form for form in dict.fromkeys((whole, together)) if [form] != parts(chunk)]


def _is_contraction(chunk: str) -> bool:
    if _NEGATION.fullmatch(chunk):
        return True
    short = _CONTRACTION.fullmatch(chunk)
    return short is not None and short[1] in ENGLISH


def _prefix(digits: str) -> str:
    return f"~hexadecimal:{digits}"


def _part(stem: str, lang: str) -> str:
    return f"~{stems.algorithm_of(lang)}-part:{stem}"
