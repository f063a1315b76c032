"""`gate compare`: two results topic by topic, or repeats of one."""

from __future__ import annotations

import math
import os
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gate.errors import UsageError

if TYPE_CHECKING:
    from gate.comparison.compare import Wanted
    from gate.comparison.report import Views

RESULTS = "gate-compare"
_MARKER = ".gate-compare"


@click.command(epilog="Exit codes: 0 no cell is worse in B, 1 one is, 2 not comparable or not measured, 3 usage.")
@click.argument("runs", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="RUN_A RUN_B")
@click.option("--qrels", type=click.Path(path_type=Path, dir_okay=False), help="What judges two TREC run files.")
@click.option("--complete", is_flag=True, help="A judged topic without a line in a TREC run found nothing.")
@click.option("--seeds", is_flag=True, help="All folders are repeats of one run: mean and deviation of each cell.")
@click.option(
    "--measure", "measures", multiple=True, metavar="MEASURE", help="Repeatable. [default: those that gate run judges]"
)
@click.option("--slice", "slices", multiple=True, metavar="GLOB", help="Only these slices; !GLOB leaves out.")
@click.option("--mode", "modes", multiple=True, metavar="GLOB", help="Only these modes; !GLOB leaves out.")
@click.option("--fault", "faults", multiple=True, metavar="GLOB", help="Runs under these faults. [default: none]")
@click.option("--equivalence", "margin", type=float, metavar="MARGIN", help="Test whether B is within MARGIN of A.")
@click.option("--all", "every", is_flag=True, help="Show every cell, every topic that moved, and all its documents.")
@click.option("--json", "json_to", metavar="FILE", help="Write the comparison as JSON to FILE, or - for the terminal.")
@click.option("--markdown", "markdown_to", metavar="FILE", help="The same as Markdown.")
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    default=RESULTS,
    show_default=True,
    help="The folder for verdict.json and the reports; never that of a run.",
)
@click.option(
    "--fail-on",
    type=click.Choice(["error", "warn", "never"]),
    default="error",
    show_default=True,
    help="The least level that makes the exit code 1: an uncertain cell only warns.",
)
@click.option(
    "--not-measured",
    type=click.Choice(["fail", "allow"]),
    default="fail",
    show_default=True,
    help="Whether something on one side only makes the exit code 2, or only warns.",
)
def compare(
    runs: tuple[Path, ...],
    qrels: Path | None,
    complete: bool,
    seeds: bool,
    measures: tuple[str, ...],
    slices: tuple[str, ...],
    modes: tuple[str, ...],
    faults: tuple[str, ...],
    margin: float | None,
    every: bool,
    json_to: str | None,
    markdown_to: str | None,
    out: Path,
    fail_on: str,
    not_measured: str,
) -> int:
    """Compare two results topic by topic, and say which cells are worse in B.

    RUN_A and RUN_B are folders that `gate run` wrote, or TREC run files with --qrels. A is what
    B is held against. Runs are paired by corpus, arm, mode and fault; the gated stores may have
    different names.

    A TREC run is ranked as trec_eval ranks it: by score, and equal scores by document id, last first.

    With --seeds, any number of folders are repeats of the same run.
    """
    from gate.comparison.compare import Wanted
    from gate.comparison.pairing import Chosen
    from gate.comparison.report import VIEW_FILES
    from gate.results import results_folder

    _check_margin(margin)
    if json_to == "-" and markdown_to == "-":
        raise UsageError("compare-output", "--json and --markdown cannot both write to the terminal")
    if json_to is not None and json_to == markdown_to:
        raise UsageError("compare-output", "--json and --markdown name the same file", where=json_to)
    for target in (json_to, markdown_to):
        _check_target(target, (*runs, *([qrels] if qrels is not None else [])))
    chosen = Chosen(slices or ("*",), modes or ("*",), faults or Chosen().faults)
    wanted = Wanted(chosen, measures, margin, every, fail_on, not_measured)
    with results_folder(out.absolute(), VIEW_FILES, _MARKER, "a comparison") as folder:
        views = _repeats(runs, qrels, wanted, out) if seeds else _two(runs, qrels, wanted, out, complete=complete)
        views.write(folder)
    for target, text in ((json_to, views.json), (markdown_to, views.markdown)):
        if target is not None and target != "-":
            _write(target, text)
    shown = views.json if json_to == "-" else views.markdown if markdown_to == "-" else views.text(*_screen())
    sys.stdout.write(shown)
    return views.verdict.exit_code


