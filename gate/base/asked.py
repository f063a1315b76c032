"""What the settings ask for, on both sides: corpora, slices, modes, arms, measures, depth, and how strictly.

`RULES` has an entry for every key of the settings, so that a new key cannot go unnoticed: a
rule, or the reason why that key has none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from gate.base.sides import Sides
from gate.budgets import matches
from gate.checks.loosened import Loosening
from gate.faults import faults_matching
from gate.probes.plan import SETS

# From the smallest units to the largest.
GRANULARITIES = ("turn", "chunk", "session")
Rule = Callable[[Sides], Iterable[Loosening]]


def asked_for(sides: Sides) -> list[Loosening]:
    """Everything that the settings of the head ask for less of, in the order of `RULES`."""
    return [one for rule in (*RULES.values(), *FAIL_OPEN.values()) if callable(rule) for one in rule(sides)]


def _gone(
    sides: Sides, key: str, what: str, names: Iterable[str], tail: str = "is asked for no more"
) -> list[Loosening]:
    return [Loosening(f"{what} {name}", name, f"the {what} {name} {tail}", sides.where(key)) for name in names]


def _without(names: Iterable[str], kept: Iterable[str]) -> list[str]:
    there = set(kept)
    return [name for name in dict.fromkeys(names) if name not in there]


def _corpora(sides: Sides) -> list[Loosening]:
    return _gone(sides, "corpora", "corpus", _without(sides.base.corpora, sides.head.corpora))


def _slices(sides: Sides) -> Iterator[Loosening]:
    """Slices gone from the corpora that both sides have, and slices that make sense in fewer modes or need more."""
    gone: dict[str, list[str]] = {}
    for label in sides.labels:
        for name in _without(sides.slices_of_base(label), sides.kept_slices(label)):
            gone.setdefault(name, []).append(label)
    for name, labels in gone.items():
        recipe = next((sides.head.corpora[label].recipe for label in labels), None)
        left_out = any(name in {s.name for s in sides.head.corpora[label].slices or ()} for label in labels)
        where = sides.where("slices") if left_out or recipe is None else sides.head.shown(str(recipe))
        yield Loosening(f"slice {name}", name, f"the slice {name} of {', '.join(labels)} is asked for no more", where)
    told = set(gone)
    for label in sides.labels:
        before, after = sides.base.slices(label) or {}, sides.head.slices(label) or {}
        where = sides.head.shown(str(sides.head.corpora[label].recipe or ""))
        for name, old in before.items():
            new = after.get(sides.renames.get(label, {}).get(name, name))
            if new is None or name in told:
                continue
            if lost := sorted(old.modes - new.modes):
                told.add(name)
                said = f"the slice {name} is no longer asked in {', '.join(lost)}"
                yield Loosening(f"slice {name} modes", name, said, where)
            if more := sorted(new.needs - old.needs):
                told.add(name)
                said = f"the slice {name} is now asked only of stores that can {', '.join(more)}"
                yield Loosening(f"slice {name} needs", name, said, where)


def _modes(sides: Sides) -> Iterator[Loosening]:
    for mode in _without(sides.modes, sides.head.modes(sides.declared)):
        undeclared = mode not in sides.declared and not sides.head.settings.modes
        tail = "is declared by the store no more" if undeclared else "is asked for no more"
        yield from _gone(sides, "modes", "mode", [mode], tail)


def _arms(sides: Sides) -> list[Loosening]:
    return _gone(sides, "arms", "arm", _without(sides.base.settings.arms, sides.head.settings.arms))


def _measures(sides: Sides) -> list[Loosening]:
    return _gone(sides, "measures", "measure", _without(sides.base.measures, sides.head.measures))


def _depth(sides: Sides) -> Iterator[Loosening]:
    before, after = sides.base.settings.depth, sides.head.settings.depth
    if after < before:
        said = f"{after} hits are asked for, {before} were"
        yield Loosening("depth", "depth", said, sides.where("depth"))


def _baseline(sides: Sides) -> Iterator[Loosening]:
    if (sides.base.settings.baseline, sides.head.settings.baseline) == ("required", "optional"):
        said = "a baseline was required, and is optional now"
        yield Loosening("baseline optional", "baseline", said, sides.where("baseline"))


def _granularity(sides: Sides) -> Iterator[Loosening]:
    """Larger units are fewer, and found more easily."""
    before, after = sides.base.settings.granularity, sides.head.settings.granularity
    if GRANULARITIES.index(after) > GRANULARITIES.index(before):
        said = f"what is stored and judged was a {before}, and is a {after}"
        yield Loosening("granularity", "granularity", said, sides.where("granularity"))


def _dedup(sides: Sides) -> Iterator[Loosening]:
    if sides.head.settings.dedup and not sides.base.settings.dedup:
        said = "each session is judged by its best unit now, which was not so"
        yield Loosening("dedup", "dedup", said, sides.where("dedup"))


def _noisy(sides: Sides) -> Iterator[Loosening]:
    if sides.head.settings.noisy and not sides.base.settings.noisy:
        said = "the store is declared noisy, which it was not: ranks that move by themselves are no finding any more"
        yield Loosening("noisy", "noisy", said, sides.where("noisy"))


def _probes(sides: Sides) -> Iterator[Loosening]:
    before, after = sides.base.settings.probes, sides.head.settings.probes
    if SETS.index(after) < SETS.index(before):
        said = f"the probes were {before}, and are {after}"
        yield Loosening("probes", "probes", said, sides.where("probes"))


def _require(sides: Sides) -> Iterator[Loosening]:
    """Cells that had to be measured and need not be any more. Globs written otherwise that say the same are silent."""
    kept = sides.head.settings.require
    grid = None
    for cell in sides.base.settings.require:
        if cell in kept or sides.renamed_name(cell) in kept:
            continue
        grid = grid or sides.grid()
        spoken = [sides.renamed(key) for key in grid.cells(cell)]
        if spoken and all(any(matches(glob, key) for glob in kept) for key in spoken):
            continue
        said = f"{cell} had to be measured, and need not be any more"
        yield Loosening(f"require {cell}", cell, said, sides.where("require"))


def _faults(sides: Sides) -> list[Loosening]:
    before, after = (
        [fault.name for fault in faults_matching(side.settings.fail_open.faults)] for side in (sides.base, sides.head)
    )
    return _gone(sides, "fail_open", "fault", _without(before, after))


def _bound(name: str, says: str, operator: str) -> Rule:
    """A rule for a number of the fail-open contract."""

    def rule(sides: Sides) -> Sequence[Loosening]:
        before, after = (getattr(side.settings.fail_open, name) for side in (sides.base, sides.head))
        if (after >= before) if operator == ">=" else (after <= before):
            return ()
        said = f"fail_open.{name}, {says}, was {before:g} and is {after:g}"
        cell = f"fail_open.{name}"
        return (Loosening(f"fail-open {name}", cell, said, sides.where("fail_open"), operator, before, after),)

    return rule


RULES: Mapping[str, Rule | str] = {
    "path": "where the file stands asks for nothing",
    "store": "another store is told as a note; its baselines and budgets are compared",
    "corpora": _corpora,
    "slices": _slices,
    "modes": _modes,
    "arms": _arms,
    "measures": _measures,
    "depth": _depth,
    "budgets": "what the file says is compared, rule by rule",
    "baselines": "what the files say is compared, cell by cell",
    "baseline": _baseline,
    "fail_open": "each of its keys has a rule in FAIL_OPEN",
    "require": _require,
    "timeout": "patience is no part of the bar",
    "granularity": _granularity,
    "dedup": _dedup,
    "pins": "a corpus that is pinned to other bytes is told as changed; one without a pin is not measured",
    "noisy": _noisy,
    "probes": _probes,
    "models": "another model is another methodology, whose baseline is refused; budgets hold whatever the model",
    "renames": "each is held against both sides before it is used",
}
FAIL_OPEN: Mapping[str, Rule | str] = {
    "faults": _faults,
    "within": _bound("within", "the delay that a failing part may cause", "<="),
    "floor": _bound("floor", "the least R@5 of a fallback", ">="),
    "agreement": _bound("agreement", "the least agreement with keyword search", ">="),
}
