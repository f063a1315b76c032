"""Every frozen record that crosses a stage, in the order of the flow.

settings -> plan -> corpus -> ingest -> search -> score -> compare -> verdict -> report -> exit code
"""

from gate.records.corpus import (
    ABILITIES,
    ALL_TOPICS,
    MODES,
    NO_FAULT,
    Corpus,
    Document,
    Slice,
    Topic,
    Units,
)
from gate.records.plan import (
    Budgets,
    CellKey,
    Contrast,
    Limit,
    RunKey,
    Waiver,
)
from gate.records.search import (
    Calls,
    Cell,
    Evidence,
    Ingest,
    JudgedRanking,
    Run,
    ScoredDoc,
    ScoredRun,
    SearchResult,
    Timing,
    TopicResult,
)
from gate.records.verdict import (
    Ahead,
    Check,
    Comparison,
    MovedDoc,
    TopicMove,
    Verdict,
)

__all__ = [
    "ABILITIES",
    "ALL_TOPICS",
    "MODES",
    "NO_FAULT",
    "Ahead",
    "Budgets",
    "Calls",
    "Cell",
    "CellKey",
    "Check",
    "Comparison",
    "Contrast",
    "Corpus",
    "Document",
    "Evidence",
    "Ingest",
    "JudgedRanking",
    "Limit",
    "MovedDoc",
    "Run",
    "RunKey",
    "ScoredDoc",
    "ScoredRun",
    "SearchResult",
    "Slice",
    "Timing",
    "Topic",
    "TopicMove",
    "TopicResult",
    "Units",
    "Verdict",
    "Waiver",
]
