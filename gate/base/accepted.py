"""Baselines of both sides: what is gone from them, what they accept that is worse, and leaks that they now allow."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path

from gate.base.ranks import fresh_repeats, lowered_cells
from gate.base.side import BaselineName
from gate.base.sides import Sides
from gate.baselines import Baseline, forbidden_within
from gate.checks.loosened import Loosening
from gate.figures import count, figures_apart
from gate.measures import parse_measure
from gate.paired import GATED, LEAK
from gate.records import NO_FAULT
from gate.stats.rule import NOISE


def lowered_baselines(sides: Sides) -> Iterator[Loosening]:
    """Every baseline of the base whose corpus and arm both sides ask for, against the one in its place."""
    for name, path in sides.base.baselines.items():
        if name.label not in sides.head.corpora or name.arm not in sides.head.settings.arms or _other(sides, name):
            continue
        theirs = sides.head.baselines.get(name)
        if theirs is None:
            said = f"the baseline of {name} is gone"
            yield Loosening(f"baseline {name}", str(name), said, sides.base.shown(str(path)))
        elif sides.store is not None and name.store != sides.store:
            said = f"nothing reads the baseline of {name} any more: the store calls itself {sides.store}"
            yield Loosening(f"baseline {name}", str(name), said, sides.head.shown(str(theirs)))
        elif theirs.read_bytes() != path.read_bytes():
            old, new = sides.of_base(name), sides.of_head(name)
            if old is not None and new is not None:
                yield from _Lowered(sides, name, old, new, theirs).all()


def _other(sides: Sides, name: BaselineName) -> bool:
    """Whether a baseline is that of another store, beside one of the gated store."""
    own = BaselineName(sides.store or "", name.label, name.arm)
    return name.store != sides.store and own in sides.base.baselines


class _Lowered:
    """One baseline as it was and as it is."""

    def __init__(self, sides: Sides, name: BaselineName, old: Baseline, new: Baseline, path: Path) -> None:
        self.sides, self.name, self.old, self.new = sides, name, old, new
        self.where = f"{sides.head.shown(str(path))}:1"
        self.modes = sides.head.modes(sides.declared)
        self.faults = sides.grid().faults
        renamed = name.label in sides.renames
        self.same_corpus = renamed or old.methodology["corpus"] == new.methodology["corpus"]
        # Ranks are those of units, which are judged as the corpus of the head is cut into them.
        self.same_units = all(old.methodology.get(key) == new.methodology.get(key) for key in ("granularity", "dedup"))
        self.leaks_told = False

    def all(self) -> Iterator[Loosening]:
        yield from self._runs_gone()
        yield from self._topics_gone()
        yield from self._repeats()
        if self.same_corpus:
            yield from self._leaks()
            told = list(self._scores())
            yield from told
            yield from self._ranks({one.name for one in told})

    def _kept(self, run: str) -> bool:
        """Whether the head still asks for a run of the base: what it asks for no more is told as that."""
        mode, _, fault = run.partition("/")
        return mode in self.modes and (fault == NO_FAULT or fault in self.faults)

    def _runs_gone(self) -> Iterator[Loosening]:
        for run in self.old.runs:
            if run not in self.new.runs and self._kept(run):
                said = f"the baseline of {self.name} holds {run} no more"
                yield Loosening(f"baseline {self.name} {run}", f"{self.name} {run}", said, self.where)

    def _topics_gone(self) -> Iterator[Loosening]:
        gone = sorted(self.old.clusters.keys() - self.new.clusters.keys())
        if gone:
            said = f"the baseline of {self.name} has lost {count(len(gone), 'topic')}, {gone[0]} first"
            yield Loosening(f"topics {self.name}", str(self.name), said, self.where)
        for run, stood in self.old.runs.items():
            missing = sorted((stood.keys() - self.new.runs.get(run, stood).keys()) - set(gone))
            if missing and self._kept(run):
                said = f"the baseline of {self.name} holds {count(len(missing), 'topic')} less in {run}"
                yield Loosening(f"topics {self.name} {run}", str(self.name), f"{said}, {missing[0]} first", self.where)

    def _repeats(self) -> Iterator[Loosening]:
        """Repeats that the base had none of: ranks that move within them are no finding any more."""
        for run, stands in self.new.runs.items():
            fresh = fresh_repeats(self.old.runs[run], stands) if run in self.old.runs and self._kept(run) else []
            if fresh:
                said = (
                    f"the baseline of {self.name} holds repeats of a noisy store in {run}, on"
                    f" {count(len(fresh), 'topic')}, where the base had one answer, {fresh[0]} first"
                )
                yield Loosening(f"repeats {self.name} {run}", f"{self.name} {run}", said, self.where)

    def _ranks(self, told: Collection[str]) -> Iterator[Loosening]:
        """Gated cells in which the ranks went down, also where the scores of the header did not."""
        corpus = self.sides.corpus(self.name.label) if self.same_units else None
        if corpus is None:
            return
        new_names = self.sides.renames.get(self.name.label, {})
        slices = [new_names.get(part, part) for part in self.sides.kept_slices(self.name.label)]
        for run, stood in self.old.runs.items():
            mode, _, fault = run.partition("/")
            if fault != NO_FAULT or run not in self.new.runs or not self._kept(run):
                continue
            for part, measure, before, after in lowered_cells(stood, self.new.runs[run], mode, slices, corpus):
                cell = f"{self.name.store}/{self.name.label}/{part}/{self.name.arm}/{run}/{measure}"
                if f"baseline {cell}" not in told:
                    shown = figures_apart((before, after))
                    said = f"the ranks of the baseline give {shown[1]}, those of the base gave {shown[0]}"
                    operator = ">=" if parse_measure(measure).higher_is_better else "<="
                    yield Loosening(f"baseline {cell}", cell, said, self.where, operator, before, after)

    def _leaks(self) -> Iterator[Loosening]:
        """Forbidden documents that the base kept out on a topic, and that the head has as accepted."""
        corpus = self.sides.corpus(self.name.label)
        if corpus is None:
            return
        self.leaks_told = True
        cutoff = parse_measure(LEAK).cutoff
        for run, stood in self.old.runs.items():
            stands = self.new.runs.get(run, {})
            leaked = {
                topic: docs
                for topic, before in stood.items()
                if run.endswith(f"/{NO_FAULT}")
                and topic in stands
                and (
                    docs := forbidden_within(stands[topic], corpus.forbidden.get(topic, {}), cutoff)
                    - forbidden_within(before, corpus.forbidden.get(topic, {}), cutoff)
                )
            }
            if leaked and self._kept(run):
                topic = min(leaked)
                said = (
                    f"the baseline accepts a leak in {run}, on {count(len(leaked), 'topic')}: a forbidden document"
                    f" that the base kept out, {min(leaked[topic])} on topic {topic} first"
                )
                yield Loosening(f"leak {self.name} {run}", f"{self.name} {run}", said, self.where)

    def _scores(self) -> Iterator[Loosening]:
        """Scores of the gated cells that went down, and cells that have none any more."""
        before, after = self.old.header["scores"], self.new.header["scores"]
        slices = set(self.sides.kept_slices(self.name.label))
        gone: dict[tuple[str, str], int] = {}
        for cell, value in sorted(before.items()):
            _store, _corpus, part, _arm, mode, fault, measure = cell.split("/")
            if fault != NO_FAULT or measure not in (*GATED, LEAK) or part not in slices or mode not in self.modes:
                continue
            named = self.sides.renamed_name(cell)
            if named not in after:
                if f"{mode}/{fault}" in self.new.runs:
                    gone[part, mode] = gone.get((part, mode), 0) + 1
            elif not (measure == LEAK and self.leaks_told):
                yield from self._score(named, measure, value, after[named])
        for (part, mode), number in gone.items():
            said = f"the baseline of {self.name} has no score of {part} in {mode} any more ({count(number, 'cell')})"
            yield Loosening(f"baseline {self.name} {part} {mode}", f"{self.name} {part}/{mode}", said, self.where)

    def _score(self, cell: str, measure: str, before: float, after: float) -> Iterator[Loosening]:
        upward = parse_measure(measure).higher_is_better
        if (before - after if upward else after - before) > NOISE:
            shown = figures_apart((before, after))
            said = f"the baseline accepts {shown[1]}, the base had {shown[0]}"
            yield Loosening(f"baseline {cell}", cell, said, self.where, ">=" if upward else "<=", before, after)
