"""A results folder beside the committed baselines: the gated cells of both, paired as `gate run` pairs them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from gate.baselines import Baseline, baseline_path, read_baseline, run_name
from gate.compare import Pair, PairedRuns, incomparable, pair_runs
from gate.comparison.folder import read_folder
from gate.comparison.records import Side
from gate.errors import GateError, UsageError, one_line
from gate.files import from_here
from gate.paired import GATED
from gate.records import ALL_TOPICS, NO_FAULT, Cell, CellKey, RunKey
from gate.settings import Settings
from gate.stores import CONTROLS


@dataclass(frozen=True, slots=True)
class Beside:
    """The gated cells in health of the gated store, `runs` paired with the baselines in `place`.

    `reasons` says of each cell that is not paired why not: `unmeasured` cells have no value, the others no
    counterpart.
    """

    place: str
    runs: PairedRuns
    reasons: Mapping[CellKey, str]
    unmeasured: frozenset[CellKey]
    waived: frozenset[CellKey]


def beside_baselines(results: Path, cells: Mapping[CellKey, Cell], settings: Settings) -> Beside:
    """Pairs the runs of a results folder, of which `cells` are its verdict's, with the baselines of the settings.

    Nothing here is an error: what cannot be read, and what cannot be compared, is a reason.
    """
    try:
        side: Side | None = read_folder(results, "these results")
        told = ""
    except GateError as error:
        side, told = None, _said(error)
    gated = {
        key: cell
        for key, cell in cells.items()
        if key.fault == NO_FAULT
        and key.measure in GATED
        and (key.store == side.subject if side is not None else key.store not in CONTROLS)
    }
    reasons = {key: cell.reason or cell.status for key, cell in gated.items() if cell.value is None}
    unmeasured = frozenset(reasons)
    waived = frozenset(key for key, cell in gated.items() if cell.status == "waived")
    runs: dict[RunKey, list[CellKey]] = {}
    for key in gated:
        if key not in unmeasured:
            runs.setdefault(key.run, []).append(key)
    pairs = []
    known: dict[Path, Baseline | str] = {}
    for run, own in runs.items():
        made = _pair(side, run, own, waived, settings, known) if side is not None else told
        if isinstance(made, str):
            reasons.update((cell, made) for cell in own)
        else:
            pairs.append(made)
    paired = pair_runs(pairs)
    return Beside(from_here(str(settings.baselines)), paired, {**reasons, **paired.unpaired}, unmeasured, waived)


def _pair(
    side: Side,
    key: RunKey,
    cells: Sequence[CellKey],
    waived: frozenset[CellKey],
    settings: Settings,
    known: dict[Path, Baseline | str],
) -> Pair | str:
    """A run with its counterpart, or why it has none. `known` keeps the baselines that were read."""
    path = baseline_path(settings.baselines, key.store, key.corpus, key.tier, key.arm)
    if path not in known:
        known[path] = _baseline(side, key, path)
    baseline = known[path]
    if isinstance(baseline, str):
        return baseline
    if run_name(key) not in baseline.runs:
        return f"{run_name(key)} is not in its baseline"
    try:
        ran = side.load(key)
    except UsageError as error:
        return _said(error)
    if ran.failure:
        return ran.failure
    corpus = side.corpora[f"{key.corpus}@{key.tier}"]
    asked = tuple(topic for topic in corpus.topics if topic.topic_id in ran.results)
    members = {
        part: tuple(topic for topic in asked if part == ALL_TOPICS or part in topic.slices)
        for part in dict.fromkeys(cell.slice for cell in cells)
    }
    return Pair(ran, baseline.runs[run_name(key)], corpus, asked, tuple(cells), members, waived & {*cells})


def _baseline(side: Side, key: RunKey, path: Path) -> Baseline | str:
    """The baseline of a run, or why the run is not held against it."""
    if not path.is_file():
        return f"there is no baseline in {from_here(str(path))}"
    try:
        baseline = read_baseline(path)
    except UsageError as error:
        return _said(error)
    # Of a noisy store, measured more than once, no side is read.
    return incomparable(side.methodology[key], 1, baseline) or baseline


def _said(error: GateError) -> str:
    """An error in one sentence, with the first of its problems."""
    first = str(error.problems[0]) if error.problems else error.where
    return one_line(f"{error.what} ({from_here(first)})" if first else error.what)