def _two(runs: tuple[Path, ...], qrels: Path | None, wanted: Wanted, out: Path, *, complete: bool) -> Views:
    from gate.comparison.compare import compare as compare_sides
    from gate.comparison.folder import read_folder
    from gate.comparison.report import comparison_views
    from gate.comparison.trec_files import read_trec

    if len(runs) != 2:
        raise UsageError(
            "compare-two",
            f"two results are compared, not {len(runs)}",
            hint="Repeats of one run are given with --seeds.",
        )
    folders = [run.is_dir() for run in runs]
    if folders[0] != folders[1] and all(run.exists() for run in runs):
        raise UsageError("compare-kinds", "one of these is a folder and one a file", hint="Compare two of a kind.")
    if qrels is None and not any(folders) and any(run.is_file() for run in runs):
        raise UsageError("compare-no-qrels", "run files need judgements", hint="Name them with --qrels FILE.")
    if qrels is None:
        if complete:
            raise UsageError("compare-complete", "--complete is for TREC files", hint="A folder knows what was asked.")
        sides = read_folder(runs[0], "A"), read_folder(runs[1], "B")
    elif any(folders):
        raise UsageError("compare-qrels", "a results folder has its own judgements", hint="Leave --qrels out.")
    else:
        sides = read_trec((runs[0], runs[1]), qrels, complete=complete)
    return comparison_views(compare_sides(*sides, wanted), str(out), every=wanted.every_topic)


def _repeats(runs: tuple[Path, ...], qrels: Path | None, wanted: Wanted, out: Path) -> Views:
    from gate.comparison.folder import read_folder
    from gate.comparison.repeats import repeat
    from gate.comparison.report import repeats_views_of

    if qrels is not None or wanted.margin is not None:
        raise UsageError("compare-seeds", "--qrels and --equivalence are for two results", hint="Leave out --seeds.")
    if len(runs) < 2:
        raise UsageError("compare-seeds", "one run has no deviation", hint="Give two folders or more.")
    if len({run.resolve() for run in runs}) < len(runs):
        raise UsageError("compare-seeds", "a folder is given twice, and is no repeat of itself")
    sides = [read_folder(run, f"repeat {number}") for number, run in enumerate(runs, start=1)]
    return repeats_views_of(repeat(sides, wanted), str(out), every=wanted.every_topic)


def _check_margin(margin: float | None) -> None:
    if margin is not None and not (math.isfinite(margin) and 0 < margin < 1):
        raise UsageError(
            "compare-margin",
            f"a margin of {margin:g} makes no sense: measures run from 0 to 1",
            hint="Give the difference that still counts as none, such as 0.02.",
        )


def _check_target(target: str | None, runs: tuple[Path, ...]) -> None:
    """Nobody's results are written over."""
    if target in (None, "-"):
        return
    path = Path(str(target)).resolve()
    for run in runs:
        if run.resolve() in (path, *path.parents):
            raise UsageError(
                "compare-output",
                "this would be written into what is compared",
                where=str(target),
                hint="Choose another.",
            )


def _write(target: str, text: str) -> None:
    from gate.files import write_atomic

    # Through a link, and into a pipe or a device, rather than in its place.
    path = Path(target).resolve()
    if path.exists() and not path.is_file():
        with path.open("w", encoding="utf-8") as file:
            file.write(text)
    else:
        write_atomic(path, text)


def _screen() -> tuple[int, bool]:
    """The width of the page, and whether it may have colours."""
    terminal = sys.stdout.isatty() and os.environ.get("TERM") != "dumb"
    width = shutil.get_terminal_size((100, 24)).columns if sys.stdout.isatty() else 100
    return width, terminal and "NO_COLOR" not in os.environ
