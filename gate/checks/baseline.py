"""Accepted results: what became of each gated cell, and what cannot be compared."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from gate.figures import count, figures_apart
from gate.measures import parse_measure
from gate.measures.forbidden import Forbidden
from gate.records import Check, Comparison
from gate.stats.rule import LEAST, largest_allowed

# What fails, and at which level: what is uncertain only warns.
FAILS = {"worse": "error", "uncertain": "warn"}
SLACK = 1e-9


def comparison_checks(comparisons: Iterable[Comparison], path: Path, waived: dict[str, str]) -> list[Check]:
    """One check a gated cell. `waived` maps cells to the reason why they are excused."""
    found = []
    for one in comparisons:
        cell = str(one.cell)
        unmeasured = one.outcome == "not measured"
        message = one.reason if unmeasured else _sentence(one)
        if cell in waived:
            status, message = "waived", f"{message}, waived: {waived[cell]}"
        else:
            status = "not measured" if unmeasured else "fail" if one.outcome in FAILS else "pass"
        found.append(
            Check(
                check_id=f"baseline {cell}",
                source="baseline",
                cell=cell,
                # A leak is told topic by topic, whatever the mean does.
                operator="" if unmeasured or _is_leak(one) else ">=" if _gain(one) else "<=",
                expected=None if _is_leak(one) else one.before,
                actual=one.after,
                status=status,
                level=FAILS.get(one.outcome, "error"),
                message=message,
                where=str(path),
                moves=one.moves,
            )
        )
    return found


def _gain(one: Comparison) -> bool:
    return parse_measure(one.cell.measure).higher_is_better


def _is_leak(one: Comparison) -> bool:
    return parse_measure(one.cell.measure).name == Forbidden.name


def _sentence(one: Comparison) -> str:
    before, after = figures_apart((one.before, one.after))
    if _is_leak(one):
        if one.cause == "straddles":
            return f"uncertain: on {one.lost} of {one.topics} topics a forbidden document came back in some repeats"
        if one.lost:
            return (
                f"leak: on {one.lost} of {one.topics} topics a forbidden document came back that the baseline kept out"
            )
        if one.outcome == "same":
            return f"no forbidden document came back that the baseline kept out on these {one.topics} topics"
        return f"{one.outcome}: {before} -> {after}, no topic leaks that did not"
    if one.outcome == "same":
        what = "rank moved" if parse_measure(one.cell.measure).cutoff else "refusal changed"
        return f"no {what} on these {one.topics} topics"
    lost = f"{one.lost or 'none'} of {one.topics} topics lost, {one.gained or 'none'} gained"
    if one.clusters < one.lost + one.gained:
        # Topics of one template or document move together, and count as one.
        lost += f", in {count(one.clusters, 'cluster')}"
    decided = one.cause in ("significant", "straddles") or one.outcome in ("uncertain", "better")
    shown = f" (p {_p(one.p)})" if one.p is not None and decided else ""
    says = [f"{one.outcome}: {before} -> {after}, {lost}{shown}"]
    if one.cause == "collapse":
        says.append("a collapse: a fifth of the slice got worse")
    elif one.cause == "straddles":
        says.append("the repeats of this noisy store fall on both sides")
    elif one.outcome == "uncertain":
        says.append("more lopsided than most harmless churn, not enough to fail")
    elif one.outcome == "churned" and one.lost and one.topics < LEAST:
        says.append(f"on fewer than {LEAST} topics losses are listed, and only a collapse fails")
    return "; ".join((*says, one.reason) if one.reason else says)


def _p(value: float) -> str:
    """A p-value as people read it; never 0."""
    return "under 0.001" if value < 0.001 else f"{value:.4f}" if value < 0.1 else f"{value:.2f}"


def gain_checks(comparisons: Iterable[Comparison], path: Path) -> list[Check]:
    """A warning a run of which some cell gained more than twice the largest loss that would pass, in one step."""
    runs: dict[str, list[Comparison]] = {}
    for one in comparisons:
        if not _is_leak(one) and _net_gain(one) > 2 * largest_allowed(one.topics) + SLACK:
            runs.setdefault(str(one.cell.run), []).append(one)
    return [_gain_check(run, gains, path) for run, gains in runs.items()]


def _net_gain(one: Comparison) -> float:
    """In topics; of a measure that is better low, what it fell."""
    if one.before is None or one.after is None:
        return 0.0
    return (one.after - one.before if _gain(one) else one.before - one.after) * one.topics


def _gain_check(run: str, gains: Sequence[Comparison], path: Path) -> Check:
    most = max(gains, key=_net_gain)
    before, after = figures_apart((most.before, most.after))
    allowed = count(largest_allowed(most.topics), "topic")
    others = f"; so did {count(len(gains) - 1, 'more cell')}" if len(gains) > 1 else ""
    return Check(
        check_id=f"gain {run}",
        source="baseline",
        cell=str(most.cell),
        operator="",
        expected=most.before,
        actual=most.after,
        status="fail",
        level="warn",
        message=(
            f"implausible gain: {before} -> {after} on {most.topics} topics, more than twice the largest loss that"
            f" would pass, {allowed} moving singly{others}. Look for answers or labels that leaked, then accept it"
        ),
        where=str(path),
    )


def refused(subject: str, path: Path, reason: str, *, required: bool) -> Check:
    """A baseline that is absent, or with which nothing can be compared."""
    return Check(
        check_id=f"baseline {subject}",
        source="baseline",
        cell="",
        operator="",
        expected=None,
        actual=None,
        status="not measured" if required else "pass",
        level="error" if required else "info",
        message=f"{subject}: {reason}",
        where=str(path),
    )
