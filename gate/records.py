"""Every frozen record that crosses a stage, in the order of the flow.

settings -> plan -> corpus -> ingest -> search -> score -> compare -> verdict -> report -> exit code
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

MODES = ("keyword", "vector", "hybrid", "rerank", "facts")
ABILITIES = ("update", "delete", "supersede", "scope", "reopen", "evidence", "embedder", "reranker")
NO_FAULT = "none"
ALL_TOPICS = "all"


# --- corpus -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Document:
    """What is stored: id, text, and the metadata that a writer knows. All but the first two may be empty.

    `created_at` is ISO 8601 in UTC and orders the events of a session whatever the order of
    arrival. `refs` are ids of documents this one points to. `supersedes` is the id that this
    one replaces. `index_text` is what to index instead of `text`. `facts` are (key, value) pairs.
    """

    doc_id: str
    text: str
    session_id: str = ""
    speaker: str = ""
    created_at: str = ""
    lang: str = ""
    scope: frozenset[str] = frozenset()
    refs: tuple[str, ...] = ()
    supersedes: str = ""
    index_text: str = ""
    facts: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Topic:
    """A labelled need. `cluster` is the template or document it was made from: topics of one cluster move together."""

    topic_id: str
    text: str
    scope: frozenset[str] = frozenset()
    slices: tuple[str, ...] = ()
    cluster: str = ""


@dataclass(frozen=True, slots=True)
class Slice:
    """A named subset of the topics.

    `says` is the sentence on what it measures. `needs` are abilities without which a store is
    not asked its topics. `modes` are the modes in which the slice makes sense; a slice that
    names none is asked in every mode but `facts`.
    """

    name: str
    says: str
    needs: frozenset[str] = frozenset()
    modes: frozenset[str] = frozenset(MODES) - {"facts"}


@dataclass(frozen=True, slots=True)
class Corpus:
    """Documents, topics and judgements under one name and tier.

    `documents` makes a fresh stream each time it is called, so that large tiers are never in
    memory. `qrels[topic_id][doc_id]` is a grade from 0 to 3; `forbidden[topic_id][doc_id]` is
    the reason why that document must not come back (such documents have grade 0 in the qrels
    too). `deletions` are ids to delete once everything is stored. `pinned` is the expected
    digest, empty where none is pinned. `notes` are things a reader found worth saying.
    """

    name: str
    tier: str
    documents: Callable[[], Iterator[Document]]
    topics: tuple[Topic, ...]
    qrels: Mapping[str, Mapping[str, int]]
    forbidden: Mapping[str, Mapping[str, str]]
    slices: tuple[Slice, ...]
    deletions: tuple[str, ...] = ()
    pinned: str = ""
    source: str = ""
    licence: str = ""
    notes: tuple[str, ...] = ()

    @property
    def label(self) -> str:
        return f"{self.name}@{self.tier}"


# --- plan ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, order=True)
class RunKey:
    """Names one run: the ranked results of one store, corpus, arm, mode and fault."""

    store: str
    corpus: str
    tier: str
    arm: str
    mode: str
    fault: str = NO_FAULT

    def __str__(self) -> str:
        return f"{self.store}/{self.corpus}@{self.tier}/{self.arm}/{self.mode}/{self.fault}"

    @property
    def file_name(self) -> str:
        return ".".join((self.store, self.corpus, self.tier, self.arm, self.mode, self.fault)) + ".run"

    def cell(self, slice_name: str, measure: str) -> CellKey:
        return CellKey(self.store, self.corpus, self.tier, slice_name, self.arm, self.mode, self.fault, measure)


@dataclass(frozen=True, slots=True, order=True)
class CellKey:
    """Names one cell: `store/corpus@tier/slice/arm/mode/fault/measure`."""

    store: str
    corpus: str
    tier: str
    slice: str
    arm: str
    mode: str
    fault: str
    measure: str

    def __str__(self) -> str:
        return f"{self.store}/{self.corpus}@{self.tier}/{self.slice}/{self.arm}/{self.mode}/{self.fault}/{self.measure}"

    @property
    def run(self) -> RunKey:
        return RunKey(self.store, self.corpus, self.tier, self.arm, self.mode, self.fault)


@dataclass(frozen=True, slots=True)
class Limit:
    """An absolute budget on cells: `minimum` and `maximum`, either may be missing. `where` is file and line."""

    cell: str
    minimum: float | None
    maximum: float | None
    level: str = "error"
    reason: str = ""
    where: str = ""


@dataclass(frozen=True, slots=True)
class Contrast:
    """A budget on the difference or ratio of one measure between two cells (globs that expand alike)."""

    kind: str
    of: str
    partner: str
    minimum: float | None
    maximum: float | None
    level: str = "error"
    reason: str = ""
    where: str = ""


@dataclass(frozen=True, slots=True)
class Waiver:
    """Cells that are excused until the end of a day (ISO date), with the reason."""

    cell: str
    until: str
    reason: str
    where: str = ""


@dataclass(frozen=True, slots=True)
class Budgets:
    """All of one budget file. `path` is empty where there is none."""

    limits: tuple[Limit, ...] = ()
    contrasts: tuple[Contrast, ...] = ()
    waivers: tuple[Waiver, ...] = ()
    path: str = ""


# --- search -------------------------------------------------------------------------------


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
    """

    doc_ids: tuple[str, ...]
    duplicates: int
    surplus: int
    refused: bool
    degraded: frozenset[str]
    milliseconds: float


