"""What became of it against a baseline, all checks, and the verdict."""

from __future__ import annotations

from dataclasses import dataclass

from gate.records.plan import CellKey
from gate.records.search import Cell


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

    `lost` and `gained` count the topics that got worse and better; `moves` shows the worst of
    those lost; `clusters` counts the clusters of all that did. `cause` says why it is worse:
    significant, collapse or leak; or that a noisy store's repeats make it uncertain: straddles.
    `p` is the adjusted p-value of the loss, of the gain where it is better; None where it was
    not tested.
    """

    cell: CellKey
    outcome: str
    before: float | None
    after: float | None
    topics: int
    lost: int = 0
    gained: int = 0
    reason: str = ""
    cause: str = ""
    clusters: int = 0
    p: float | None = None
    moves: tuple[TopicMove, ...] = ()


@dataclass(frozen=True, slots=True)
class Check:
    """One comparison, wherever it comes from.

    `source` is budget, contrast, baseline, fail-open, probe, plan, base or compare. `status` is pass, fail,
    waived or `not measured`; `level` is error, warn or info. `operator` is one of `>=`, `<=`,
    `==` or empty. `where` is file and line of the rule, where it has one. `paste` is where
    something is missing that can be pasted: its place, and the line on a line of its own. `show` are
    lines of Python that show what was found.
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
    paste: str = ""
    show: tuple[str, ...] = ()


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
