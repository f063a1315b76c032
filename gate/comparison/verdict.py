"""From cells and gaps to a verdict: the same checks, cells and exit code that `gate run` gives."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from gate.comparison.cells import PairValues
from gate.comparison.moved import move_of
from gate.comparison.records import Difference, Gap, Pairing
from gate.figures import count, figures_apart
from gate.measures import parse_measure
from gate.measures.forbidden import Forbidden
from gate.moves import SHOWN
from gate.records import Cell, Check, RunKey, TopicMove, Verdict
from gate.stats.rule import NOISE
from gate.verdict import decide

SOURCE = "compare"
# What fails, and at which level: what is uncertain only warns.
_LEVELS = {"worse": "error", "uncertain": "warn"}


def verdict_of(
    differences: Sequence[Difference],
    scored: Mapping[RunKey, PairValues],
    pairing: Pairing,
    *,
    fail_on: str,
    not_measured: str,
) -> Verdict:
    """One check a cell, and one for whatever could not be compared."""
    checks = [_check(difference, scored[difference.b.run]) for difference in differences]
    cells = [Cell(difference.b, "measured", difference.mean_b, difference.topics) for difference in differences]
    return decide(
        [*checks, *gap_checks(pairing.gaps)], cells, fail_on=fail_on, not_measured=not_measured, notes=pairing.notes
    )


def gap_checks(gaps: Iterable[Gap]) -> list[Check]:
    return [
        Check(
            check_id=f"{SOURCE} {gap.subject}: {gap.reason}",
            source=SOURCE,
            cell="",
            operator="",
            expected=None,
            actual=None,
            status="not measured",
            level="error",
            message=f"{gap.subject}: {gap.reason}",
        )
        for gap in gaps
    ]


def _check(difference: Difference, one: PairValues) -> Check:
    outcome = difference.judged.outcome
    failed = outcome in _LEVELS
    measure = parse_measure(difference.b.measure)
    # A leak is told topic by topic, whatever the mean does.
    leak = measure.name == Forbidden.name
    return Check(
        check_id=f"{SOURCE} {difference.b}",
        source=SOURCE,
        cell=str(difference.b),
        operator="" if leak else ">=" if measure.higher_is_better else "<=",
        expected=None if leak else difference.mean_a,
        actual=difference.mean_b,
        status="fail" if failed else "pass",
        level=_LEVELS.get(outcome, "error"),
        message=sentence(difference),
        moves=_moves(difference, one) if failed else (),
    )


def sentence(difference: Difference) -> str:
    """What became of a cell, in words."""
    judged = difference.judged
    n = difference.topics
    if judged.outcome == "same":
        return f"no rank moved on these {n} topics"
    before, after = figures_apart((difference.mean_a, difference.mean_b))
    cause = f", {judged.cause}" if judged.cause else ""
    p = "" if judged.p is None else f"; p {judged.p:.4f} for a loss"
    return (
        f"{judged.outcome}{cause}: {before} -> {after} on {count(n, 'topic')},"
        f" {difference.lost} lost and {difference.won} won{p}"
    )


def _moves(difference: Difference, one: PairValues) -> tuple[TopicMove, ...]:
    """The topics that a cell lost, the largest loss first."""
    measure = parse_measure(difference.b.measure)
    ours, theirs = one.values[measure]
    sign = 1 if measure.higher_is_better else -1
    gains = {
        t.topic_id: sign * (theirs[t.topic_id] - ours[t.topic_id])
        for t in one.members(difference.b.slice)
        if t.topic_id in ours
    }
    topics = {t.topic_id: t for t in one.pair.topics}
    lost = sorted((topic for topic, gain in gains.items() if gain < -NOISE), key=lambda topic: (gains[topic], topic))
    return tuple(move_of(one, topics[topic], measure) for topic in lost[:SHOWN])
