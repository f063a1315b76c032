"""Whether anything but the text gives the relevant documents away.

A store that knew nothing of language could still do well if relevant documents had lower ids,
came earlier or were longer than the rest. For each such trait: the chance that a relevant
document has more of it than another one (the area under the ROC curve, from ranks: Mann and
Whitney, "On a test of whether one of two random variables is stochastically larger than the
other", Annals of Mathematical Statistics 18, 1947). 0.5 gives nothing away.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from gate.records import Corpus, Document

_TRAITS: Mapping[str, Callable[[int, Document], object]] = {
    "id": lambda _, document: document.doc_id,
    "position": lambda position, _: position,
    "session": lambda _, document: document.session_id,
}


@dataclass(frozen=True, slots=True)
class Leak:
    """`chance` that a relevant document has more of the trait than another; `sigmas` from what no leak would give."""

    trait: str
    chance: float
    sigmas: float


def leakage(corpus: Corpus) -> tuple[Leak, ...]:
    """The leak of ids, positions in the stream, sessions' names, and of length in characters within a language."""
    relevant = {doc for grades in corpus.qrels.values() for doc, grade in grades.items() if grade > 0}
    traits: dict[str, list[tuple[object, bool]]] = {name: [] for name in _TRAITS}
    lengths: dict[str, list[tuple[object, bool]]] = {}
    for position, document in enumerate(corpus.documents()):
        labelled = document.doc_id in relevant
        for name, trait in _TRAITS.items():
            traits[name].append((trait(position, document), labelled))
        lengths.setdefault(f"length ({document.lang})", []).append((len(document.text), labelled))
    found = (_leak(name, values) for name, values in sorted({**traits, **lengths}.items()))
    return tuple(leak for leak in found if leak is not None)


def _leak(name: str, values: list[tuple[object, bool]]) -> Leak | None:
    """None where all documents are alike, relevant or not."""
    order = sorted(values, key=lambda pair: pair[0])  # type: ignore[arg-type,return-value]
    ranks = 0.0
    start = 0
    while start < len(order):
        end = start
        while end < len(order) and order[end][0] == order[start][0]:
            end += 1
        ranks += sum(labelled for _, labelled in order[start:end]) * (start + end + 1) / 2
        start = end
    ones = sum(labelled for _, labelled in order)
    zeros = len(order) - ones
    if not ones or not zeros:
        return None
    wins = ranks - ones * (ones + 1) / 2
    deviation = math.sqrt(ones * zeros * (ones + zeros + 1) / 12)
    return Leak(name, wins / (ones * zeros), (wins - ones * zeros / 2) / deviation)
