"""Waivers: whether they hold, for how long, and whether they excuse anything."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import date

from gate.budgets import matches
from gate.records import CellKey, Waiver

HOLDS, SOON, EXPIRED, UNUSED = "holds", "about to expire", "expired", "unused"


@dataclass(frozen=True, slots=True)
class WaiverState:
    """One waiver. `days` are left to its last day, on which it still holds; below 0 it is over."""

    waiver: Waiver
    status: str
    days: int


def waiver_states(
    waivers: Iterable[Waiver], cells: Collection[CellKey], today: date, within: int
) -> tuple[WaiverState, ...]:
    """Each waiver on a day; `within` is how many days ahead one counts as about to expire."""
    return tuple(_state(waiver, cells, today, within) for waiver in waivers)


def _state(waiver: Waiver, cells: Collection[CellKey], today: date, within: int) -> WaiverState:
    days = (date.fromisoformat(waiver.until) - today).days
    if days < 0:
        status = EXPIRED
    elif not any(matches(waiver.cell, key) for key in cells):
        status = UNUSED
    else:
        status = SOON if days <= within else HOLDS
    return WaiverState(waiver, status, days)
