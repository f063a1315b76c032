"""What of a plan is enough to see again what was seen of a defect: one mode, and often one slice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from gate.budgets import PARTS
from gate.defects import Defect
from gate.prove.records import Sight
from gate.records import ALL_TOPICS, MODES, NO_FAULT

KEYWORD = "keyword"
# Sources of checks that look at one cell of one store, and that which looks at a run under a fault.
ALONE, FAIL_OPEN = ("budget", "baseline"), "fail-open"
RUN_PARTS = ("store", "corpus@tier", "arm", "mode", "fault")


@dataclass(frozen=True, slots=True)
class Enough:
    """Modes, and slices where they are enough too; empty are all."""

    modes: tuple[str, ...]
    slices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Place:
    """A mode, in health or under a fault."""

    mode: str
    fault: str


@dataclass(frozen=True, slots=True)
class _Red:
    """The parts of a red cell that a run can be narrowed to."""

    mode: str
    fault: str
    slice: str

    @classmethod
    def of(cls, cell: str) -> _Red | None:
        """None where the cell is of no store on a corpus."""
        parts = cell.split("/")
        if len(parts) != len(PARTS):
            return None
        return cls(*(parts[PARTS.index(name)] for name in ("mode", "fault", "slice")))


def place_of(source: str, cell: str) -> Place | None:
    """Where a check of one store by itself looks; None for a check of two, or of no run."""
    if source == FAIL_OPEN:
        parts = cell.split("/")
        return Place(*parts[-2:]) if len(parts) == len(RUN_PARTS) else None
    red = _Red.of(cell) if source in ALONE else None
    return Place(red.mode, red.fault) if red is not None else None


def place_enough(sight: Sight) -> Place | None:
    """Where much is red and little has to be asked; None where nothing is red of one store by itself.

    Health comes before faults. The first mode is taken of those with half as many red checks as any other: the later
    ones ask more of a store.
    """
    cells = [(source, cell) for source in (*ALONE, FAIL_OPEN) for cell in sight.cells.get(source, ())]
    told = Counter(place for source, cell in cells if (place := place_of(source, cell)) is not None)
    places = [place for place in told if place.fault == NO_FAULT] or list(told)
    enough_red = [place for place in places if 2 * told[place] >= max(told[each] for each in places)]
    return min(enough_red, key=lambda place: MODES.index(place.mode), default=None)


def enough(defect: Defect, sight: Sight, modes: Sequence[str]) -> Enough:
    """What a run of `modes` is narrowed to, to be red again.

    One budget is enough, or one mode where a baseline is red: which cells a test is over is for the run to say. Where
    neither is red in health they are the modes that the defect touches, and what a fallback is held against.
    """
    reds = [red for cell in sight.cells.get("budget", ()) if (red := _Red.of(cell)) is not None and red.mode in modes]
    if reds:
        # Health first, since fewer runs are made, then one slice, and then the mode that asks least of a store.
        one = min(reds, key=lambda red: (red.fault != NO_FAULT, red.slice == ALL_TOPICS, MODES.index(red.mode)))
        beside = (KEYWORD,) if one.fault != NO_FAULT and KEYWORD in modes and one.mode != KEYWORD else ()
        return Enough((one.mode, *beside), () if one.slice == ALL_TOPICS else (one.slice,))
    place = place_enough(sight)
    if place is not None and place.fault == NO_FAULT and place.mode in modes:
        return Enough((place.mode,))
    asked = [mode for mode in modes if mode in defect.modes]
    if defect.faults and KEYWORD in modes and KEYWORD not in asked:
        asked.append(KEYWORD)
    return Enough(tuple(asked))
