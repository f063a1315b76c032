"""Base and head side by side: what every comparison of the two looks at."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date

from gate.base.grid import Grid
from gate.base.side import BaselineName, Side
from gate.baselines import Baseline
from gate.faults import faults_matching
from gate.records import ALL_TOPICS, MODES, CellKey, Corpus

_NAME = re.compile(r"[^*?\[\]]+")

Read = Callable[[BaselineName], "Baseline | None"]


@dataclass(frozen=True, slots=True)
class Sides:
    """Both sides, the day, and what the head's store said of itself.

    `store` is its name, None where it could not be opened; `declared` are its modes, all there
    are in that case. `of_base` and `of_head` read a baseline of a side, `corpus` a corpus of the
    head by its label; each gives None where there is none. `own_recipes` says that the base has
    recipes of its own. `renames[label][old]` is the new name of a slice that was shown to be the same.
    """

    base: Side
    head: Side
    today: date
    store: str | None
    declared: Collection[str]
    of_base: Read
    of_head: Read
    corpus: Callable[[str], Corpus | None]
    own_recipes: bool = False
    renames: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    def where(self, key: str) -> str:
        """Where the head says it, else where the base did."""
        return self.head.where(key) if self.head.says(key) or not self.base.says(key) else self.base.where(key)

    def where_of_corpus(self, label: str) -> str:
        """Where the settings of the head name a corpus."""
        if not self.head.says("corpora"):
            return self.where("corpora")
        return self.head.where("corpora", list(self.head.corpora).index(label), "sha256")

    @property
    def labels(self) -> list[str]:
        """The corpora of both sides."""
        return [label for label in self.base.corpora if label in self.head.corpora]

    def slices_of_base(self, label: str) -> list[str]:
        """The names of the base's slices: from its recipe, else from its baselines."""
        known = self.base.slices(label)
        return list(known) if known is not None else _in_baselines(self.base, self.of_base, label)

    def slices_of_head(self, label: str) -> list[str]:
        """The names of the head's slices: from its recipe, else from the corpus itself."""
        known = self.head.slices(label)
        if known is not None:
            return list(known)
        corpus = self.corpus(label)
        names = [s.name for s in corpus.slices] if corpus is not None else _in_baselines(self.head, self.of_head, label)
        return list(dict.fromkeys((ALL_TOPICS, *names)))

    def renamed(self, cell: CellKey) -> CellKey:
        """A cell of the base as the head calls it."""
        new = self.renames.get(f"{cell.corpus}@{cell.tier}", {}).get(cell.slice)
        return cell if new is None else replace(cell, slice=new)

    def renamed_name(self, cell: str) -> str:
        """The same for a cell that is given by its name."""
        parts = cell.split("/")
        parts[2] = self.renames.get(parts[1], {}).get(parts[2], parts[2])
        return "/".join(parts)

    @property
    def modes(self) -> list[str]:
        """The modes that the base asked for: those of its settings, else all declared, and all in its baselines."""
        asked = set(self.base.modes(self.declared))
        if not self.base.settings.modes:
            for name in self.base.baselines:
                baseline = self.of_base(name) if self.store in (None, name.store) else None
                asked |= {run.partition("/")[0] for run in baseline.runs} if baseline is not None else set()
        return [mode for mode in MODES if mode in asked]

    def kept_slices(self, label: str) -> list[str]:
        """The base's slices of a corpus that the head has too, by the base's names."""
        there = set(self.slices_of_head(label))
        new = self.renames.get(label, {})
        return [name for name in self.slices_of_base(label) if new.get(name, name) in there]

    def grid(self) -> Grid:
        """The cells of the base that the head still has, under the base's names.

        What is gone with its corpus, slice, arm, mode, fault or measure is told as that, once.
        """
        base, head = self.base, self.head
        rules = [limit.cell for side in (base, head) for limit in side.budgets.limits]
        rules += [cell for side in (base, head) for c in side.budgets.contrasts for cell in (c.of, c.partner)]
        stores = [self.store or "", *(name.store for name in base.baselines), *_named(rules, 0)]
        slices: dict[str, dict[str, frozenset[str]]] = {}
        for label in self.labels:
            known = base.slices(label) or {}
            slices[label] = {
                name: known[name].modes if name in known else frozenset(MODES) for name in self.kept_slices(label)
            }
        kept_modes = head.modes(self.declared)
        faults = {fault.name for fault in faults_matching(head.settings.fail_open.faults)}
        return Grid(
            tuple(dict.fromkeys(store for store in stores if store)),
            slices,
            tuple(arm for arm in base.settings.arms if arm in head.settings.arms),
            tuple(mode for mode in self.modes if mode in kept_modes),
            {f.name: f.modes for f in faults_matching(base.settings.fail_open.faults) if f.name in faults},
            tuple(measure for measure in base.measures if measure in head.measures),
        )


def _in_baselines(side: Side, read: Read, label: str) -> list[str]:
    found = [ALL_TOPICS]
    for name in side.baselines:
        baseline = read(name) if name.label == label else None
        found += [cell.split("/")[2] for cell in baseline.header["scores"]] if baseline is not None else []
    return list(dict.fromkeys(found))


def _named(cells: Iterable[str], at: int) -> list[str]:
    """What rules name in one of their parts without a glob."""
    return [part for cell in cells if _NAME.fullmatch(part := cell.split("/")[at])]
