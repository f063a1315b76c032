"""The loss that a comparison sees beside the churn of a run, cell by cell, in plain words.

What a run moved against its baseline raises the bar for everything: z, the statistic that one harmless
reshuffle in a hundred passes, is that of the whole table, and the squares of what moved in a cell are in
the way of a loss there. `gate.stats.power.smallest_seen` has the formula, `gate.stats.churn` what is harmless.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from math import ceil, sqrt

from gate.figures import count, figure
from gate.headroom.compared import Beside
from gate.headroom.power import SEEN, slice_power
from gate.paired import judge_cells
from gate.records import CellKey
from gate.stats.churn import churn_of
from gate.stats.collapse import CLUSTERS, SHARE
from gate.stats.power import CERTAIN, LEAST_CRITICAL, SURE, smallest_seen
from gate.stats.rule import LEAST, TOLERANCE, Judged

SEES, QUIET, SMALL = "seen", "quiet", "small"
WAIVED, NOT_MEASURED, NOT_COMPARED = "waived", "not measured", "not compared"
# Outcomes in which the net movement is no churn.
_REAL = frozenset({"worse", "better"})
_NOISE = 1e-9


@dataclass(frozen=True, slots=True)
class Loss:
    """Topics lost whole: so many are seen `half` of the time, and so many for `sure`, in SEEN of all cases.

    None where the slice does not have so many.
    """

    half: int | None
    sure: int | None


NOTHING = Loss(None, None)


@dataclass(frozen=True, slots=True)
class CellSight:
    """What can be seen in one gated cell.

    `status` is `seen`, `quiet` (no value of any cell moved), `small` (too few topics or clusters for a test),
    `waived`, `not measured` or `not compared`; `says` the same in words. `moved` of its `clusters`
    did; `churn` is Q, in squared topics, and `outcome` what the rule calls the cell. `apart` is for
    topics lost each in a cluster of its own, `together` for whole clusters of average size, both in
    topics; `cause` is which part of the rule sees the first: `significant` or `collapse`. `lets_go`
    is how many the tightest budget lets go, None without one.
    """

    cell: CellKey
    status: str
    says: str
    topics: int = 0
    clusters: int = 0
    moved: int = 0
    churn: float = 0.0
    outcome: str = ""
    cause: str = ""
    apart: Loss = NOTHING
    together: Loss = NOTHING
    lets_go: int | None = None

    @property
    def share(self) -> float:
        """The loss seen half of the time as a share of the slice, 0 where none is told."""
        return (self.apart.half or 0) / max(1, self.topics)


@dataclass(frozen=True, slots=True)
class ChurnAudit:
    """All gated cells of a run beside its baselines in `place`.

    `critical` is z as the run has it, 0 where nothing moved; `judged` counts the cells in the joint
    test, `clusters` the clusters that moved in any of them.
    """

    place: str
    critical: float
    judged: int
    clusters: int
    cells: tuple[CellSight, ...]


def churn_audit(beside: Beside, keys: Iterable[CellKey], lets_go: Mapping[CellKey, int]) -> ChurnAudit:
    """What a loss has to be to be seen in each gated cell, in the order of `keys`.

    `lets_go` is how many topics the tightest budget of a cell lets pass.
    """
    judgement = judge_cells(beside.runs.cells, beside.runs.clusters)
    found = []
    for key in keys:
        if key in beside.reasons:
            status = NOT_MEASURED if key in beside.unmeasured else NOT_COMPARED
            found.append(CellSight(key, status, f"{status}: {beside.reasons[key]}"))
        elif key in beside.waived:
            found.append(CellSight(key, WAIVED, "waived: it is not judged, and raises no bar for others"))
        elif key in beside.runs.cells:
            differences = beside.runs.cells[key].paired.differences
            judged, clusters = judgement.cells[key], beside.runs.clusters
            if judgement.clusters:
                one = _sight(key, differences, clusters, judged, judgement.critical)
            else:
                one = _quiet(key, differences, clusters, judged)
            found.append(replace(one, lets_go=lets_go.get(key)))
    number = sum(paired.paired.gated for paired in beside.runs.cells.values())
    return ChurnAudit(beside.place, judgement.critical, number, judgement.clusters, tuple(found))


def _quiet(key: CellKey, differences: Mapping[str, float], clusters: Mapping[str, str], judged: Judged) -> CellSight:
    """A cell of a run in which no value moved: the figures of a quiet change."""
    sizes = _sizes(differences, clusters)
    power = slice_power(key.corpus, key.slice, judged.topics, sizes)
    one = CellSight(key, SMALL, "", judged.topics, len(sizes), outcome=judged.outcome)
    if power.certain is None:
        return replace(one, says=_small(one, power.collapse, power.unit))
    seen = sorted({sight.seen for sight in (power.apart, power.together) if sight.seen is not None})
    says = f"no value moved in this run: {power.certain} {power.unit}s lost are always significant"
    if seen:
        says += f", and a loss of {' to '.join(map(figure, seen))} of the slice is seen {SEEN:.0%} of the time"
    return replace(one, status=QUIET, says=says)


def _sight(
    key: CellKey, differences: Mapping[str, float], clusters: Mapping[str, str], judged: Judged, critical: float
) -> CellSight:
    """A cell of a run in which something moved, in this cell or in another."""
    sizes, topics = _sizes(differences, clusters), judged.topics
    units = len(sizes)
    size = topics / units
    churn = churn_of(differences, clusters)
    harmless = churn.mirrored if judged.outcome in _REAL else churn.all
    one = CellSight(key, SMALL, "", topics, units, churn.moved, harmless, judged.outcome)
    if topics < LEAST or units < CERTAIN:
        power = slice_power(key.corpus, key.slice, topics, sizes)
        return replace(one, says=_small(one, power.collapse, power.unit))
    bar = max(critical, LEAST_CRITICAL)
    together = _significant(harmless, bar, topics, size, units)
    apart = _significant(harmless, bar, topics, 1.0, units)
    # Where more are needed than there are clusters, they cannot be lost each in another.
    apart = Loss(apart.half or together.half, apart.sure or together.sure)
    fallen = max(SHARE * topics, CLUSTERS * size)
    collapse = Loss(*(_within(fallen + quantile * sqrt(harmless), topics) for quantile in (0.0, SURE)))
    seen = _sooner(apart, collapse)
    cause = "significant" if seen.half == apart.half else "collapse"
    one = replace(one, status=SEES, cause=cause, apart=seen, together=_sooner(together, collapse))
    return replace(one, says=_beside(one))


def _sizes(differences: Mapping[str, float], clusters: Mapping[str, str]) -> list[int]:
    """The topics of each cluster of a cell, the largest first."""
    return sorted(Counter(clusters[topic] for topic in differences).values(), reverse=True)


def _significant(harmless: float, critical: float, topics: int, size: float, clusters: int) -> Loss:
    """The loss that the joint test sees, where each cluster that is hit loses `size` topics."""
    least = int(TOLERANCE * topics + _NOISE) + 1
    found = []
    for quantile in (0.0, SURE):
        hit = ceil(smallest_seen(harmless / size**2, critical, quantile) - _NOISE)
        found.append(_within(max(hit * size, least), topics) if hit <= clusters else None)
    return Loss(*found)


def _within(loss: float, topics: int) -> int | None:
    """A loss in whole topics, None where there are not so many."""
    return whole if (whole := ceil(loss - _NOISE)) <= topics else None


def _sooner(one: Loss, other: Loss) -> Loss:
    """What is seen by either of two rules."""
    return Loss(_fewer(one.half, other.half), _fewer(one.sure, other.sure))


def _fewer(*losses: int | None) -> int | None:
    return min((loss for loss in losses if loss is not None), default=None)


def _small(one: CellSight, collapse: int | None, unit: str) -> str:
    why = f"fewer than {LEAST} topics" if one.topics < LEAST else f"fewer than {CERTAIN} clusters"
    said = f"{why}, so no loss is significant whatever the churn"
    if collapse is None:
        return f"{said}, and none is large enough for a collapse: only a budget guards it"
    return f"{said}; {count(collapse, unit)} or more lost fail as a collapse"


def _beside(one: CellSight) -> str:
    ends = _ends(one.apart.half, one.together.half)
    said = (
        f"beside the churn of this run, a loss of {_range(ends)} topic{'s' * (ends[-1] != 1)}"
        f" ({_shares(ends, one.topics)} of the slice) is seen"
    )
    said += " as a collapse" * (one.cause == "collapse")
    if one.apart.half == one.apart.sure and one.together.half == one.together.sure:
        return said
    said += " about every second time"
    if ends := _ends(one.apart.sure, one.together.sure):
        said += f", one of {_range(ends)} ({_shares(ends, one.topics)}) {SEEN:.0%} of the time"
    return said


def _ends(*losses: int | None) -> list[int]:
    """A loss of topics lost singly and in whole clusters: one number where they agree."""
    return sorted({loss for loss in losses if loss is not None})


def _range(ends: list[int]) -> str:
    return " to ".join(map(str, ends))


def _shares(ends: list[int], topics: int) -> str:
    return " to ".join(figure(end / topics) for end in ends)
