"""`gate prove`: plant defects, and show what catches them."""

from __future__ import annotations

import gc
import os
import shlex
import sys
import tempfile
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gate.cli import options
from gate.cli.progress import Bar, Lines
from gate.cli.run import COLLECTED_AFTER, terminal, width_of
from gate.errors import UsageError

if TYPE_CHECKING:
    from gate.defects import Defect

RESULTS = "gate-proof"
_MARKER = ".gate-proof"
_JSON, _MARKDOWN = "proof.json", "proof.md"


@click.command(epilog="Exit codes: 0 all caught, 1 something escaped or a false alarm, 2 could not tell, 3 usage.")
@options.STORE
@options.CORPUS
@options.TIER
@options.SLICE
@options.MODE
@options.ARM
@options.CONFIG
@click.option(
    "--defect", "globs", multiple=True, metavar="GLOB", help="Only defects, or families, so named; !GLOB leaves out."
)
@click.option(
    "--dose",
    "doses",
    multiple=True,
    type=click.FloatRange(0, 1, min_open=True),
    help="Weaker doses to try, each once the one before it was caught. Repeatable. [default: 0.2]",
)
@click.option("--aa", type=click.IntRange(min=1), metavar="N", help="Plant nothing: run N times, count false alarms.")
@click.option(
    "--probes",
    type=click.Choice(["off", "fast", "full"]),
    help="The probes to look at; full is what gate store check looks at. [default: as in the settings]",
)
@click.option(
    "--workers",
    type=click.IntRange(1, 256),
    metavar="N",
    help="Processes, forked once the store was opened. [default: one a processor where the store survives it, else 1]",
)
@click.option(
    "--not-measured",
    type=click.Choice(["fail", "allow"]),
    default="fail",
    show_default=True,
    help="As in gate run: whether something unmeasured is red.",
)
@options.TODAY
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    default=RESULTS,
    show_default=True,
    help=f"The folder for {_JSON} and {_MARKDOWN}; never that of a run.",
)
@click.option("--quiet", "-q", is_flag=True, help="Print the proof only, no progress.")
def prove(
    store: str,
    corpora: tuple[str, ...],
    tiers: tuple[str, ...],
    slices: tuple[str, ...],
    modes: tuple[str, ...],
    arms: tuple[str, ...],
    config: Path | None,
    globs: tuple[str, ...],
    doses: tuple[float, ...],
    aa: int | None,
    probes: str | None,
    workers: int | None,
    not_measured: str,
    today: datetime | None,
    out: Path,
    quiet: bool,
) -> int:
    """Plant defects in a store, and show that its gate catches them.

    The healthy store has to be green. Each defect that can touch what the settings ask is then planted, first in
    full, then weaker, and the budgets, baselines and other checks of the settings judge it. What costs time is
    timed by turns with the healthy store. One of each family also goes through `gate run --plant`. What changes
    answers and turns nothing red has escaped.
    """
    from gate.diverted import diverted
    from gate.files import write_atomic
    from gate.plan import Flags, Request
    from gate.progress import Silent
    from gate.prove import json, markdown, text
    from gate.prove.false_alarms import false_alarms
    from gate.prove.prove import Wanted, in_order
    from gate.prove.prove import prove as prove_all
    from gate.report.context import ReportContext
    from gate.results import LOG, results_folder
    from gate.settings import find_settings, read_settings
    from gate.stop import watched
    from gate.stopwatch import now
    from gate.stopwatch import today as this_day
    from gate.workers import processors

    if aa and (globs or doses or probes):
        raise UsageError("prove-aa", "--aa plants no defect", hint="Leave out --defect, --dose and --probes.")
    defects = _chosen(globs)
    began = now()
    gc.set_threshold(*COLLECTED_AFTER)
    command = f"gate {shlex.join(sys.argv[1:])}"
    with (
        results_folder(out.absolute(), (_JSON, _MARKDOWN), _MARKER, "a proof") as folder,
        watched() as stop,
        diverted(folder / LOG) as streams,
        tempfile.TemporaryDirectory(prefix="gate-", ignore_cleanup_errors=True) as scratch,
    ):
        output, errors = streams
        settings = read_settings(find_settings(config))
        if probes:
            settings = replace(settings, probes=probes)
        flags = Flags(store, corpora, tiers, slices, modes, arms)
        request = Request(
            settings, flags, today.date() if today else this_day(), not_measured=not_measured, base="none"
        )
        wanted = Wanted(defects, in_order(doses), workers or 0)
        progress = Silent() if quiet else Bar(errors) if terminal(errors) else Lines(errors)
        try:
            if aa:
                stop.keep()
                alarms = false_alarms(request, aa, workers or processors(), Path(scratch), stop, progress)
            else:
                proof = prove_all(request, wanted, Path(scratch), stop, progress)
        finally:
            if isinstance(progress, Bar):
                progress.close()
        context = ReportContext(
            str(out), now() - began, width=width_of(output), colour=terminal(output) and "NO_COLOR" not in os.environ
        )
        if aa:
            views = (json.alarms_json(alarms), markdown.render_alarms(alarms, command))
            output.write(text.render_alarms(alarms, context))
            code = alarms.exit_code
        else:
            views = (json.to_json(proof), markdown.render_markdown(proof, command))
            output.write(text.render_text(proof, context))
            code = proof.exit_code
        for name, view in zip((_JSON, _MARKDOWN), views, strict=True):
            write_atomic(folder / name, view)
    return int(code)


def _chosen(globs: tuple[str, ...]) -> tuple[Defect, ...]:
    """The defects that globs name, by their own names or by their families'. Raises UsageError."""
    from fnmatch import fnmatchcase

    from gate.defects import DEFECTS
    from gate.files import nearest

    if not globs:
        return tuple(DEFECTS.values())
    names = [*DEFECTS, *dict.fromkeys(defect.family for defect in DEFECTS.values())]
    for glob in globs:
        bare = glob.removeprefix("!")
        if not any(fnmatchcase(name, bare) for name in names):
            hint = nearest(bare, names)
            raise UsageError("defect-unknown", f"no defect is called '{bare}'", hint=f"{hint[0].upper()}{hint[1:]}")
    chosen = {name: globs[0].startswith("!") for name in DEFECTS}
    for glob in globs:
        for defect in DEFECTS.values():
            if any(fnmatchcase(name, glob.removeprefix("!")) for name in (defect.name, defect.family)):
                chosen[defect.name] = not glob.startswith("!")
    return tuple(defect for defect in DEFECTS.values() if chosen[defect.name])
