"""Budgets to start from: a limit a little below what was measured, for every slice and mode.

With a headroom of h a floor is broken at the latest when a share h of what the slice found is lost.
Below 100 topics one topic is more than 0.01, so floors there allow a whole number of them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from math import ceil, floor, isfinite

from gate.budgets import cell_problems
from gate.checks.limits import meets
from gate.compare import GATED, LEAK
from gate.errors import UsageError
from gate.figures import count
from gate.headroom.measurements import RESULTS, Measurements
from gate.measures import MEASURES
from gate.records import NO_FAULT, Cell, CellKey, RunKey
from gate.report.escape import UNSAFE, visible
from gate.stores import CONTROLS

SMALL = 100
LATENCY = "latency-p95"
# A ceiling for a machine in trouble, not a comparison of machines.
SLOWER, LEAST_MS = 20, 100
# A fault that costs less than this shows nothing that a contrast could ask for.
LEAST_DROP = 0.05
DROP = "R@5"
_NOISE = 1e-9
_GLOB = re.compile(r"[*?\[]")


@dataclass(frozen=True, slots=True)
class Suggestion:
    """The text of a budget file, and how many budgets it holds."""

    text: str
    count: int


def read_headroom(text: str) -> float:
    """A share above 0 and below 1. Raises UsageError with what was probably meant."""
    try:
        share = float(text)
    except ValueError:
        share = float("nan")
    if isfinite(share) and 0 < share < 1:
        return share
    meant = (
        f"Write {share / 100:g} for {share:g}%." if isfinite(share) and 1 < share < 100 else "Write 0.2 for a fifth."
    )
    raise UsageError(
        "headroom-share", f"--headroom is {visible(text)}, and has to be a share above 0 and below 1", hint=meant
    )


def suggestion(measured: Measurements, headroom: float, today: date) -> Suggestion:
    """Budgets for the gated cells of the stores that are no controls. Raises UsageError where there is nothing to bind.

    A cell that was waived or not measured, or that found nothing at all, gets none, and the head says so.
    """
    own = {
        key: cell
        for key, cell in measured.cells.items()
        if key.store not in CONTROLS and (key.fault != NO_FAULT or _is_asked(key))
    }
    usable = {key: cell for key, cell in own.items() if cell.status == "measured" and _is_plain(key)}
    entries = [
        *_section("Every slice and mode in health.", _limits(usable.values(), headroom)),
        *_section("Promises that no topic broke.", _leaks(usable.values())),
        *_section("Ceilings for a machine in trouble, not a comparison of machines.", _latencies(usable.values())),
        *_section("When a part fails, the loss has to show.", _drops(usable, headroom)),
    ]
    made = sum(line.startswith("  - ") for line in entries)
    if not made:
        raise UsageError(
            "suggest-nothing",
            "nothing that was measured here can be given a budget",
            where=measured.place,
            hint="Run `gate run` over the whole of your settings first.",
        )
    left = sum(key not in usable for key in own if key.fault == NO_FAULT)
    return Suggestion("\n".join((*_head(measured, headroom, today, left), *entries)) + "\n", made)


def _is_asked(key: CellKey) -> bool:
    return key.measure in (*GATED, LEAK, LATENCY)


def _is_plain(key: CellKey) -> bool:
    """Whether a cell's name means that cell alone, and can stand in a file."""
    name = str(key)
    return not (_GLOB.search(name) or UNSAFE.search(name) or any(cell_problems(name, "")))


def _head(measured: Measurements, headroom: float, today: date, left: int) -> Iterator[str]:
    subjects = sorted(
        {f"{key.store} on {key.corpus}@{key.tier}" for key in measured.cells if key.store not in CONTROLS}
    )
    source = "the results in" if measured.kind == RESULTS else "the baselines in"
    commit = f", commit {visible(measured.made_on())}" if measured.commit else ""
    yield f"# Suggested on {today.isoformat()} by gate budgets suggest --headroom {headroom:g},"
    yield f"# from {source} {visible(measured.place)}{commit}:"
    yield from (f"# {visible(subject)}." for subject in subjects)
    yield from (f"# Note: {visible(note)}." for note in measured.notes)
    yield "#"
    yield f"# A floor is broken at the latest when {headroom:.4g} of what its slice found is lost. It says where the"
    yield "# store stands, not what it should reach: raise what matters, and take out what nobody promised."
    if left:
        yield f"# Left out: {count(left, 'cell')} not measured, waived, or named like a glob."
    yield "schema: 1"
    yield "budgets:"


