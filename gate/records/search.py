"""What came back, and what the measures see of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from gate.records.plan import CellKey, RunKey


@dataclass(frozen=True, slots=True)
class ScoredDoc:
    """One hit. Scores are the store's own and only informative: rank is the truth."""

    doc_id: str
    score: float


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a store knows of its own answer.

    `answerable` is its own judgement; `coverage` the share of what was asked that its best
    hits cover, from 0 to 1.
    """

    answerable: bool
    coverage: float


@dataclass(frozen=True, slots=True)
class SearchResult:
    """A store's answer: `hits` in ranked order, the parts it says it went without, and more where it has more."""

    hits: tuple[ScoredDoc, ...]
    degraded: frozenset[str] = frozenset()
    context: str = ""
    evidence: Evidence | None = None


@dataclass(frozen=True, slots=True)
class TopicResult:
    """What came back for one topic in one run.

    `doc_ids` are distinct, in the store's order, at most the depth asked for; `duplicates`
    counts the repeats that were dropped, `surplus` the hits past the depth. `refused` says
    that nothing came back or that the store itself called the question unanswerable.
    `coverage` is the share of the question that the store says it covers, None where it says nothing.
    `scores` are the store's own, one a document, where arms are compared; else empty.
    """

    doc_ids: tuple[str, ...]
    duplicates: int
    surplus: int
    refused: bool
    degraded: frozenset[str]
    milliseconds: float
    coverage: float | None = None
    scores: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Ingest:
    """What storing a corpus showed. `failure` is empty or says why it cannot be searched; `doc_ids` are all ids.

    Where the best unit of each session counts, `doc_ids` are those of sessions, and `sessions`
    maps every stored id to its own. `unlike_pin` says that the failure is another digest than the pinned one.
    """

    digest: str
    documents: int
    seconds: float
    environment: Mapping[str, str] = field(default_factory=dict)
    failure: str = ""
    doc_ids: frozenset[str] = frozenset()
    sessions: Mapping[str, str] = field(default_factory=dict)
    unlike_pin: bool = False


@dataclass(frozen=True, slots=True)
class Calls:
    """What one search asked of the part that a fault breaks: calls made, and those of them that went wrong."""

    made: int
    failed: int


@dataclass(frozen=True, slots=True)
class Run:
    """The results of one run. `failure` is empty or says why it is not measured.

    `part_calls` counts how often the part that a fault breaks was called while searching; it
    is None where no part is watched. `topic_calls` are those calls topic by topic. `recovered`
    says, after a fault ended on the same instance, what was not healthy again; empty is well,
    None is not looked at.
    `repeats_moved` are topics whose ranks moved when they were asked again. `repeats` are the
    results of further measurements, each of a store that was stored anew: only where a store is
    declared noisy.
    """

    key: RunKey
    results: Mapping[str, TopicResult]
    failure: str = ""
    part_calls: int | None = None
    recovered: str | None = None
    repeats_moved: tuple[str, ...] = ()
    repeats: tuple[Mapping[str, TopicResult], ...] = ()
    topic_calls: Mapping[str, Calls] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class JudgedRanking:
    """All that a per-topic measure may look at: where the judged documents stand.

    `ranks` are (rank, grade) of the retrieved judged documents, by rank, ranks from 1;
    `relevant` the grades above 0 of all relevant documents, highest first, retrieved or not;
    `forbidden` the ranks of forbidden documents; `retrieved` the number of distinct hits;
    `coverage` the share of the question that the store says it covers, None where it says nothing.
    """

    ranks: tuple[tuple[int, int], ...]
    relevant: tuple[int, ...]
    forbidden: tuple[int, ...] = ()
    has_forbidden: bool = False
    retrieved: int = 0
    duplicates: int = 0
    refused: bool = False
    coverage: float | None = None


@dataclass(frozen=True, slots=True)
class Timing:
    """All that a latency measure may look at: per-topic search times, and the ingest."""

    milliseconds: tuple[float, ...]
    documents: int
    ingest_seconds: float


@dataclass(frozen=True, slots=True)
class ScoredRun:
    """Per-topic values of one run: `values[measure][topic_id]`. A topic that a measure does not apply to is absent.

    Of a run that was measured in repeats they are the means, and `repeats` holds those of each.
    """

    key: RunKey
    values: Mapping[str, Mapping[str, float]]
    repeats: tuple[Mapping[str, Mapping[str, float]], ...] = ()


@dataclass(frozen=True, slots=True)
class Cell:
    """One planned cell after measuring: `status` is `measured`, `waived` or `not measured`.

    `value` is None where nothing was measured. `topics` counts the topics that the value is a
    mean over. `spread` is the lowest and the highest value of a noisy store's repeats, whose mean
    `value` then is.
    """

    key: CellKey
    status: str
    value: float | None
    topics: int
    reason: str = ""
    spread: tuple[float, float] | None = None
