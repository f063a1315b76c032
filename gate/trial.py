"""One store on one corpus and arm: the runs and cells that are planned."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from gate.asking import Question, Share
from gate.faults.fault import Fault
from gate.ingest import Subject
from gate.measures import ParsedMeasure
from gate.plan import Declared, ask_measures, ask_slices, ask_topics, plan_cells, plan_runs, topics_in, worth_timing
from gate.records import MODES, NO_FAULT, CellKey, Corpus, RunKey, Slice, Topic
from gate.sample import asked_under, has_cells
from gate.settings import FailOpen

WITHIN = FailOpen().within


@dataclass(frozen=True, slots=True)
class Trial:
    """The plan of one store, corpus and arm. `members[slice]` are the topics asked of a slice.

    `unasked` are slices that need an ability which the store does not declare; `empty` are
    slices without a topic. What is healthy is measured `repeats` times. `unlimited` is the same
    trial with all topics, where a limit leaves some out. `within` is what a failing part may delay a search,
    in seconds. `scored` says that it is compared with another device, for which scores are kept.
    """

    subject: Subject
    declared: Declared
    corpus: Corpus
    slices: tuple[Slice, ...]
    members: Mapping[str, tuple[Topic, ...]]
    keys: tuple[RunKey, ...]
    cells: tuple[CellKey, ...]
    unasked: tuple[str, ...]
    empty: tuple[str, ...]
    repeats: int = 1
    unlimited: Trial | None = None
    within: float = WITHIN
    scored: bool = False

    def topics(self, mode: str, fault: str = NO_FAULT) -> tuple[Topic, ...]:
        """The topics asked in a mode, in the corpus's order: all that make sense in it, or the sample of a fault."""
        return asked_under(fault, topics_in(mode, self.corpus, self.slices, self.members))

    def asked_in(self, mode: str, fault: str = NO_FAULT) -> dict[str, tuple[Topic, ...]]:
        """The topics of each slice that are asked in a mode; none where the slice has no cells under a fault."""
        in_mode = {t.topic_id for t in self.topics(mode, fault)}
        return {
            name: tuple(t for t in topics if t.topic_id in in_mode) if has_cells(name, fault) else ()
            for name, topics in self.members.items()
        }

    def question(self, key: RunKey, share: Share | None = None) -> Question:
        """What is asked in a run, or a share of it."""
        return Question(key, self.topics(key.mode, key.fault), share.of(key) if share is not None else None)

    @property
    def label(self) -> str:
        return f"{self.declared.name} on {self.corpus.label}, {self.subject.arm.name}"


def plan_trial(
    subject: Subject,
    declared: Declared,
    corpus: Corpus,
    *,
    slices: Sequence[str],
    modes: Sequence[str],
    faults: Sequence[Fault],
    measures: Sequence[ParsedMeasure],
    repeats: int = 1,
    only: frozenset[str] | None = None,
    within: float = WITHIN,
    scored: bool = False,
) -> Trial:
    """Every run and cell of a store on a corpus. `slices` are globs; empty `modes` are all that the store declares.

    Only faults of parts that the arm has are planned. `only` are the ids of the topics to ask, None for all.
    """
    parts = {"embedder": subject.embedder, "reranker": subject.reranker}
    faults = [fault for fault in faults if parts.get(fault.part) is not None]
    asked, unasked = ask_slices(corpus.slices, slices, declared.abilities)
    members = ask_topics(corpus, asked, declared.abilities)
    empty = tuple(s.name for s in asked if not members[s.name])
    if only is not None:
        members = {name: tuple(t for t in topics if t.topic_id in only) for name, topics in members.items()}
    asked = [s for s in asked if members[s.name]]
    wanted = [mode for mode in MODES if mode in declared.modes and (not modes or mode in modes)]
    wanted = [mode for mode in wanted if any(mode in s.modes for s in asked)]
    keys = plan_runs(declared, corpus.name, corpus.tier, subject.arm.name, wanted, faults)
    timed = worth_timing(declared.abilities, looked_up=subject.looked_up)
    wanted_measures = ask_measures(measures, declared.abilities, timed=timed)
    cells = plan_cells(keys, asked, wanted_measures, members, corpus)
    return Trial(
        subject,
        declared,
        corpus,
        tuple(asked),
        members,
        tuple(keys),
        tuple(cells),
        tuple(unasked),
        empty,
        repeats,
        within=within,
        scored=scored,
    )