def _section(title: str, entries: Iterable[list[str]]) -> Iterator[str]:
    for number, entry in enumerate(entries):
        if not number:
            yield f"  # {title}"
        yield from entry


def _entry(key: CellKey, bound: str, says: str = "") -> list[str]:
    return [f"  - cell: {_quoted(str(key))}", f"    {bound}" + (f"  # {says}" if says else "")]


def _quoted(name: str) -> str:
    """A text in quotes: JSON is YAML, and reads the same."""
    return json.dumps(name, ensure_ascii=False)


def _limits(cells: Iterable[Cell], headroom: float) -> Iterator[list[str]]:
    for cell in cells:
        key = cell.key
        if key.measure not in GATED or key.fault != NO_FAULT or cell.value is None or not cell.topics:
            continue
        upward = MEASURES[key.measure.partition("@")[0]].higher_is_better
        good = cell.value if upward else 1.0 - cell.value
        if good <= _NOISE:
            continue
        least, lost = floor_of(good, cell.topics, headroom)
        bound = f"min: {least:g}" if upward else f"max: {round(1.0 - least, 9):g}"
        says = f"{count(cell.topics, 'topic')}: {lost} may be lost" if lost is not None else ""
        yield _entry(key, bound, says)


def floor_of(value: float, topics: int, headroom: float) -> tuple[float, int | None]:
    """The least value that still passes, and the whole topics that may be lost where the slice is small.

    A large slice has a floor in hundredths, the lowest above value * (1 - headroom). A small one,
    and one whose value lies between two hundredths, may lose the most whole topics that are
    less than that share of what it found; the floor is rounded down to four digits, or six of a large slice.
    """
    hundredth = floor(value * (1.0 - headroom) * 100 + _NOISE) + 1
    if topics >= SMALL and hundredth / 100 <= value:
        return hundredth / 100, None
    found = value * topics
    lost = max(0, ceil(headroom * found - _NOISE) - 1)
    scale = 10_000 if topics < SMALL else 1_000_000
    return max(0, floor((found - lost) / topics * scale + _NOISE)) / scale, lost if topics < SMALL else None


def _leaks(cells: Iterable[Cell]) -> Iterator[list[str]]:
    for cell in cells:
        kept = cell.value is not None and meets(cell.value, "<=", 0.0)
        if kept and cell.key.measure == LEAK and cell.key.fault == NO_FAULT:
            yield _entry(cell.key, "max: 0")


def _latencies(cells: Iterable[Cell]) -> Iterator[list[str]]:
    for cell in cells:
        if cell.key.measure == LATENCY and cell.key.fault == NO_FAULT and cell.value is not None:
            yield _entry(cell.key, f"max: {ceiling_of(cell.value):g}", "milliseconds")


def ceiling_of(milliseconds: float) -> float:
    """Twenty times what was measured, at least 100 ms, rounded up to 1, 2 or 5 times a power of ten."""
    wanted = max(float(LEAST_MS), SLOWER * milliseconds)
    power = 10.0 ** (len(f"{int(wanted)}") - 1)
    return next(step * power for step in (1, 2, 5, 10) if step * power >= wanted - _NOISE)


def _drops(cells: dict[CellKey, Cell], headroom: float) -> Iterator[list[str]]:
    """A contrast a run with a fault: on the slice where the loss is largest, it has to stay most of what it was."""
    largest: dict[object, tuple[float, CellKey, CellKey]] = {}
    for key, cell in cells.items():
        if key.measure != DROP or key.fault == NO_FAULT or cell.value is None:
            continue
        well = RunKey(key.store, key.corpus, key.tier, key.arm, key.mode).cell(key.slice, key.measure)
        healthy = cells.get(well)
        if healthy is None or healthy.value is None:
            continue
        drop = healthy.value - cell.value
        # On a tie the slice of all topics, which comes first, stands for the others.
        if drop >= LEAST_DROP and drop > largest.get(key.run, (0.0,))[0] + _NOISE:
            largest[key.run] = (drop, well, key)
    for drop, well, key in largest.values():
        least = floor(drop * (1.0 - headroom) * 100 + _NOISE) / 100
        yield [
            "  - contrast: difference",
            f"    of: {_quoted(str(well))}",
            f"    minus: {_quoted(str(key))}",
            f"    min: {least:g}",
        ]
