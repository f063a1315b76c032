"""Articles and other small words that follow the class of a noun: `der Korb`, `die Lampe`; `le tonneau`, `l'échelle`.

A language's data says under `agreement`, for each class, what stands for each of these words, and
a noun says under `agrees` what its class is. Templates hold the words as slots. A value that
is joined to the noun (`l'`) has no space, the others of its slot end in one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from gate.corpus.entry import Entry


@dataclass(frozen=True, slots=True)
class Agreement:
    """The small words of each class, by slot."""

    classes: Mapping[str, Mapping[str, str]]

    @classmethod
    def of(cls, language: Entry) -> Agreement:
        """Those of a language, none where it has no `agreement`. Raises UsageError where a class lacks a word."""
        if not language.has("agreement"):
            return cls({})
        classes = {}
        slots: tuple[str, ...] = ()
        for name, entry in language.at("agreement").items():
            classes[name] = entry.named_texts()
            slots = slots or entry.names()
            if set(slots) != set(classes[name]):
                entry.fail(f"this has to have the same words as the first class: {', '.join(slots)}")
        return cls(classes)

    def around(self, noun: Entry) -> dict[str, str]:
        """What fills the slots around a noun, by what it says under `agrees`; nothing where it says nothing."""
        return dict(self.named(noun.at("agrees").text(), noun)) if noun.has("agrees") else {}

    def named(self, name: str, noun: Entry) -> Mapping[str, str]:
        """What fills the slots around a noun of the class of that name. Raises UsageError where there is none."""
        if name not in self.classes:
            noun.fail(f"there is no class '{name}' under 'agreement'; known: {', '.join(self.classes) or 'none'}")
        return self.classes[name]
