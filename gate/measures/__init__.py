"""The measures: their registry, their names as people write them, and the values of a run.

Adding one is a file, a line in the registry and a test.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches

from gate.errors import UsageError
from gate.measures.all_r import AllR
from gate.measures.ap import AP
from gate.measures.coverage import Coverage
from gate.measures.duplicates import Duplicates
from gate.measures.false_refused import FalseRefused
from gate.measures.forbidden import Forbidden
from gate.measures.hit import Hit
from gate.measures.ingest import IngestRate
from gate.measures.judged import Judged
from gate.measures.judgement import judge, judge_ranks, score_each
from gate.measures.latency import Latency
from gate.measures.measure import RunMeasure, TopicMeasure
from gate.measures.ndcg import NDCG
from gate.measures.p import P
from gate.measures.r import R
from gate.measures.refused import Refused
from gate.measures.rr import RR
from gate.records import JudgedRanking

__all__ = [
    "ALIASES",
    "DEFAULT_MEASURES",
    "MEASURES",
    "RUN_MEASURES",
    "ParsedMeasure",
    "RunMeasure",
    "TopicMeasure",
    "judge",
    "judge_ranks",
    "parse_measure",
    "score_topics",
    "version_of",
]

_TOPIC: tuple[TopicMeasure, ...] = (
    P(), R(), Hit(), RR(), AP(), NDCG(), AllR(), Judged(), Forbidden(), Duplicates(), Refused(),
    FalseRefused(), Coverage(),
)  # fmt: skip
_RUN: tuple[RunMeasure, ...] = (Latency(50), Latency(95), Latency(99), IngestRate())

MEASURES: Mapping[str, TopicMeasure] = {measure.name: measure for measure in _TOPIC}
RUN_MEASURES: Mapping[str, RunMeasure] = {measure.name: measure for measure in _RUN}
ALIASES: Mapping[str, str] = {"MRR": "RR"}

# What is measured unless the settings say otherwise. R@5 and nDCG@10 are the gated pair; the
# others explain a change in them: was it the first hit, the tail, or the judgements.
DEFAULT_MEASURES: tuple[str, ...] = (
    "P@5",
    "R@5",
    "R@10",
    "RR@10",
    "nDCG@10",
    "AP@100",
    "Hit@1",
    "Hit@5",
    "AllR@10",
    "Judged@10",
    "Forbidden@10",
    "Duplicates",
    "Refused",
    "FalseRefused",
    "Coverage",
    "latency-p50",
    "latency-p95",
    "latency-p99",
    "ingest-rate",
)

_EXAMPLES = "Measures look like nDCG@10, R@5, RR@10, Duplicates or latency-p95."
_CUTOFF = re.compile(r"[1-9][0-9]{0,8}")


@dataclass(frozen=True, slots=True)
class ParsedMeasure:
    """A measure as it was asked for. `name` is a key of MEASURES or RUN_MEASURES; a `cutoff` of 0 is none."""

    name: str
    cutoff: int = 0

    @property
    def label(self) -> str:
        """As printed, and as it stands in a cell: `nDCG@10`, `Duplicates`."""
        return f"{self.name}@{self.cutoff}" if self.cutoff else self.name

    @property
    def higher_is_better(self) -> bool:
        return (RUN_MEASURES.get(self.name) or MEASURES[self.name]).higher_is_better


def parse_measure(text: str) -> ParsedMeasure:
    """Reads a measure as people write it: `nDCG@10`, `MRR@10` (which is RR@10), `latency-p95`.

    Raises UsageError where the name is unknown (case counts), or the cutoff is missing, not a
    whole number from 1, or not the measure's to take.
    """
    written, at, cutoff = text.partition("@")
    name = ALIASES.get(written, written)
    if name not in MEASURES and name not in RUN_MEASURES:
        raise UsageError("measure-unknown", f"no measure is called '{written}'", hint=f"{_like(written)} {_EXAMPLES}")
    takes_cutoff = name in MEASURES and MEASURES[name].takes_cutoff
    if at and not takes_cutoff:
        raise UsageError(
            "measure-cutoff", f"'{text}': {written} takes no cutoff", hint=f"Write '{written}'. {_EXAMPLES}"
        )
    if at and not _CUTOFF.fullmatch(cutoff):
        raise UsageError(
            "measure-cutoff",
            f"'{text}': the cutoff has to be a whole number from 1, not '{cutoff}'",
            hint=f"Write '{written}@10', for example. {_EXAMPLES}",
        )
    if not at and takes_cutoff and not MEASURES[name].cutoff_optional:
        raise UsageError(
            "measure-cutoff", f"'{text}' needs a cutoff", hint=f"Write '{written}@10', for example. {_EXAMPLES}"
        )
    return ParsedMeasure(name, int(cutoff) if at else 0)


def version_of(label: str) -> int:
    """The version of a measure's definition, by the name of a cell: it rises when the definition changes."""
    name = parse_measure(label).name
    return (RUN_MEASURES.get(name) or MEASURES[name]).version


def _like(written: str) -> str:
    """A hint with the known name most like a written one, whatever its case, or with all of them."""
    known = {name.lower(): name for name in (*MEASURES, *RUN_MEASURES, *ALIASES)}
    close = get_close_matches(written.lower(), known, n=1, cutoff=0.5)
    return f"Did you mean '{known[close[0]]}'?" if close else f"Known: {', '.join(known.values())}."


def score_topics(rankings: Mapping[str, JudgedRanking], parsed: ParsedMeasure) -> dict[str, float]:
    """The value of a per-topic measure for each topic that it applies to.

    `rankings` holds EVERY topic that was asked, those without results too: a topic that is
    skipped could raise a mean. A topic without results gets the measure's own value for that.
    Raises KeyError for a measure of a whole run.
    """
    return score_each(rankings, MEASURES[parsed.name], parsed.cutoff)
