"""Cells, budget files and results folders for the tests of headroom."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from gate.budgets import read_budgets
from gate.headroom.measurements import RESULTS, Measurements, cell_key
from gate.records import Budgets, Cell, CellKey, Verdict
from gate.report.json import to_json

SLICE = "reference/seeded@smoke/zh-Hans/cpu-hash/keyword/none/R@5"


def cells_of(values: Mapping[str, tuple[float | None, int]], *, status: str = "measured") -> dict[CellKey, Cell]:
    """Cells by name, each with its value (None: not measured) and the number of its topics."""
    return {
        cell_key(name): Cell(cell_key(name), status, value, topics)
        if value is not None
        else Cell(cell_key(name), "not measured", None, 0, "the store raised")
        for name, (value, topics) in values.items()
    }


def budgets_of(folder: Path, text: str) -> Budgets:
    path = folder / "budgets.yml"
    path.write_text(f"schema: 1\n{text}", encoding="utf-8")
    return read_budgets(path)


def measurements_of(values: Mapping[str, tuple[float | None, int]], *, partial: bool = False) -> Measurements:
    return Measurements(RESULTS, "gate-results", "0123456789abcdef", cells_of(values), partial)


def results_in(
    folder: Path,
    cells: Mapping[CellKey, Cell],
    *,
    narrowed: tuple[str, ...] = (),
    planted: str = "",
    settings: str = "",
) -> Path:
    """A results folder that holds no more than a verdict and a manifest."""
    folder.mkdir(parents=True, exist_ok=True)
    verdict = Verdict("PASS", 0, (), tuple(cells.values()), narrowed=narrowed, planted=planted)
    (folder / "verdict.json").write_text(to_json(verdict), encoding="utf-8")
    manifest = {
        "settings": settings,
        "environment": {"commit": "0123456789abcdef"},
        "trials": [],
        "flags": {"corpora": []},
    }
    (folder / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    return folder
