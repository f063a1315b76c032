"""The cells of probes that both sides ask for: what waivers of probes are compared on."""

from __future__ import annotations

from collections.abc import Iterator

from gate.base.sides import Sides
from gate.probes import PROBES
from gate.probes.plan import cell_of, names_of
from gate.probes.probe import NO_MODE
from gate.records import CellKey


def probe_cells(sides: Sides) -> Iterator[CellKey]:
    """From names alone: what a store does not declare, nobody waives."""
    grid = sides.grid()
    asked = set(names_of(sides.base.settings.probes)) & set(names_of(sides.head.settings.probes))
    for store in grid.stores:
        for arm in grid.arms:
            for name in (name for name in PROBES if name in asked):
                for mode in PROBES[name].modes:
                    if mode == NO_MODE or mode in grid.modes:
                        yield cell_of(PROBES[name], store, arm, mode)
