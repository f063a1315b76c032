"""Budgets to start from: a limit a little below what was measured, for every slice and mode.

With a headroom of h a floor is broken at the latest when a share h of what the slice found is lost.
Below 100 topics one topic is more than 0.01, so floors there allow a whole number of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from math import ceil, floor, isfinite
from shlex import quote

from gate.budgets import cell_problems
from gate.checks.limits import meets
from gate.errors import UsageError
from gate.figures import count
from gate.globs import chosen
from gate.headroom.bounds import Bound, merged, quoted
from gate.headroom.measurements import RESULTS, Measurements
from gate.measures import MEASURES
from gate.paired import GATED, LEAK
from gate.plan import check_globs
from gate.records import NO_FAULT, Cell, CellKey, RunKey
from gate.report.escape import UNSAFE, visible
from gate.stats.collapse import SHARE
from gate.stores import CONTROLS

SMALL = 100
MANY = 100
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


@dataclass(frozen=True, slots=True)
class Choice:
    """Which slices, modes and corpora (name@tier) to give budgets: globs, `!glob` leaves out, none is all."""

    slices: tuple[str, ...] = ()
    modes: tuple[str, ...] = ()
    corpora: tuple[str, ...] = ()

    @property
    def flags(self) -> str:
        """As on the command line, with a space before each."""
        named = (("slice", self.slices), ("mode", self.modes), ("corpus", self.corpora))
        return "".join(f" --{name} {quote(glob)}" for name, globs in named for glob in globs)

    def of(self, cells: Mapping[CellKey, Cell]) -> dict[CellKey, Cell]:
        """The cells chosen. Raises UsageError for a glob that speaks of none."""
        parts: tuple[tuple[str, tuple[str, ...], Callable[[CellKey], str]], ...] = (
            ("slice", self.slices, lambda key: key.slice),
            ("mode", self.modes, lambda key: key.mode),
            ("corpus", self.corpora, lambda key: f"{key.corpus}@{key.tier}"),
        )
        left = dict(cells)
        for what, globs, part in parts:
            names = list(dict.fromkeys(part(key) for key in cells))
            check_globs(globs, names, what)
            wanted = set(chosen(names, globs) if globs else names)
            left = {key: cell for key, cell in left.items() if part(key) in wanted}
        return left


def suggestion(measured: Measurements, headroom: float, today: date, choice: Choice = Choice()) -> Suggestion:
    """Budgets for the gated cells of the stores that are no controls. Raises UsageError where there is nothing to bind.

    A cell that was waived or not measured, or where too little was found to be guarded, gets none, and
    the head says so.
    """
    gated = {key: cell for key, cell in measured.cells.items() if key.store not in CONTROLS}
    own = {key: cell for key, cell in choice.of(gated).items() if key.fault != NO_FAULT or _is_asked(key)}
    usable = {key: cell for key, cell in own.items() if cell.status == "measured" and _is_plain(key)}
    limits = [
        *_limits(usable.values(), headroom),
        *_leaks(usable.values()),
        *_latencies(usable.values()),
    ]
    drops = list(_drops(usable, headroom))
    if not limits and not drops:
        raise UsageError(
            "suggest-nothing",
            "nothing that was measured here can be given a budget",
            where=measured.place,
            hint="Run `gate run` over the whole of your settings first.",
        )
    entries = [
        line
        for mode in dict.fromkeys(bound.key.mode for bound in limits)
        for line in _section(f"Mode {mode}.", merged([one for one in limits if one.key.mode == mode], measured.cells))
    ]
    entries += _section("When a part fails, the loss has to show.", drops)
    made = sum(line.startswith("  - ") for line in entries)
    head = [
        f"Suggested on {today.isoformat()} by gate budgets suggest --headroom {headroom:g}{choice.flags},",
        *_origin(measured, own),
        "",
        f"A floor is broken at the latest when {headroom:.4g} of what its slice found is lost. It says where the",
        "store stands, not what it should reach: raise what matters, and take out what nobody promised.",
        *_left_out(own, usable),
    ]
    if made > MANY:
        head.append(f"{made} budgets are more than anybody reads: choose with --slice, --mode and --corpus.")
    comments = (f"# {visible(line)}".rstrip() for line in head)
    return Suggestion("\n".join((*comments, "schema: 1", "budgets:", *entries)) + "\n", made)


def _is_asked(key: CellKey) -> bool:
    return key.measure in (*GATED, LEAK, LATENCY)


def _is_plain(key: CellKey) -> bool:
    """Whether a cell's name means that cell alone, and can stand in a file."""
    name = str(key)
    return not (_GLOB.search(name) or UNSAFE.search(name) or any(cell_problems(name, "")))


