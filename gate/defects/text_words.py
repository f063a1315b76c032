"""Defects of what counts as a word, and of which words count."""

from __future__ import annotations

import re
import unicodedata
import zlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from gate.defects.boundary import Remembering
from gate.defects.defect import Defect
from gate.defects.rewriting import Rewritten
from gate.defects.scripts import RUN, UNSPACED, WORD
from gate.protocols import Store
from gate.records import Document, SearchResult

SHORTEST = 3  # characters
FREQUENT = 0.005  # of the documents: words in more of them weigh nothing
# Not an `s` nor a vowel, at which stemmers look; not a hexadecimal number, which stores may know.
_CONSONANTS = "bcdfghjklmnpqrtv"
_CHUNK = re.compile(f"[{UNSPACED}]+|[^\\W{UNSPACED}]+")
_ONE_WORD = re.compile(f"[{UNSPACED}]|[^\\W{UNSPACED}]+")


class _OneTokenPerRun(Rewritten):
    """An unbroken run of Han, kana, Hangul or Thai is one word, which nothing but the same run finds."""

    def of_document(self, text: str) -> str:
        return text if text.isascii() else RUN.sub(_as_one_word, text)

    of_query = of_document


class _SingleCharacters(Rewritten):
    """Scripts without spaces are split into single characters: any text with the same ones matches."""

    def of_document(self, text: str) -> str:
        return text if text.isascii() else RUN.sub(_apart, text)

    of_query = of_document


class _MinLength3(Rewritten):
    """Words of one or two characters are dropped."""

    def of_document(self, text: str) -> str:
        return _CHUNK.sub(lambda match: match[0] if len(match[0]) >= SHORTEST else " ", text)

    of_query = of_document


class _StopWordsRequired(Remembering):
    """A hit has to hold every word of the query, `the` and `where` among them.

    Of the store's own hits those that lack one are dropped. Words are compared case folded, characters of scripts
    without spaces one by one.
    """

    def __init__(self, store: Store, dose: float) -> None:
        super().__init__(store, dose)
        self._words: dict[str, frozenset[str]] = {}

    def rewrite_result(self, query: str, k: int, result: SearchResult) -> SearchResult:  # noqa: ARG002
        if not self.touches(query):
            return result
        asked = _words(query)
        return replace(result, hits=tuple(hit for hit in result.hits if asked <= self._held(hit.doc_id, asked)))

    def add(self, documents: Sequence[Document]) -> None:
        for document in documents:
            self._words.pop(document.doc_id, None)
        super().add(documents)

    def replace(self, document: Document) -> None:
        self._words.pop(document.doc_id, None)
        super().replace(document)

    def _held(self, doc_id: str, unknown: frozenset[str]) -> frozenset[str]:
        """The words of a document; `unknown` of one that was not stored here."""
        if doc_id not in self._words:
            document = self.documents.get(doc_id)
            if document is None:
                return unknown
            self._words[doc_id] = _words(f"{document.index_text} {document.text}")
        return self._words[doc_id]


class _IdfZero(Remembering):
    """Words that more than one document in two hundred holds are dropped from queries."""

    def __init__(self, store: Store, dose: float) -> None:
        super().__init__(store, dose)
        self._frequencies: Counter[str] | None = None

    def add(self, documents: Sequence[Document]) -> None:
        self._frequencies = None
        super().add(documents)

    def replace(self, document: Document) -> None:
        self._frequencies = None
        super().replace(document)

    def rewrite_query(self, query: str) -> str:
        return WORD.sub(self._if_rare, query) if self.touches(query) else query

    def search(self, query: str, k: int, mode: str, scope: frozenset[str] = frozenset()) -> SearchResult:
        # Where no word weighs anything nothing is found.
        return super().search(query, k, mode, scope) if self.rewrite_query(query).strip() else SearchResult(())

    def _if_rare(self, match: re.Match[str]) -> str:
        if self._frequencies is None:
            texts = (document.index_text or document.text for document in self.documents.values())
            self._frequencies = Counter(word for text in texts for word in set(WORD.findall(text.casefold())))
        often = self._frequencies[match[0].casefold()] > FREQUENT * len(self.documents)
        return " " if often else match[0]


def _apart(match: re.Match[str]) -> str:
    # Normalised first: what is composed of several characters is one, as it is to a store that normalises.
    return f" {' '.join(unicodedata.normalize('NFKC', match[0]))} "


def _as_one_word(match: re.Match[str]) -> str:
    """Eight consonants that stand for a run, set off by spaces: words in Latin letters beside it stay as they are."""
    digest = zlib.crc32(unicodedata.normalize("NFKC", match[0]).encode("utf-8", "surrogatepass"))
    return f" {''.join(_CONSONANTS[digest >> shift & 15] for shift in range(0, 32, 4))} "


def _words(text: str) -> frozenset[str]:
    return frozenset(_ONE_WORD.findall(text.casefold()))


WORD_DEFECTS = (
    Defect(
        "one-token-per-run",
        "text",
        "a tokenizer that cuts at spaces: a sentence in Chinese, Japanese or Thai is one word",
        _OneTokenPerRun,
    ),
    Defect(
        "single-characters",
        "text",
        "Chinese, Japanese and Korean split into single characters: whatever shares some of them matches",
        _SingleCharacters,
    ),
    Defect(
        "min-length-3",
        "text",
        "an index of trigrams, or a least token length of 3: words of two characters are never found",
        _MinLength3,
    ),
    Defect(
        "stop-words-required",
        "text",
        "words joined by AND in place of OR, without a list of stop words: a natural question finds nothing",
        _StopWordsRequired,
    ),
    Defect(
        "idf-zero",
        "text",
        "weights by inverse document frequency that reach zero too early: what is common in a corpus finds nothing",
        _IdfZero,
    ),
)
