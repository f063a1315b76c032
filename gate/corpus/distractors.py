"""Distractors from patterns with slots: one by one, in constant time, and none ever kept.

`distractors` in a family's data has `lists` of words and phrases by slot, and `patterns`, sentences
with those slots. Eight numbers in a row are turns of one session of two speakers.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gate.corpus.entry import Entry
from gate.corpus.rng import Rng
from gate.corpus.template import moment, slots_of
from gate.corpus.words import words_of
from gate.records import Document

_SESSION = 8
_MINUTES = 480 * 24 * 60
_Lists = Mapping[str, tuple[str, ...]]


class Distractors:
    """The distractors of one family's data. `data` is kept to tell one data from another."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        entry = Entry.of("memory", data).at("distractors")
        self.data = data
        self._lang = entry.at("lang").text()
        lists = entry.at("lists").lists_of_texts()
        self._people = entry.at("speakers").texts()
        self._patterns = tuple(self._pattern(item, lists) for item in entry.at("patterns").each())
        self._words = words_of(
            (
                *(text for words in lists.values() for text in words),
                *(text.format(*[" "] * len(slots)) for text, slots in self._patterns),
            )
        )

    @staticmethod
    def _pattern(entry: Entry, lists: _Lists) -> tuple[str, tuple[tuple[str, ...], ...]]:
        """A format with numbered fields, and the list that fills each."""
        text = entry.text()
        slots = slots_of(text)
        for number, slot in enumerate(slots):
            if slot not in lists:
                entry.fail(f"no list fills the slot {{{slot}}}")
            text = text.replace(f"{{{slot}}}", f"{{{number}}}")
        return text, tuple(lists[slot] for slot in slots)

    def make(self, rng: Rng, index: int) -> Document:
        """The distractor number `index`."""
        pattern, lists = rng.choice(self._patterns)
        text = pattern.format(*map(rng.choice, lists))
        session, turn = divmod(index, _SESSION)
        # Knuth's multiplicative hashing spreads sessions over the days without a generator of their own.
        start = session * 2654435761 % _MINUTES
        speaker = self._people[(session + turn % 2 * (1 + session % 7)) % len(self._people)]
        return Document(
            str(index), text[0].upper() + text[1:], str(session), speaker, moment(start + 3 * turn), self._lang
        )

    def words(self) -> frozenset[str]:
        """Every word, in lower case, that may stand in one of them."""
        return self._words
