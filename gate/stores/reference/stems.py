"""Stems, by Snowball (Porter, "Snowball: a language for stemming algorithms", 2001).

The algorithm follows a word's script; a document's declared language may add one, and never
takes one away, so that a wrong guess loses nothing.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from gate.stores.reference.scripts import script_stemmer

SHORTEST = 2  # letters of a stem: several words have a shorter one, as the Hindi का, के and को, and it tells none
# Languages whose algorithm is not that of their script: (algorithm, what the script alone would get).
_LANGUAGES = {
    "ca": ("catalan", "english"),
    "cs": ("czech", "english"),
    "da": ("danish", "english"),
    "de": ("german", "english"),
    "es": ("spanish", "english"),
    "et": ("estonian", "english"),
    "eu": ("basque", "english"),
    "fa": ("persian", "arabic"),
    "fi": ("finnish", "english"),
    "fr": ("french", "english"),
    "ga": ("irish", "english"),
    "hu": ("hungarian", "english"),
    "id": ("indonesian", "english"),
    "it": ("italian", "english"),
    "lt": ("lithuanian", "english"),
    "nb": ("norwegian", "english"),
    "ne": ("nepali", "hindi"),
    "nl": ("dutch", "english"),
    "nn": ("norwegian", "english"),
    "no": ("norwegian", "english"),
    "pl": ("polish", "english"),
    "pt": ("portuguese", "english"),
    "ro": ("romanian", "english"),
    "sv": ("swedish", "english"),
    "tr": ("turkish", "english"),
}


def version() -> str:
    """What makes the stems: `PyStemmer 3.1.0`."""
    return f"PyStemmer {_stemmer_module().version()}"


def primary_language(lang: str) -> str:
    """The primary subtag of a BCP 47 language tag; empty for English, whose stems every word of its script gets."""
    primary = lang.replace("_", "-").split("-", 1)[0].casefold()
    return "" if primary == "en" else primary


def extra_language(lang: str) -> str:
    """The primary subtag of a BCP 47 language tag where it has an algorithm of its own here, else an empty text."""
    primary = primary_language(lang)
    return primary if primary in _LANGUAGES and _LANGUAGES[primary][0] in _algorithms() else ""


def stem_terms(word: str, languages: tuple[str, ...]) -> tuple[str, ...]:
    """The stems of a normalised word, each marked with its algorithm: the script's own, then those of `languages`."""
    by_script = script_stemmer(word)
    if not by_script:
        return ()
    algorithms = [by_script] + [_LANGUAGES[lang][0] for lang in languages if _LANGUAGES[lang][1] == by_script]
    return tuple(f"~{algorithm}:{_stem(word, algorithm)}" for algorithm in algorithms if algorithm in _algorithms())


def algorithm_of(lang: str) -> str:
    """The algorithm of a language for which `extra_language` is not empty."""
    return _LANGUAGES[lang][0]


def stem(word: str, lang: str) -> str:
    """The bare stem of a normalised word in a language for which `extra_language` is not empty."""
    return _stem(word, algorithm_of(lang))


def _stem(word: str, algorithm: str) -> str:
    """The stem of a word; the word itself where it is too short."""
    stem = str(_stemmer(algorithm).stemWord(word))
    return stem if len(stem) >= SHORTEST else word


@cache
def _algorithms() -> frozenset[str]:
    # Older versions of PyStemmer lack some.
    return frozenset(_stemmer_module().algorithms())


@cache
def _stemmer(algorithm: str) -> Any:
    return _stemmer_module().Stemmer(algorithm)


@cache
def _stemmer_module() -> Any:
    import Stemmer

    return Stemmer
