"""Where the cells stand now: in a results folder, else in the committed baselines."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from gate.baselines import Baseline, baseline_path, read_baseline
from gate.corpus import parse_spec
from gate.errors import NotMeasured, UsageError
from gate.figures import count
from gate.files import from_here
from gate.finished import read_finished
from gate.headroom.gated import gated_name
from gate.headroom.slices import Slices
from gate.models import arm
from gate.records import Cell, CellKey
from gate.settings import Settings

RESULTS, BASELINES = "results", "baselines"
_AGAIN = "Run `gate run` first, or name the folder that it wrote to."


@dataclass(frozen=True, slots=True)
class Measurements:
    """The cells that budgets are held against.

    `kind` is `results` or `baselines`, `place` the folder, `commit` what they were made on, empty
    where nobody knows, and `dirty` whether files differed from it. `partial` is true where the plan may
    have cells that these lack, so that a budget without a cell is no finding. `notes` are what a
    reader must know.
    """

    kind: str
    place: str
    commit: str
    cells: Mapping[CellKey, Cell]
    partial: bool = False
    notes: tuple[str, ...] = ()
    dirty: bool = False

    def made_on(self, digits: int | None = None) -> str:
        """The commits, each cut to so many digits, and whether files differed; empty where nobody knows."""
        commits = ", ".join(commit[:digits] for commit in self.commit.split(", "))
        return commits and commits + " with uncommitted changes" * self.dirty


def from_results(results: Path) -> Measurements:
    """The cells of a results folder.

    Raises UsageError where no run ended there, NotMeasured where none of its cells has a value.
    """
    finished = read_finished(results)
    verdict = finished.verdict
    if verdict.planted:
        raise NotMeasured(
            "results-planted",
            f"a defect was planted in this run: {verdict.planted}",
            where=str(results),
            hint="These results speak of the defect. Run again without --plant.",
        )
    if all(cell.value is None for cell in verdict.cells):
        raise NotMeasured("results-empty", "no cell of this run was measured", where=str(results), hint=_AGAIN)
    notes = []
    if verdict.narrowed:
        notes.append(f"the run was narrowed by {', '.join(verdict.narrowed)}: what it left out is not looked at")
    elif verdict.out_of_scope:
        notes.append(f"flags left {count(verdict.out_of_scope, 'budget')} out of the run: not looked at")
    partial = bool(notes)
    if verdict.verdict == "INTERRUPTED":
        notes.append("the run was interrupted, so not all of it was measured")
    environment = finished.manifest.get("environment")
    commit = environment.get("commit") if isinstance(environment, dict) else None
    return Measurements(
        RESULTS,
        from_here(str(results)),
        commit if isinstance(commit, str) else "",
        {cell.key: cell for cell in verdict.cells},
        partial=partial,
        notes=tuple(notes),
        dirty=isinstance(environment, dict) and environment.get("dirty") is True,
    )


def from_baselines(settings: Settings) -> tuple[Measurements, Slices] | None:
    """The scores in the headers of the committed baselines, and their slices; None where there are none.

    They are those of the gated store on the corpora and arms of the settings: others may have been retired.
    They hold no times. Topics are counted in the corpora of the settings. Raises NotMeasured where
    nothing tells which store is gated.
    """
    baselines = [read_baseline(path) for path in _paths(settings)]
    if not baselines:
        return None
    slices = Slices(settings.corpora, {_label(one): str(one.methodology["corpus"]) for one in baselines})
    cells = {key: cell for one in baselines for key, cell in _cells(one, slices)}
    # With a + where files differed from the commit.
    made_on = {str(one.header.get("commit", "")) for one in baselines}
    commits = sorted({commit.removesuffix("+") for commit in made_on} - {""})
    uncounted = sorted({_label(one) for one in baselines if not slices.has(_label(one))})
    notes = ["baselines hold the gated store alone and no times: budgets on others are not looked at"]
    if uncounted:
        notes.append(f"the topics of {', '.join(uncounted)} could not be counted: the corpus is not the baseline's")
    place = from_here(str(settings.baselines))
    dirty = any(commit.endswith("+") for commit in made_on)
    return Measurements(BASELINES, place, ", ".join(commits), cells, True, tuple(notes), dirty), slices


def _paths(settings: Settings) -> list[Path]:
    """The baseline files of the gated store, on each corpus and arm of the settings, in their order."""
    if not any(settings.baselines.glob("*/*.jsonl")):
        return []
    store = gated_name(settings)
    corpora = [parse_spec(spec) for spec in settings.corpora]
    places = [
        baseline_path(settings.baselines, store, corpus.name, corpus.tier, arm(name).name)
        for name in settings.arms
        for corpus in corpora
    ]
    return [path for path in places if path.is_file()]


def _label(baseline: Baseline) -> str:
    return f"{baseline.header['corpus']}@{baseline.header['tier']}"


def _cells(baseline: Baseline, known: Slices) -> Iterable[tuple[CellKey, Cell]]:
    for name, value in sorted(baseline.header["scores"].items()):
        key = cell_key(name)
        asked = baseline.runs.get(f"{key.mode}/{key.fault}", {})
        topics = known.topics(key)
        counted = sum(topic.topic_id in asked for topic in topics) if topics is not None else 0
        yield key, Cell(key, "measured", float(value), counted)


def cell_key(name: str) -> CellKey:
    """The key that a cell's name stands for. Raises UsageError where it is none."""
    parts = name.split("/")
    corpus, at, tier = parts[1].rpartition("@") if len(parts) == 7 else ("", "", "")
    if not at:
        raise UsageError("cell-name", f"'{name}' is not a cell", hint="store/corpus@tier/slice/arm/mode/fault/measure")
    return CellKey(parts[0], corpus, tier, *parts[2:])