def _origin(measured: Measurements, own: Iterable[CellKey]) -> Iterator[str]:
    source = "the results in" if measured.kind == RESULTS else "the baselines in"
    yield f"from {source} {measured.place}" + (f", commit {measured.made_on()}" if measured.commit else "") + ":"
    yield from sorted({f"{key.store} on {key.corpus}@{key.tier}." for key in own})
    yield from (f"Note: {note}." for note in measured.notes)


def _left_out(own: Iterable[CellKey], usable: Mapping[CellKey, Cell]) -> Iterator[str]:
    left = sum(key not in usable for key in own if key.fault == NO_FAULT)
    if left:
        yield f"Left out: {count(left, 'cell')} not measured, waived, or named like a glob."
    faint = sum(map(_is_faint, usable.values()))
    if faint:
        yield f"Left out: {count(faint, 'cell')} with less than {SHARE:g} found: a floor there guards nothing."


def _section(title: str, entries: Iterable[list[str]]) -> Iterator[str]:
    for number, entry in enumerate(entries):
        if not number:
            yield f"  # {title}"
        yield from entry


def _is_faint(cell: Cell) -> bool:
    """Whether less is found than the fifth of a slice whose loss a floor is for."""
    return cell.key.measure in GATED and cell.key.fault == NO_FAULT and _good(cell) < SHARE - _NOISE


def _good(cell: Cell) -> float:
    """The share that went well, whichever way a measure counts."""
    upward = MEASURES[cell.key.measure.partition("@")[0]].higher_is_better
    return (cell.value or 0.0) if upward else 1.0 - (cell.value or 0.0)


def _limits(cells: Iterable[Cell], headroom: float) -> Iterator[Bound]:
    for cell in cells:
        key = cell.key
        if key.measure not in GATED or key.fault != NO_FAULT or cell.value is None or not cell.topics:
            continue
        if _is_faint(cell):
            continue
        least, lost = floor_of(_good(cell), cell.topics, headroom)
        upward = MEASURES[key.measure.partition("@")[0]].higher_is_better
        bound = f"min: {least:g}" if upward else f"max: {round(1.0 - least, 9):g}"
        yield Bound(key, bound, f"{count(cell.topics, 'topic')}: none may be lost" if lost == 0 else "")


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


def _leaks(cells: Iterable[Cell]) -> Iterator[Bound]:
    for cell in cells:
        kept = cell.value is not None and meets(cell.value, "<=", 0.0)
        if kept and cell.key.measure == LEAK and cell.key.fault == NO_FAULT:
            yield Bound(cell.key, "max: 0", "no topic broke it")


def _latencies(cells: Iterable[Cell]) -> Iterator[Bound]:
    for cell in cells:
        if cell.key.measure == LATENCY and cell.key.fault == NO_FAULT and cell.value is not None:
            yield Bound(cell.key, f"max: {ceiling_of(cell.value):g}", "milliseconds, for a machine in trouble")


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
        if cell.topics < healthy.topics:
            # A fault that was asked on a sample: what the others lost is not in the difference.
            continue
        drop = healthy.value - cell.value
        # On a tie the slice of all topics, which comes first, stands for the others.
        if drop >= LEAST_DROP and drop > largest.get(key.run, (0.0,))[0] + _NOISE:
            largest[key.run] = (drop, well, key)
    for drop, well, key in largest.values():
        least = floor(drop * (1.0 - headroom) * 100 + _NOISE) / 100
        yield [
            "  - contrast: difference",
            f"    of: {quoted(str(well))}",
            f"    minus: {quoted(str(key))}",
            f"    min: {least:g}",
        ]
