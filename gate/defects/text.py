"""Defects of text handling: what a clean-up, a tokenizer or an encoding loses of documents and queries."""

from __future__ import annotations

import re

from gate.defects.defect import Defect
from gate.defects.rewriting import Rewritten
from gate.defects.scripts import HANGUL, KANA
from gate.defects.text_folding import FOLDING_DEFECTS
from gate.defects.text_stemming import STEMMING_DEFECTS
from gate.defects.text_words import WORD_DEFECTS

LONGEST = 2000  # characters
_KANA_OR_HANGUL = re.compile(f"[{KANA}{HANGUL}]+")
_BEYOND_FIRST_PLANE = re.compile("[\U00010000-\U0010ffff]")
_TWO_HALVES = "\ufffd\ufffd"


class _AsciiOnly(Rewritten):
    """What is not ASCII is dropped from documents and queries before the store sees them."""

    def of_document(self, text: str) -> str:
        return text.encode("ascii", "ignore").decode("ascii")

    of_query = of_document


class _HanOnly(Rewritten):
    """Of Chinese, Japanese and Korean only Han characters are left: kana and Hangul become spaces."""

    def of_document(self, text: str) -> str:
        return _KANA_OR_HANGUL.sub(" ", text)

    of_query = of_document


class _TextCut(Rewritten):
    """Of each text only the first 2,000 characters are stored."""

    def of_document(self, text: str) -> str:
        return text[:LONGEST]

    of_query = of_document


class _Utf16Split(Rewritten):
    """A character beyond the first plane becomes two replacement characters, one for each half of its UTF-16 pair."""

    def of_document(self, text: str) -> str:
        return text if text.isascii() else _BEYOND_FIRST_PLANE.sub(_TWO_HALVES, text)

    of_query = of_document


TEXT_DEFECTS = (
    Defect(
        "ascii-only",
        "text",
        "a tokenizer or clean-up written for English, such as [a-z0-9]+, that loses every other script",
        _AsciiOnly,
    ),
    Defect(
        "han-only",
        "text",
        "a pattern for Chinese taken for all of East Asia, such as [\\u4e00-\\u9fff]: kana and Hangul are lost",
        _HanOnly,
    ),
    *WORD_DEFECTS,
    *FOLDING_DEFECTS,
    *STEMMING_DEFECTS,
    Defect("text-cut", "text", "a column or a model's window that is too short: what follows is not indexed", _TextCut),
    Defect(
        "utf16-split",
        "text",
        "strings cut or stored by UTF-16 units: characters beyond the first plane (emoji, rare Han) are broken in two",
        _Utf16Split,
    ),
)
