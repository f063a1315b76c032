"""Corpora that are not what they were: other topics, judgements or documents under the same name."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from gate.base.sides import Sides
from gate.checks.loosened import Loosening
from gate.figures import count

_SHOWN = 3


def digest_of(sides: Sides, label: str, *, head: bool) -> str:
    """The digest of a corpus on one side: its pin in the repository's own recipe, else what its baselines say.

    The pin of a recipe that came with an installed gate is that of the head, and says nothing of
    the base. Empty where neither is there.
    """
    pin = (sides.head if head else sides.base).corpora[label].pin if sides.own_recipes else ""
    return pin or digest_in_baselines(sides, label, head=head)


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
        before, after = (side.corpora[label].pin if sides.own_recipes else "" for side in (sides.base, sides.head))
        recipe = sides.head.corpora[label].recipe
        where = sides.head.shown(str(recipe)) if recipe is not None else sides.where("corpora")
        if before and not after:
            said = f"the corpus {label} was pinned, and is not any more, so nothing vouches for its bytes"
            yield Loosening(f"pin {label}", label, said, where)
        if label in sides.renames:
            continue
        old, new = (digest_in_baselines(sides, label, head=head) for head in (False, True))
        if before and after and before != after:
            yield _changed(label, f"its digest was {before[:12]} and is {after[:12]}", where)
        elif old and new:
            if old != new:
                yield _changed(label, f"its baselines were made on {old[:12]}, and are on {new[:12]}", where)
        elif files := differing(label):
            more = f" and {count(len(files) - _SHOWN, 'more file')}" if len(files) > _SHOWN else ""
            yield _changed(label, f"{', '.join(files[:_SHOWN])}{more} differ from the base", where)


def _changed(label: str, how: str, where: str) -> Loosening:
    said = f"the corpus {label} changed: {how}; what it asked before is asked no more"
    return Loosening(f"corpus {label}", label, said, where)
