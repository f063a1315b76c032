"""The flow of a comparison: read both sides, pair them, judge every cell, name the topics that moved."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from gate.ab.cells import differences_of, scored
from gate.ab.moved import moved_topics, unjudged_moves
from gate.ab.pairing import Chosen, pair
from gate.ab.records import Compared, Side
from gate.ab.verdict import verdict_of
from gate.errors import UsageError
from gate.measures import MEASURES, RUN_MEASURES, ParsedMeasure, parse_measure

# The gated pair, and what must not come back where anything must not.
DEFAULT = ("R@5", "nDCG@10")
LEAK = "Forbidden@10"
EVERY = "all"
MOVED_SHOWN = 20
# What a TREC file cannot say: it holds neither refusals nor repeats, nor what is forbidden.
_UNTOLD = ("Refused", "FalseRefused", "Duplicates", "Forbidden")


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is asked of a comparison. `measures` are names, or `all`; empty for the default.

    `margin` asks for a test of equivalence; `every_topic` for all topics that moved. `fail_on`
    and `not_measured` are as for `gate run`.
    """

    chosen: Chosen = field(default_factory=Chosen)
    measures: tuple[str, ...] = ()
    margin: float | None = None
    every_topic: bool = False
    fail_on: str = "error"
    not_measured: str = "fail"


def compare(a: Side, b: Side, wanted: Wanted) -> Compared:
    """Compares two sides. Raises UsageError for what neither of them has."""
    measures = measures_of(wanted.measures, (a, b))
    pairing = pair(a, b, wanted.chosen)
    pairs = [scored(one, measures) for one in pairing.pairs]
    differences, test = differences_of(pairs, measures, wanted.margin)
    moved, number = moved_topics(pairs, measures, None if wanted.every_topic else MOVED_SHOWN)
    by_run = {one.pair.b.key: one for one in pairs}
    verdict = verdict_of(differences, by_run, pairing, fail_on=wanted.fail_on, not_measured=wanted.not_measured)
    unjudged = unjudged_moves(pairing.pairs, {key: one.moved for key, one in by_run.items()})
    return Compared(a, b, pairing, differences, test, moved, number, unjudged, wanted.margin, verdict)


def measures_of(names: Sequence[str], sides: Sequence[Side]) -> list[ParsedMeasure]:
    """The per-topic measures to compare. Raises UsageError for one that these sides cannot have."""
    files = all(not side.measures for side in sides)
    depths = [fields.get("depth", "") for side in sides for fields in side.methodology.values()]
    depth = min((int(written) for written in depths if written.isdecimal()), default=0)
    if not names or EVERY in names:
        settings = [] if not names else [m for side in sides for m in side.measures]
        names = (*DEFAULT, *(() if files else (LEAK,)), *settings, *(name for name in names if name != EVERY))
        found = [parse_measure(name) for name in names]
        return list(dict.fromkeys(m for m in found if not depth or m.cutoff <= depth))
    found = list(dict.fromkeys(parse_measure(name) for name in names))
    for measure in found:
        _refuse(measure, depth, files=files)
    return found


def _refuse(measure: ParsedMeasure, depth: int, *, files: bool) -> None:
    if measure.name in RUN_MEASURES:
        raise UsageError(
            "compare-measure",
            f"{measure.label} has no value for a topic, so nothing can be paired",
            hint=f"Measures of topics: {', '.join(MEASURES)}.",
        )
    if files and measure.name in _UNTOLD:
        raise UsageError(
            "compare-measure",
            f"a TREC file does not say what {measure.label} needs",
            hint="Compare two results folders of gate run.",
        )
    if depth and measure.cutoff > depth:
        raise UsageError(
            "compare-measure",
            f"{measure.label} looks further down than these runs were asked: {depth} hits",
            hint="Give a smaller cutoff, or run again with --k.",
        )
