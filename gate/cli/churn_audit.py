"""What a loss has to be to be seen beside the churn of a run, as lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from textwrap import wrap

from gate.figures import count
from gate.headroom.churn import QUIET, SEES, CellSight, ChurnAudit
from gate.report.escape import visible
from gate.stats.power import CERTAIN, LEAST_CRITICAL

# So many cells in which something moved have a line, and so many groups of others.
MOST = 10
_WIDTH = 100


def churn_lines(made: ChurnAudit | None, *, everything: bool) -> Iterator[str]:
    """Where something moved a line each, those in which the largest share has to be lost first; others in groups.

    `everything` is a line for each cell.
    """
    yield ""
    if made is None:
        yield "What is seen beside the churn of a run is told of results: run `gate run` first."
        return
    yield from _head(made)
    told = [one for one in made.cells if one.status == SEES]
    moved = sorted((one for one in told if one.moved), key=lambda one: (-one.share, str(one.cell)))
    still = [one for one in told if not one.moved]
    for one in (*moved, *still) if everything else moved[:MOST]:
        yield from _lines(f"{_name(one)}, {_moved(one)}: {one.says}{_budget(one)}.")
    if not everything:
        if len(moved) > MOST:
            yield f"  {count(len(moved) - MOST, 'more cell')} with --all, in which a smaller loss is seen"
        yield from _still(still)
    groups = _alike([one for one in made.cells if one.status != SEES])
    for group in groups if everything else groups[:MOST]:
        others = f" and {count(len(group) - 1, 'more cell')}" if len(group) > 1 else ""
        yield from _lines(f"{_name(group[0])}{others * (not everything)}: {group[0].says}.")
        if everything:
            yield from (f"    as {_name(one)}" for one in group[1:])
    if not everything and len(groups) > MOST:
        yield f"  {count(sum(map(len, groups[MOST:])), 'more cell')} with --all, of which other things are to be said"


def _head(made: ChurnAudit) -> Iterator[str]:
    place = visible(made.place)
    if not made.judged:
        yield f"What is seen beside the churn of this run cannot be told: nothing is held against {place}."
    elif not made.clusters:
        yield f"Beside the baselines in {place} no value moved in any of {count(made.judged, 'gated cell')}:"
    else:
        yield f"What is seen beside the churn of this run, held against the baselines in {place}:"
        taken = ""
        if made.critical < LEAST_CRITICAL:
            taken = f", taken as {LEAST_CRITICAL:.2f}, that of {CERTAIN} topics lost and nothing else"
        yield from _lines(
            f"{count(made.clusters, 'cluster')} moved; over {count(made.judged, 'cell')} judged together"
            f" z is {made.critical:.2f}{taken}."
        )


def _still(cells: Sequence[CellSight]) -> Iterator[str]:
    """The cells in which nothing moved, beside others in which something did."""
    losses = [loss for one in cells for loss in (one.apart.half, one.together.half) if loss is not None]
    if losses:
        ends = sorted({min(losses), max(losses)})
        shown = f"{' to '.join(map(str, ends))} topic{'s' * (ends[-1] != 1)}"
        yield from _lines(
            f"{count(len(cells), 'cell')} in which nothing moved: a loss of {shown} is seen; --all has each."
        )


def _name(one: CellSight) -> str:
    key = one.cell
    return visible(f"{key.store}/{key.corpus}@{key.tier}/{key.slice}/{key.arm}/{key.mode}/{key.measure}")


def _moved(one: CellSight) -> str:
    said = f"Q {one.churn:.2f}, {one.moved} of {count(one.clusters, 'cluster')} moved"
    return f"{said}, {one.outcome}" if one.outcome in ("worse", "better") else said


def _budget(one: CellSight) -> str:
    return "; no budget" if one.lets_go is None else f"; its budget lets {count(one.lets_go, 'topic')} go"


def _alike(cells: Sequence[CellSight]) -> list[list[CellSight]]:
    """Cells of which the same is said, together: those of a quiet run last, else the largest groups first."""
    groups: dict[tuple[str, str], list[CellSight]] = {}
    for one in cells:
        groups.setdefault((one.status, one.says), []).append(one)
    return [groups[at] for at in sorted(groups, key=lambda at: (at[0] == QUIET, -len(groups[at]), at))]


def _lines(text: str) -> Iterator[str]:
    # Not click's: it would break the names of cells at their hyphens.
    yield from wrap(
        visible(text),
        _WIDTH,
        initial_indent="  ",
        subsequent_indent="    ",
        break_on_hyphens=False,
        break_long_words=False,
    )