@dataclass(frozen=True, slots=True)
class Ingest:
    """What storing a corpus showed. `failure` is empty or says why it cannot be searched; `doc_ids` are all ids."""

    digest: str
    documents: int
    seconds: float
    environment: Mapping[str, str] = field(default_factory=dict)
    failure: str = ""
    doc_ids: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Run:
    """The results of one run. `failure` is empty or says why it is not measured.

    `part_calls` counts how often the part that a fault breaks was called while searching; it
    is None where no part is watched. `recovered` says, after a fault ended on the same
    instance, what was not healthy again; empty is well, None is not looked at.
    `repeats_moved` are topics whose ranks moved when they were asked again.
    """

    key: RunKey
    results: Mapping[str, TopicResult]
    failure: str = ""
    part_calls: int | None = None
    recovered: str | None = None
    repeats_moved: tuple[str, ...] = ()


# --- score --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class JudgedRanking:
    """All that a per-topic measure may look at: where the judged documents stand.

    `ranks` are (rank, grade) of the retrieved judged documents, by rank, ranks from 1;
    `relevant` the grades above 0 of all relevant documents, highest first, retrieved or not;
    `forbidden` the ranks of forbidden documents; `retrieved` the number of distinct hits.
    """

    ranks: tuple[tuple[int, int], ...]
    relevant: tuple[int, ...]
    forbidden: tuple[int, ...] = ()
    has_forbidden: bool = False
    retrieved: int = 0
    duplicates: int = 0
    refused: bool = False


@dataclass(frozen=True, slots=True)
class Timing:
    """All that a latency measure may look at: per-topic search times, and the ingest."""

    milliseconds: tuple[float, ...]
    documents: int
    ingest_seconds: float


@dataclass(frozen=True, slots=True)
class ScoredRun:
    """Per-topic values of one run: `values[measure][topic_id]`. A topic that a measure does not apply to is absent."""

    key: RunKey
    values: Mapping[str, Mapping[str, float]]


@dataclass(frozen=True, slots=True)
class Cell:
    """One planned cell after measuring: `status` is `measured`, `waived` or `not measured`.

    `value` is None where nothing was measured. `topics` counts the topics that the value is a mean over.
    """

    key: CellKey
    status: str
    value: float | None
    topics: int
    reason: str = ""


# --- compare ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class MovedDoc:
    """A relevant or forbidden document that changed its rank. A rank of None is 'not in the results'."""

    doc_id: str
    grade: int
    before: int | None
    after: int | None
    text: str = ""
    forbidden: str = ""


@dataclass(frozen=True, slots=True)
class Ahead:
    """A document that now ranks above what was lost."""

    doc_id: str
    rank: int
    text: str = ""


@dataclass(frozen=True, slots=True)
class TopicMove:
    """What one topic lost or won: the documents that moved and what outranks them now.

    `before` is None where there is no baseline to move from.
    """

    topic_id: str
    query: str
    before: float | None
    after: float
    moved: tuple[MovedDoc, ...]
    ahead: tuple[Ahead, ...]


@dataclass(frozen=True, slots=True)
class Comparison:
    """One cell against its baseline. `outcome` is better, same, churned, worse, uncertain or `not measured`.

    `lost` counts the topics that got worse; `moves` shows the worst of them.
    """

    cell: CellKey
    outcome: str
    before: float | None
    after: float | None
    topics: int
    lost: int = 0
    reason: str = ""
    moves: tuple[TopicMove, ...] = ()


# --- verdict ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Check:
    """One comparison, wherever it comes from.

    `source` is budget, contrast, baseline, fail-open, probe or plan. `status` is pass, fail,
    waived or `not measured`; `level` is error, warn or info. `operator` is one of `>=`, `<=`,
    `==` or empty. `where` is file and line of the rule, where it has one.
    """

    check_id: str
    source: str
    cell: str
    operator: str
    expected: float | None
    actual: float | None
    status: str
    level: str
    message: str
    where: str = ""
    moves: tuple[TopicMove, ...] = ()


@dataclass(frozen=True, slots=True)
class Verdict:
    """All checks, all cells and the exit code.

    `verdict` is PASS, REGRESSION, NOT_MEASURED or INTERRUPTED. `notes` are what a reader must
    know whatever the outcome: flags that narrowed, modes not declared, parts that cannot be
    failed. `out_of_scope` counts budgets that flags left out. `narrowed` says which flags
    make the run unfit for a baseline.
    """

    verdict: str
    exit_code: int
    checks: tuple[Check, ...]
    cells: tuple[Cell, ...]
    notes: tuple[str, ...] = ()
    narrowed: tuple[str, ...] = ()
    out_of_scope: int = 0
    planted: str = ""
