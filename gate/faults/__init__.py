"""The faults: ways in which a dependency of the store fails, in a registry."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase

from gate.errors import Problem, UsageError
from gate.faults.embedder import EMBEDDER_FAULTS
from gate.faults.fault import BrokenPart, Fault
from gate.files import nearest

__all__ = ["FAULTS", "BrokenPart", "Fault", "faults_matching"]

_ALL: tuple[Fault, ...] = (*EMBEDDER_FAULTS,)

FAULTS: Mapping[str, Fault] = {fault.name: fault for fault in _ALL}


def faults_matching(patterns: Sequence[str]) -> tuple[Fault, ...]:
    """The faults that globs choose, in the order of the registry.

    `!glob` leaves out; the last pattern that matches a fault decides; a list that starts by
    leaving out starts from all of them. No patterns choose none. Raises UsageError with every
    pattern that matches no fault.
    """
    unknown = [p for p in patterns if not any(fnmatchcase(name, p.removeprefix("!")) for name in FAULTS)]
    if unknown:
        first = nearest(unknown[0].removeprefix("!"), FAULTS)
        raise UsageError(
            "fault-unknown",
            f"no fault is called '{unknown[0].removeprefix('!')}'",
            hint=f"{first[0].upper()}{first[1:]}",
            problems=tuple(
                Problem(f"no fault is called '{p.removeprefix('!')}'", hint=nearest(p.removeprefix("!"), FAULTS))
                for p in unknown[1:]
            ),
        )
    return tuple(fault for name, fault in FAULTS.items() if _is_chosen(name, patterns))


def _is_chosen(name: str, patterns: Sequence[str]) -> bool:
    chosen = bool(patterns) and patterns[0].startswith("!")
    for pattern in patterns:
        if fnmatchcase(name, pattern.removeprefix("!")):
            chosen = not pattern.startswith("!")
    return chosen
