"""What every view of a proof says, so that a terminal and a page never tell two stories."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator

from gate.figures import count, figures_apart
from gate.prove.false_alarms import Alarms
from gate.prove.records import (
    CAUGHT,
    ESCAPED,
    FALSE_ALARM,
    GREEN,
    HARMLESS,
    LATENCY,
    NOT_JUDGED,
    NOT_PLANTED,
    NOT_REACHED,
    Proof,
    Row,
    Sight,
    Worst,
)
from gate.stats.paired_latency import FAIL, PASS

# Where a red check can come from, in the order of the columns; `plan` is what could not be measured at all, and
# `latency` what takes longer than in health when both are timed by turns.
SOURCES = ("budget", "contrast", "baseline", "fail-open", "probe", "parity", "plan", LATENCY)
HEAD = ("defect", "family", *SOURCES, "weakest dose", "command")
NUMBERS = frozenset(range(2, 2 + len(SOURCES) + 1))
NONE = "-"


def headline(proof: Proof) -> str:
    """What the exit code rests on, in one line."""
    escaped, caught = proof.of(ESCAPED), proof.of(CAUGHT)
    benign, alarms = proof.of(GREEN), proof.of(FALSE_ALARM)
    told = [f"{len(caught)} of {count(len(caught) + len(escaped), 'defect')} caught"]
    told += [f"{len(escaped)} escaped"] if escaped else []
    if benign or alarms:
        told.append(f"{len(benign)} of {count(len(benign) + len(alarms), 'harmless change')} stayed green")
    harmless = proof.of(HARMLESS)
    lacking = [row for row in harmless if row.defect.lacks]
    for number, says in (
        (len(lacking), "need a check that the gate has not"),
        (len(harmless) - len(lacking), "cost nothing that is asked"),
        (len(proof.of(NOT_JUDGED)), "could not be judged"),
        (len(proof.of(NOT_REACHED)), "were not reached"),
        (len(proof.of(NOT_PLANTED)), "could not be planted"),
    ):
        told += [f"{number} {says}"] if number else []
    if proof.itself is not None and proof.itself.outcome != PASS:
        slower = proof.itself.outcome == FAIL
        told.append("the healthy store " + ("was told slower than itself" if slower else "could not be timed"))
    return "; ".join(told)


def planted_in(proof: Proof) -> str:
    return f"{proof.store} on {', '.join(proof.corpora)}, {', '.join(proof.arms)}; modes {', '.join(proof.modes)}"


def matrix(proof: Proof) -> tuple[tuple[str, ...], ...]:
    """A row a defect that was planted and is not harmless: red checks at the full dose, by what they come from."""
    shown = [row for row in proof.rows if row.outcome in (CAUGHT, ESCAPED)]
    return tuple(_matrix_row(row) for row in shown)


def _matrix_row(row: Row) -> tuple[str, ...]:
    full = row.sights[0]
    seen = Counter(full.by) + Counter(full.unknown if row.defect.unmeasurable else {})
    counts = [str(seen[source]) if source in seen else NONE for source in SOURCES]
    weakest = NONE if row.weakest is None else f"{row.weakest:g}" + (" only" if row.defect.undosed else "")
    command = NONE if row.command_exit is None else f"exit {row.command_exit}"
    return (row.defect.name, row.defect.family, *counts, weakest, command)


def escapes(proof: Proof) -> Iterator[tuple[Row, tuple[str, ...]]]:
    """Each defect that changes answers and turns nothing red, with what is known of it."""
    for row in proof.of(ESCAPED):
        worst = row.sights[0].worst
        told = [f"stands for {row.defect.stands_for}"]
        if worst is not None:
            bound = "min" if worst.operator == ">=" else "max"
            told.append(f"it cost most in {loss(worst)}")
            told.append(f'a budget would catch it: {{cell: "{worst.cell}", {bound}: {_bound(worst)}}}')
        if row.sights[0].odd:
            told.append(f"no measure sees that {row.sights[0].odd}")
        yield row, tuple(told)


def loss(worst: Worst) -> str:
    before, after = figures_apart((worst.before, worst.after))
    return f"{worst.cell}: {before} -> {after}, {worst.lost} of {count(worst.topics, 'topic')} worse"


def _bound(worst: Worst) -> str:
    """A bound that health meets with one topic to spare, or with none where the defect costs no more."""
    sign = 1 if worst.operator == ">=" else -1
    spared = worst.before - sign / worst.topics
    bound = spared if sign * spared > sign * worst.after and worst.before else worst.before
    # Rounded to the side of health that it is met on.
    return f"{sign * math.floor(sign * bound * 1000 + 1e-6) / 1000:g}"


def weaker(proof: Proof) -> Iterator[tuple[Row, str]]:
    """Each caught defect that was not caught at a weaker dose, or has none, with the reason."""
    for row in proof.of(CAUGHT):
        if row.defect.undosed:
            yield row, f"has no weaker dose: {row.defect.undosed}"
            continue
        missed = next((sight for sight in row.sights if not row.told(sight)), None)
        if missed is not None:
            yield row, f"is not caught at {missed.dose:g}: {_why(missed)}"


def _why(sight: Sight) -> str:
    if sight.timed:
        return sight.timed
    if sight.worst is not None:
        return f"the most it costs is {loss(sight.worst)}"
    return sight.odd or _no_loss(sight)


def _no_loss(sight: Sight) -> str:
    if sight.changed:
        return "answers change, and no measure is worse for it"
    return "no answer changes: nothing that is asked shows it, or the store does so by itself"


def unjudged(proof: Proof) -> Iterator[tuple[Row, str]]:
    """Each defect with which the store could not be measured, or that was not reached, with the reason."""
    for row in proof.of(NOT_JUDGED):
        yield row, f"could not be judged: {next(iter(row.sights[0].first.values()), 'something was not measured')}"
    for row in proof.of(NOT_REACHED):
        yield row, row.reason


def others(proof: Proof) -> Iterator[tuple[Row, str]]:
    """Each defect that says nothing about the gate here, with the reason."""
    for row in proof.of(HARMLESS):
        yield row, row.defect.lacks or row.sights[0].timed or _no_loss(row.sights[0])
    for row in proof.of(NOT_PLANTED):
        yield row, row.reason


def false_alarms(proof: Proof) -> Iterator[tuple[Row, str]]:
    """Each harmless change that turned something red, with what did."""
    for row in proof.of(FALSE_ALARM):
        for sight in row.sights:
            if sight.red:
                yield row, f"at dose {sight.dose:g}, {next(iter(sight.first.values()), 'the verdict is not green')}"


def alarms_headline(alarms: Alarms) -> str:
    if not alarms.runs:
        return "no run was finished"
    low, high = alarms.interval
    bad = len(alarms.red)
    rate = f"{100 * bad / len(alarms.runs):.1f}%"
    return (
        f"{count(bad, 'false alarm')} in {count(len(alarms.runs), 'run')}: {rate}, 95% interval {low:.1%} to {high:.1%}"
    )
