"""The faults: ways in which a dependency of the store fails, in a registry."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gate.errors import Problem, UsageError
from gate.faults.embedder_errors import EMBEDDER_ERRORS
from gate.faults.embedder_time import EMBEDDER_TIME
from gate.faults.embedder_vectors import EMBEDDER_VECTORS
from gate.faults.fault import BrokenPart, Fault
from gate.faults.reranker_errors import RERANKER_ERRORS
from gate.faults.reranker_scores import RERANKER_SCORES
from gate.files import nearest
from gate.globs import chosen, unmatched

__all__ = ["FAULTS", "BrokenPart", "Fault", "faults_matching"]

_ALL: tuple[Fault, ...] = (
    *EMBEDDER_ERRORS,
    *EMBEDDER_VECTORS,
    *EMBEDDER_TIME,
    *RERANKER_ERRORS,
    *RERANKER_SCORES,
)

FAULTS: Mapping[str, Fault] = {fault.name: fault for fault in _ALL}


def faults_matching(patterns: Sequence[str]) -> tuple[Fault, ...]:
    """The faults that globs choose, in the order of the registry.

    `!glob` leaves out; the last pattern that matches a fault decides; a list that starts by
    leaving out starts from all of them. No patterns choose none. Raises UsageError with every
    pattern that matches no fault.
    """
    unknown = unmatched(patterns, list(FAULTS))
    if unknown:
        first = nearest(unknown[0], FAULTS)
        raise UsageError(
            "fault-unknown",
            f"no fault is called '{unknown[0].removeprefix('!')}'",
            hint=f"{first[0].upper()}{first[1:]}",
            problems=tuple(
                Problem(f"no fault is called '{p.removeprefix('!')}'", hint=nearest(p, FAULTS)) for p in unknown[1:]
            ),
        )
    return tuple(FAULTS[name] for name in chosen(FAULTS, patterns))
