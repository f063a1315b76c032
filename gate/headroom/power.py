"""What each slice can show: the losses that a comparison with a baseline sees, in plain words.

The joint sign-flip test counts clusters that moved, since topics of one cluster move together. So
a loss is the harder to see the more whole clusters it takes: figures stand for both ends, clusters
lost whole and topics lost one by one. Where nothing is known of clusters, topics stand for them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import ceil, fsum

from gate.figures import count
from gate.headroom.slices import Slices
from gate.records import NO_FAULT, Cell, CellKey
from gate.stats.collapse import CLUSTERS, SHARE
from gate.stats.power import CERTAIN, power
from gate.stats.rule import LEAST, TOLERANCE

LOSSES = (0.03, 0.05, 0.10)
SEEN = 0.95
MEASURE = "R@5"
_NOISE = 1e-9


@dataclass(frozen=True, slots=True)
class Sight:
    """What is seen of losses of one kind.

    `seen` is the loss, as a share of the slice, that is significant 95% of the time; None where
    none is. `chances` are those of seeing each of LOSSES.
    """

    seen: float | None
    chances: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class SlicePower:
    """One slice of one corpus.

    `clusters` is None where it is not known. `certain` is the fewest units (whole clusters where known,
    the largest first, else topics) lost, none gained, that the test calls significant on a quiet
    change; `collapse` the fewest that fail as a collapse; each is None where the slice is too small for
    it. `together` is for losses of whole clusters, `apart` for topics lost one by one.
    """

    corpus: str
    slice: str
    topics: int
    clusters: int | None
    certain: int | None
    collapse: int | None
    together: Sight
    apart: Sight

    @property
    def unit(self) -> str:
        """What the test counts."""
        return "topic" if self.clusters in (None, self.topics) else "cluster"

    @property
    def is_small(self) -> bool:
        """Whether a tenth of the slice can be lost without a test that notices."""
        return self.certain is None or self.certain > 0.1 * (self.clusters or self.topics)


def slice_powers(cells: Mapping[CellKey, Cell], slices: Slices) -> tuple[SlicePower, ...]:
    """Every slice in which R@5 was measured in health, in the order of the cells, over all stores and modes.

    Where modes differ in the topics they are asked, the most count.
    """
    found: dict[tuple[str, str], Cell] = {}
    for key, cell in cells.items():
        if key.measure == MEASURE and key.fault == NO_FAULT and cell.topics:
            place = (f"{key.corpus}@{key.tier}", key.slice)
            if place not in found or cell.topics > found[place].topics:
                found[place] = cell
    return tuple(
        slice_power(corpus, name, cell.topics, slices.clusters(cell.key, cell.topics))
        for (corpus, name), cell in found.items()
    )


def slice_power(corpus: str, name: str, topics: int, sizes: Sequence[int] | None) -> SlicePower:
    """What a slice of so many topics can show; `sizes` are the topics of each cluster, None where not known."""
    units = topics if sizes is None else len(sizes)
    each = sizes if sizes is not None else (1,) * topics
    certain = fewest(each, CERTAIN, int(TOLERANCE * topics + _NOISE) + 1) if topics >= LEAST else None
    collapse = fewest(each, int(CLUSTERS), ceil(SHARE * topics - _NOISE))
    # Chances are over all clusters, so the tolerance is that of clusters of average size.
    needed = max(CERTAIN, int(TOLERANCE * units + _NOISE) + 1) if certain is not None else None
    together = _sight(lambda loss: power(units, loss, needed or 0), needed)
    apart = together
    if sizes is not None and units < topics:
        apart = _sight(lambda loss: clusters_hit(sizes, loss, needed or 0), needed)
    return SlicePower(corpus, name, topics, None if sizes is None else units, certain, collapse, together, apart)


def fewest(sizes: Sequence[int], units: int, topics: int) -> int | None:
    """How many clusters, the largest first, are at least so many `units` and hold at least so many `topics`.

    The test and the rule of collapse count clusters, but the loss that they ask for is a share of topics.
    """
    held = accumulate(sorted(sizes, reverse=True))
    return next((number for number, lost in enumerate(held, start=1) if number >= units and lost >= topics), None)


def clusters_hit(sizes: Sequence[int], loss: float, needed: int) -> float:
    """The chance that at least `needed` clusters lose a topic when each topic is lost with probability `loss`.

    A cluster of s topics is hit with probability 1 - (1 - loss)**s; their number is Poisson-binomial.
    """
    fewer = [1.0, *([0.0] * (needed - 1))]
    for size in sizes:
        hit = 1.0 - (1.0 - loss) ** size
        fewer = [fewer[number] * (1.0 - hit) + (fewer[number - 1] * hit if number else 0.0) for number in range(needed)]
    return max(0.0, 1.0 - fsum(fewer))


def _sight(chance: Callable[[float], float], needed: int | None) -> Sight:
    if needed is None:
        return Sight(None, (0.0,) * len(LOSSES))
    return Sight(loss_seen(chance, SEEN), tuple(map(chance, LOSSES)))


def loss_seen(chance: Callable[[float], float], wanted: float) -> float:
    """The smallest loss that is seen with the `wanted` chance, to 1e-7; `chance` grows with the loss, to 1 at 1.

    On many topics about 12 of them: a Poisson mean of 11.84 gives 7 or more 95% of the time.
    """
    low, high = 0.0, 1.0
    while high - low > 1e-7:
        middle = (low + high) / 2
        low, high = (low, middle) if chance(middle) >= wanted else (middle, high)
    return high


def sentences(powers: Iterable[SlicePower]) -> list[str]:
    """Plain words on the slices that show little, those of which the same is true together."""
    alike: dict[tuple[str, str], list[SlicePower]] = {}
    for one in powers:
        if one.is_small:
            alike.setdefault((one.corpus, _verdict(one)), []).append(one)
    return [f"{corpus}: {_names(group)}: {said}" for (corpus, said), group in alike.items()]


def _names(group: Sequence[SlicePower]) -> str:
    if len(group) == 1:
        return f"{group[0].slice} has {_size(group[0])}"
    return ", ".join(f"{one.slice} ({_size(one)})" for one in group)


def _size(one: SlicePower) -> str:
    topics = count(one.topics, "topic")
    return f"{topics} in {count(one.clusters or 0, 'cluster')}" if one.unit == "cluster" else topics


def _verdict(one: SlicePower) -> str:
    if one.certain is None and one.collapse is None:
        return "no loss can fail against a baseline, so only a budget guards it."
    if one.unit == "cluster":
        certain, whole = f"losses in {one.certain} or more clusters", " whole clusters lost"
    else:
        certain, whole = f"losses of {one.certain} or more", ""
    if one.certain is None:
        why = f"fewer than {LEAST} topics" if one.topics < LEAST else "too few clusters"
        said = f"no loss can be significant ({why}), {one.collapse} or more{whole or ' lost'} fail as a collapse"
    else:
        said = f"only {certain} can be significant"
        if one.collapse is not None and one.collapse < one.certain:
            said += f", {one.collapse} or more{whole} fail as a collapse"
    return f"{said}; smaller losses are listed, not judged."
