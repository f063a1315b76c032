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


def trial_of(store: str, corpus: str, arm: str, digest: str = "") -> dict[str, object]:
    """A trial of a manifest, with the parts of it that are read again."""
    return {
        "store": store,
        "corpus": corpus,
        "arm": arm,
        "dataset": {"name": corpus.partition("@")[0], "tier": corpus.partition("@")[2], "digest": digest},
        "protocol": {"granularity": "turn", "depth": 100, "dedup": False},
    }


def results_in(
    folder: Path,
    cells: Mapping[CellKey, Cell],
    *,
    narrowed: tuple[str, ...] = (),
    planted: str = "",
    settings: str = "",
    digest: str = "",
    dirty: bool | None = False,
) -> Path:
    """A results folder that holds no more than a verdict and a manifest."""
    folder.mkdir(parents=True, exist_ok=True)
    trials = {(key.store, f"{key.corpus}@{key.tier}", key.arm) for key in cells}
    verdict = Verdict("PASS", 0, (), tuple(cells.values()), narrowed=narrowed, planted=planted)
    (folder / "verdict.json").write_text(to_json(verdict), encoding="utf-8")
    manifest = {
        "settings": settings,
        "environment": {"commit": "0123456789abcdef", "dirty": dirty},
        "trials": [trial_of(*trial, digest) for trial in sorted(trials)],
        "flags": {"corpora": []},
    }
    (folder / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    return folder
