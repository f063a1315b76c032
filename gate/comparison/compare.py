"""The flow of a comparison: read both sides, pair them, judge every cell, name the topics that moved."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from gate.comparison.cells import differences_of, scored
from gate.comparison.moved import moved_topics, unjudged_moves
from gate.comparison.pairing import Chosen, pair
from gate.comparison.records import Compared, Gap, Pairing, Side
from gate.comparison.verdict import verdict_of
from gate.errors import UsageError
from gate.figures import count
from gate.measures import MEASURES, RUN_MEASURES, ParsedMeasure, parse_measure
from gate.measures.forbidden import Forbidden
from gate.paired import GATED, LEAK

EVERY = "all"
MOVED_SHOWN = 20


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
    measures, deeper = measures_of(wanted.measures, (a, b))
    pairing = deeper.told(pair(a, b, wanted.chosen))
    pairs = [scored(one, measures) for one in pairing.pairs]
    differences, test = differences_of(pairs, measures, wanted.margin)
    moved, number = moved_topics(pairs, measures, None if wanted.every_topic else MOVED_SHOWN)
    by_run = {one.pair.b.key: one for one in pairs}
    verdict = verdict_of(differences, by_run, pairing, fail_on=wanted.fail_on, not_measured=wanted.not_measured)
    unjudged = unjudged_moves(pairing.pairs, {key: one.moved for key, one in by_run.items()})
    return Compared(a, b, pairing, differences, test, moved, number, unjudged, wanted.margin, verdict)


@dataclass(frozen=True, slots=True)
class Deeper:
    """Measures left out since they look further down than `depth`, the hits that the runs were asked for.

    `unguarded` is set where one of them was the only check of leaks, and something is forbidden.
    """

    depth: int = 0
    labels: tuple[str, ...] = ()
    unguarded: bool = False

    @property
    def notes(self) -> tuple[str, ...]:
        names = ", ".join(self.labels)
        said = f"left out, further down than the {count(self.depth, 'hit')} that these runs were asked for: {names}"
        return (said,) if self.labels else ()

    @property
    def gaps(self) -> tuple[Gap, ...]:
        asked = f"these runs were asked for {count(self.depth, 'hit')}"
        gap = Gap(LEAK, f"not looked at, since {asked}: nothing else looks for leaks (--measure {Forbidden.name}@k)")
        return (gap,) if self.unguarded else ()

    def told(self, pairing: Pairing) -> Pairing:
        return replace(pairing, gaps=(*pairing.gaps, *self.gaps), notes=(*pairing.notes, *self.notes))


def measures_of(names: Sequence[str], sides: Sequence[Side]) -> tuple[list[ParsedMeasure], Deeper]:
    """The per-topic measures to compare, and those left out. Raises UsageError for one that these sides cannot have.

    Unless named they are those that `gate run` holds against a baseline, as far as these sides can tell them.
    """
    files = all(not side.measures for side in sides)
    depths = [fields.get("depth", "") for side in sides for fields in side.methodology.values()]
    depth = min((int(written) for written in depths if written.isdecimal()), default=0)
    if names and EVERY not in names:
        found = list(dict.fromkeys(parse_measure(name) for name in names))
        for measure in found:
            _refuse(measure, depth, files=files)
        return found, Deeper()
    settings = [m for side in sides for m in side.measures] if names else []
    asked = [parse_measure(name) for name in (*GATED, LEAK, *settings, *(name for name in names if name != EVERY))]
    told = [m for m in dict.fromkeys(asked) if not files or MEASURES[m.name].from_ranks]
    found = [m for m in told if not depth or m.cutoff <= depth]
    deeper = [m for m in told if m not in found]
    unguarded = any(m.name == Forbidden.name for m in deeper) and not any(m.name == Forbidden.name for m in found)
    forbids = any(corpus.forbidden for side in sides for corpus in side.corpora.values())
    return found, Deeper(depth, tuple(m.label for m in deeper), unguarded and forbids)


def _refuse(measure: ParsedMeasure, depth: int, *, files: bool) -> None:
    if measure.name in RUN_MEASURES:
        raise UsageError(
            "compare-measure",
            f"{measure.label} has no value for a topic, so nothing can be paired",
            hint=f"Measures of topics: {', '.join(MEASURES)}.",
        )
    if files and not MEASURES[measure.name].from_ranks:
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
