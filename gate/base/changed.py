"""Corpora that are not what they were: other topics, judgements or documents under the same name."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from gate.base.sides import Sides
from gate.checks.loosened import Loosening
from gate.figures import count

_SHOWN = 3


def digest_of(sides: Sides, label: str, *, head: bool) -> str:
    """The digest of a corpus on one side: its pin, else what its baselines say. Empty where neither is there."""
    return pin_of(sides, label, head=head) or digest_in_baselines(sides, label, head=head)


def pin_of(sides: Sides, label: str, *, head: bool) -> str:
    """The pin that the settings give a corpus read from a path, or that the repository's own recipe gives.

    The pin of a recipe that came with an installed gate is that of the head, and says nothing of
    the base. Empty without a pin.
    """
    corpus = (sides.head if head else sides.base).corpora[label]
    return corpus.pin if corpus.recipe is None or sides.own_recipes else ""


def digest_in_baselines(sides: Sides, label: str, *, head: bool) -> str:
    """The digest on which the baselines of a corpus were made on one side; empty without one."""
    side, read = (sides.head, sides.of_head) if head else (sides.base, sides.of_base)
    for name in side.baselines:
        baseline = read(name) if name.label == label else None
        if baseline is not None:
            return baseline.methodology["corpus"]
    return ""


def changed_corpora(sides: Sides, differing: Callable[[str], list[str]]) -> Iterator[Loosening]:
    """Each corpus whose digest changed beyond renames, by its pin, its baselines or, given by path, its files.

    `differing` lists the files of a corpus given by path that differ from the base.
    """
    for label in sides.labels:
        before, after = (pin_of(sides, label, head=head) for head in (False, True))
        recipe = sides.head.corpora[label].recipe
        where = sides.head.shown(str(recipe)) if recipe is not None else sides.where_of_corpus(label)
        if before and not after:
            said = f"the corpus {label} was pinned to {before[:12]}, and is not any more"
            yield Loosening(f"pin {label}", label, f"{said}, so nothing vouches for its bytes", where)
        if label in sides.renames:
            continue
        old, new = (digest_in_baselines(sides, label, head=head) for head in (False, True))
        if before and after and before != after:
            yield _changed(label, f"its digest was {before[:12]} and is {after[:12]}", where)
        elif old and new:
            if old != new:
                yield _changed(label, f"its baselines were made on {old[:12]}, and are on {new[:12]}", where)
        elif not (before and not after) and (files := differing(label)):
            more = f" and {count(len(files) - _SHOWN, 'more file')}" if len(files) > _SHOWN else ""
            yield _changed(label, f"{', '.join(files[:_SHOWN])}{more} differ from the base", where)


def _changed(label: str, how: str, where: str) -> Loosening:
    said = f"the corpus {label} changed: {how}; what it asked before is asked no more"
    return Loosening(f"corpus {label}", label, said, where)
