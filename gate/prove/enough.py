"""What of a plan is enough to see again what was seen of a defect: one mode, and often one slice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from gate.budgets import PARTS
from gate.defects import Defect
from gate.prove.records import Sight
from gate.records import ALL_TOPICS, NO_FAULT

KEYWORD = "keyword"
# What is red of one store by itself, and of no two.
IN_HEALTH = ("budget", "baseline")


@dataclass(frozen=True, slots=True)
class Enough:
    """Modes, and slices where they are enough too; empty are all."""

    modes: tuple[str, ...]
    slices: tuple[str, ...] = ()


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


def mode_told(source: str, cell: str) -> str:
    """The mode of a cell whose budget or baseline is of a store in health; empty where it is of anything else."""
    red = _Red.of(cell) if source in IN_HEALTH else None
    return red.mode if red is not None and red.fault == NO_FAULT else ""


def mode_enough(sight: Sight) -> str:
    """The mode in which most budgets and baselines of a store in health are red; empty where none is."""
    told = Counter(mode_told(source, cell) for source in IN_HEALTH for cell in sight.cells.get(source, ()))
    return max(filter(None, told), key=lambda mode: told[mode], default="")


def enough(defect: Defect, sight: Sight, modes: Sequence[str]) -> Enough:
    """What a run of `modes` is narrowed to, to be red again.

    One budget is enough, or one mode where a baseline is red: which cells a test is over is for the run to say. Where
    neither is red in health they are the modes that the defect touches, and what a fallback is held against.
    """
    reds = [red for cell in sight.cells.get("budget", ()) if (red := _Red.of(cell)) is not None and red.mode in modes]
    if reds:
        # Health first, since fewer runs are made, and then one slice.
        one = min(reds, key=lambda red: (red.fault != NO_FAULT, red.slice == ALL_TOPICS))
        beside = (KEYWORD,) if one.fault != NO_FAULT and KEYWORD in modes and one.mode != KEYWORD else ()
        return Enough((one.mode, *beside), () if one.slice == ALL_TOPICS else (one.slice,))
    mode = mode_enough(sight)
    if mode in modes:
        return Enough((mode,))
    asked = [mode for mode in modes if mode in defect.modes]
    if defect.faults and KEYWORD in modes and KEYWORD not in asked:
        asked.append(KEYWORD)
    return Enough(tuple(asked))
