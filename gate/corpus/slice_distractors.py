"""Distractors of a family whose slices have word lists and templates for them: one by one, and none ever kept.

Slices that have any take turns, so that each language gets as many as the next. What a slice gives
is read by `gate.corpus.writing_system.distractors`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from gate.corpus.entry import Entry
from gate.corpus.family import WordsByLanguage
from gate.corpus.rng import Rng
from gate.corpus.template import draw, fill, moment, slots_of
from gate.corpus.words import words_of
from gate.corpus.writing_system import Distractors, Values, distractors
from gate.records import Document

_MINUTES_OF_LIFE = 480 * 1440
_SESSION = 4


class SliceDistractors:
    """The distractors of all slices of the family `name`: notes on what no topic asks about."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._read: tuple[Mapping[str, Any], tuple[Distractors, ...]] | None = None

    def make(self, rng: Rng, data: Mapping[str, Any], index: int) -> Document | None:
        """The distractor number `index`, or None where no slice has any."""
        listed = self._listed(data)
        if not listed:
            return None
        made = listed[index % len(listed)]
        template = rng.choice(made.templates)
        start = rng.below(_MINUTES_OF_LIFE)
        return Document(
            doc_id=f"distractor-{index}",
            text=made.spell(fill(template, _values(rng, made, template), made.where)),
            session_id=f"distractor-{index // _SESSION}",
            speaker="user",
            created_at=moment(start),
            lang=made.lang,
        )

    def words(self, data: Mapping[str, Any]) -> WordsByLanguage:
        """Every word of the lists and of the texts around the slots; a run without spaces counts as one word."""
        found: dict[str, frozenset[str]] = {}
        for made in self._listed(data):
            pieces = [word for words in made.slots.values() for word in words]
            for template in made.templates:
                pieces.extend(re.split(r"\{[^{}]+\}", template))
            found[made.lang] = found.get(made.lang, frozenset()) | words_of(map(made.spell, pieces))
        return found

    def _listed(self, data: Mapping[str, Any]) -> tuple[Distractors, ...]:
        """Those of all slices, read once for as long as the data is the same object: they are drawn by the million."""
        if self._read is None or self._read[0] is not data:
            listed = map(distractors, Entry.of(self._name, data).at("slices").values())
            self._read = (data, tuple(made for made in listed if made is not None))
        return self._read[1]


def _values(rng: Rng, made: Distractors, template: str) -> Values:
    """Words and numbers for a distractor."""
    slots = slots_of(template)
    values = draw(rng, slots, made.slots, made.where)
    values.update((slot, str(2 + rng.below(made.numbers[slot] - 1))) for slot in slots if slot in made.numbers)
    return values
