"""The plan: every cell that has to be measured, listed before anything is.

What a store does not declare is not planned. What flags leave out is out of scope, and the
plan knows the difference between the two, because it is made twice: once of the settings
alone, and once of what the flags leave of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from gate.errors import UsageError
from gate.faults.fault import Fault
from gate.files import nearest
from gate.globs import chosen, unmatched
from gate.measures import MEASURES, RUN_MEASURES, ParsedMeasure
from gate.measures.judgement import looks_at
from gate.records import ALL_TOPICS, NO_FAULT, CellKey, Corpus, RunKey, Slice, Topic
from gate.sample import asked_under, has_cells, is_sampled
from gate.settings import Settings


@dataclass(frozen=True, slots=True)
class Flags:
    """What the command line narrows or replaces. Empty means 'as in the settings'.

    `store`, `corpora`, `tiers` and `arms` choose which baselines a run belongs to; the others
    make it unfit to become one. `limit` is a number of topics; `dedup` is None where nothing is said.
    """

    store: str = ""
    corpora: tuple[str, ...] = ()
    tiers: tuple[str, ...] = ()
    slices: tuple[str, ...] = ()
    modes: tuple[str, ...] = ()
    arms: tuple[str, ...] = ()
    depth: int = 0
    plant: str = ""
    limit: int = 0
    granularity: str = ""
    dedup: bool | None = None


@dataclass(frozen=True, slots=True)
class Request:
    """What a run is asked for: the settings, what flags make of them, the day, and how strict to be.

    `fail_on` is error, warn or never; `not_measured` is fail or allow. `base` is a commit, `none`,
    or empty for the one that the event of this run tells; `accept_loosened` says that what
    loosens the bar against it is meant. A `fresh` run uses no checkpoint.
    """

    settings: Settings
    flags: Flags
    today: date
    fail_on: str = "error"
    not_measured: str = "fail"
    base: str = ""
    accept_loosened: bool = False
    fresh: bool = False

    @property
    def depth(self) -> int:
        return self.flags.depth or self.settings.depth

    @property
    def granularity(self) -> str:
        return self.flags.granularity or self.settings.granularity

    @property
    def dedup(self) -> bool:
        return self.settings.dedup if self.flags.dedup is None else self.flags.dedup


@dataclass(frozen=True, slots=True)
class Declared:
    """What an opened store said of itself."""

    name: str
    modes: frozenset[str]
    abilities: frozenset[str]


def check_globs(globs: Sequence[str], names: Sequence[str], what: str) -> None:
    """Raises UsageError where a glob chooses or leaves out nothing that exists."""
    for glob in unmatched(globs, names):
        raise UsageError(f"{what}-unknown", f"no {what} is called '{glob}'", hint=nearest(glob, names))


def ask_slices(
    slices: Sequence[Slice], globs: Sequence[str], abilities: frozenset[str]
) -> tuple[list[Slice], list[str]]:
    """The slices a store is asked, `all` first, and those that need an ability it does not declare."""
    everything = Slice(ALL_TOPICS, "every topic")
    wanted = set(chosen([ALL_TOPICS, *(s.name for s in slices)], globs))
    asked = [s for s in (everything, *slices) if s.name in wanted and s.needs <= abilities]
    missing = [s.name for s in slices if s.name in wanted and not s.needs <= abilities]
    return asked, missing


def ask_topics(corpus: Corpus, slices: Sequence[Slice], abilities: frozenset[str]) -> dict[str, tuple[Topic, ...]]:
    """The topics of each asked slice, without those that need an ability the store does not declare."""
    needs = {s.name: s.needs for s in corpus.slices}
    able = [t for t in corpus.topics if all(needs.get(name, frozenset()) <= abilities for name in t.slices)]
    return {s.name: tuple(t for t in able if s.name == ALL_TOPICS or s.name in t.slices) for s in slices}


def topics_in(
    mode: str, corpus: Corpus, slices: Sequence[Slice], members: Mapping[str, Sequence[Topic]]
) -> tuple[Topic, ...]:
    """The topics asked in a mode, in the corpus's order: those of a slice that makes sense in it."""
    senseless = {s.name for s in corpus.slices if mode not in s.modes}
    wanted = {t.topic_id for s in slices if mode in s.modes for t in members[s.name]}
    return tuple(
        t for t in corpus.topics if t.topic_id in wanted and (not t.slices or not senseless.issuperset(t.slices))
    )


def has_value(measure: ParsedMeasure, topics: Sequence[Topic], corpus: Corpus) -> bool:
    """Whether a measure has at least one topic of these to look at."""
    if measure.name in RUN_MEASURES:
        return bool(topics)
    return any(looks_at(MEASURES[measure.name], topic.topic_id, corpus) for topic in topics)


def ask_measures(
    measures: Sequence[ParsedMeasure], abilities: frozenset[str], *, timed: bool = True
) -> list[ParsedMeasure]:
    """The measures that a store can be asked for: those of its evidence only where it declares that it gives any.

    Where it is not `timed`, those of time are left out.
    """
    return [
        m
        for m in measures
        if ("evidence" in abilities or not _of_evidence(m)) and (timed or m.name not in RUN_MEASURES)
    ]


def worth_timing(abilities: frozenset[str], *, looked_up: bool) -> bool:
    """Whether the time of a search says anything: not where the store gets parts of ours that look vectors up."""
    return not (looked_up and abilities & {"embedder", "reranker"})


def _of_evidence(measure: ParsedMeasure) -> bool:
    return measure.name in MEASURES and MEASURES[measure.name].applies_to == "evidence"


def plan_runs(
    declared: Declared, corpus: str, tier: str, arm: str, modes: Sequence[str], faults: Sequence[Fault]
) -> list[RunKey]:
    """The runs of one store on one corpus: each declared mode in health, then under each fault it can suffer."""
    runs = [RunKey(declared.name, corpus, tier, arm, mode) for mode in modes]
    for fault in faults:
        if fault.part in declared.abilities:
            runs += [
                RunKey(declared.name, corpus, tier, arm, mode, fault.name) for mode in modes if mode in fault.modes
            ]
    return runs


def plan_cells(
    runs: Iterable[RunKey],
    slices: Sequence[Slice],
    measures: Sequence[ParsedMeasure],
    topics: Mapping[str, Sequence[Topic]] | None = None,
    corpus: Corpus | None = None,
) -> list[CellKey]:
    """Every cell of some runs. With topics and corpus, only those that a measure applies to.

    Measures of a whole run (latency, ingest) are planned for `all` topics in health. A run under a fault
    that is asked on a sample has cells of `all` topics alone.
    """
    # Asked once a slice, not once a run: whether a measure applies rests on the topics alone.
    valued = {
        part.name: [m for m in measures if topics is None or corpus is None or has_value(m, topics[part.name], corpus)]
        for part in slices
    }
    few: dict[tuple[str, str], list[ParsedMeasure]] = {}
    cells = []
    for run in runs:
        for part in slices:
            if run.mode not in part.modes or not has_cells(part, run.fault):
                continue
            applying = valued[part.name]
            if is_sampled(run.fault) and topics is not None and corpus is not None:
                if (run.mode, run.fault) not in few:
                    sample = asked_under(run.fault, topics_in(run.mode, corpus, slices, topics))
                    few[run.mode, run.fault] = [m for m in applying if has_value(m, sample, corpus)]
                applying = few[run.mode, run.fault]
            for measure in applying:
                whole = measure.name in RUN_MEASURES
                if whole and (part.name != ALL_TOPICS or run.fault != NO_FAULT):
                    continue
                cells.append(run.cell(part.name, measure.label))
    return cells
