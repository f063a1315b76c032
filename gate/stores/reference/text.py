"""Text to terms: what a document is indexed under, and what a question asks for.

More is kept when writing than when asking. Words of alphabetic scripts go by `words`, runs of
scripts without spaces by `runs`, and numbers get normal forms beside what stands there (`numbers`).

Terms are plain texts in one space: those that no text can hold are marked, as stems by `~algorithm:`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from gate.stores.reference import syllables
from gate.stores.reference.asked import EXACT, STEM, SYLLABLES, Asked
from gate.stores.reference.asking_words import asks, languages_asked_in
from gate.stores.reference.function_words import language_of
from gate.stores.reference.normal import normalised
from gate.stores.reference.numbers import Number, numbers
from gate.stores.reference.runs import asked_run, written_run
from gate.stores.reference.scripts import HAN, HANGUL, KANA, OTHER_UNSPACED, PICTURES, SOUTH_EAST, UNSPACED
from gate.stores.reference.words import CHUNK, asked_chunk, parts, written_chunk

VERSION = 5  # of the terms that a text gives
MAX_ASKED = 256  # words of one question; what follows is not asked
SPELT_OUT = 0.3  # how much the words of a number weigh beside its normal form
_KEPT = 4096  # questions: stores that are opened one after the other are asked the same

_TOKEN = re.compile(
    f"[{HAN}{KANA}]+|[{HANGUL}]+|[{SOUTH_EAST}]+|[{OTHER_UNSPACED}]+|[{PICTURES}]+|{CHUNK}",
)
_CHUNK = re.compile(CHUNK)
_SENTENCE_END = re.compile(r"[.!?:;…\n]")
_CAPITALISES_NOUNS = "de"  # all of them: there capitals tell no names
_UNSPACED_START = re.compile(f"[{UNSPACED}]")


def written(text: str, languages: tuple[str, ...] = (), lang: str = "") -> tuple[list[str], int]:
    """The terms that a document is indexed under, repeated as they occur, and its length in words.

    `lang` is the language that it is in, and `languages` holds it where it has stems of its own. A word of an
    unspaced script counts as two characters.
    """
    text = normalised(text)
    terms: list[str] = []
    length = 0
    for token in _TOKEN.findall(text):
        if not token.isascii() and _UNSPACED_START.match(token):
            terms += written_run(token)
            length += (len(token) + 1) // 2
        else:
            chunk = written_chunk(token, languages)
            terms += chunk[0]
            length += chunk[1]
    if lang == syllables.LANGUAGE:
        terms += syllables.pairs(text)
    return terms + [form for number in numbers(text) for form in number.forms], length


@lru_cache(maxsize=_KEPT)
def asked(text: str, languages: tuple[str, ...] = (), home: str = "") -> tuple[Asked, ...]:
    """What a question asks for. Function words are left out, unless it has nothing else.

    Only those of English and of Chinese are: what is one in another language is often a part of a name or of a longer
    word there, and is asked lightly.

    `languages` are those of the documents that are asked, `home` the one that most of them are in.
    """
    text = normalised(text)
    lang = language(text, home)
    asked_in = languages_asked_in(_words(text))
    shows_names = _CAPITALISES_NOUNS not in asked_in and not text.isupper()
    before = 0
    counted = numbers(text)
    content = [_asked_number(number) for number in counted]
    function: list[Asked] = []
    for match in _TOKEN.finditer(text):
        if len(content) + len(function) >= MAX_ASKED:
            break
        token = match[0]
        wanted: Sequence[Asked]
        small: Sequence[Asked]
        if not token.isascii() and _UNSPACED_START.match(token):
            wanted, small = asked_run(token)
        else:
            wanted, small = asked_chunk(token, languages, lang, home)
            begins = not before or bool(_SENTENCE_END.search(text, before, match.start()))
            named = shows_names and _is_name(token, begins)
            wanted = [_judged(one, named, asked_in) for one in wanted]
        if any(number.start <= match.start() < number.end for number in counted):
            wanted = [_lighter(one) for one in wanted]
        content += wanted
        function += small
        before = match.end()
    if lang == syllables.LANGUAGE:
        function += [Asked(((pair, SYLLABLES),), content=False) for pair in syllables.pairs(text)]
    return tuple((content + function if lang or not content else content)[:MAX_ASKED])


def language(text: str, home: str = "") -> str:
    """The language of a normalised text as far as its function words tell; empty for English, and where none do.

    `home` is the language that it is in where they tell of no other. A text that is mostly in a script without spaces
    is in none of these languages, whatever it quotes.
    """
    words = _words(text)
    return "" if len(_UNSPACED_START.findall(text)) > 2 * len(words) else language_of(words, home)


def _words(text: str) -> list[str]:
    return [part for chunk in _CHUNK.findall(text) for part in parts(chunk)]


def _is_name(token: str, begins_sentence: bool) -> bool:
    """Whether a word is written as a name or an identifier is: with capitals that its place does not explain."""
    return any(letter.isupper() for letter in token[1 if begins_sentence else 0 :])


def _judged(one: Asked, named: bool, asked_in: tuple[str, ...]) -> Asked:
    """With what counts as evidence for it: what is no word alone is an identifier, and a name is never asked with."""
    if not one.word:
        return replace(one, named=True)
    return replace(one, named=named, asking=not named and asks(one.word, asked_in))


def _asked_number(number: Number) -> Asked:
    """A number, which is held without its unit too; a day of a year only with the year."""
    alone = number.forms[-1]
    without_unit = () if alone == number.forms[0] or alone.startswith("--") else (alone,)
    return Asked(((number.forms[0], EXACT + STEM),), named=True, parts=without_unit)


def _lighter(one: Asked) -> Asked:
    return Asked(tuple((term, weight * SPELT_OUT) for term, weight in one.terms), content=False)
