"""What loosens the bar against the base: listed before everything else, and failing unless somebody accepted it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from gate.records import Check

SOURCE = "base"
LABEL = "gate-accept-loosened"
FLAG = "--accept-loosened"


@dataclass(frozen=True, slots=True)
class Loosening:
    """One way in which less is asked for than in the base.

    `name` tells it from the others and is the same in every run; `cell` is the cell, glob or
    name that it speaks of; `says` is the sentence; `where` is the file and line of the head, or
    of the base for what is gone. `expected` is the bound of the base, `actual` that of the head.
    """

    name: str
    cell: str
    says: str
    where: str = ""
    operator: str = ""
    expected: float | None = None
    actual: float | None = None


def loosened_checks(loosenings: Iterable[Loosening], accepted_by: str) -> list[Check]:
    """One check a loosening. `accepted_by` names what accepted it, empty where nothing did."""
    return [
        Check(
            check_id=f"base {one.name}",
            source=SOURCE,
            cell=one.cell,
            operator=one.operator,
            expected=one.expected,
            actual=one.actual,
            status="waived" if accepted_by else "fail",
            level="error",
            message=f"loosened: {one.says}" + (f"; accepted by {accepted_by}" if accepted_by else ""),
            where=one.where,
        )
        for one in loosenings
    ]


def base_check(status: str, message: str, *, level: str = "error", name: str = "", where: str = "") -> Check:
    """What is said of the base as a whole: that it was compared with, or why it could not be."""
    return Check(f"base {name}".strip(), SOURCE, name, "", None, None, status, level, message, where)
