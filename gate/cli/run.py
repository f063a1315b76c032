"""`gate run`: measure a store, compare, and exit with the verdict."""

from __future__ import annotations

import gc
import os
import shutil
from datetime import datetime
from pathlib import Path
from typing import TextIO

import click

from gate.cli import options
from gate.cli.progress import Bar, Lines
from gate.errors import UsageError

RESULTS = "gate-results"
COLLECTED_AFTER = 50_000, 20, 20  # new objects, and collections of each generation before the next: gc.set_threshold


@click.command(epilog="Exit codes: 0 pass, 1 regression, 2 not measured, 3 usage, 130 interrupted.")
@options.STORE
@click.option(
    "--corpus",
    "corpora",
    multiple=True,
    metavar="SPEC",
    help="seeded@smoke, beir:DIR, trec:DIR or squad:FILE. Repeatable.",
)
@options.TIER
@options.SLICE
@options.MODE
@options.ARM
@click.option("--k", "depth", type=click.IntRange(1, 10000), help="Hits asked for. [default: as in the settings]")
@click.option(
    "--granularity",
    type=click.Choice(["turn", "session", "chunk"]),
    help="What is stored and judged. [default: as in the settings, or turn]",
)
@click.option(
    "--dedup/--no-dedup", default=None, help="Judge each session by its best unit. [default: as in the settings, or no]"
)
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    default=None,
    help=f"The results folder. [default: {RESULTS}; gate-shard-I-of-N of a shard]",
)
@options.CONFIG
@options.FAIL_ON
@options.NOT_MEASURED
@options.TODAY
@click.option(
    "--plant",
    default=None,
    metavar="DEFECT[=DOSE]",
    help="Plant a defect of docs/defects.md to see it caught, such as ascii-only; DOSE is the share touched.",
)
@click.option(
    "--base",
    default=None,
    metavar="REF",
    help="The commit that the bar is held against, or none. [default: in CI, the base of the event]",
)
@click.option("--accept-loosened", is_flag=True, help="Accept what loosens the bar against the base.")
@click.option(
    "--limit",
    type=click.IntRange(min=1),
    metavar="N",
    help="Only the first N topics of each corpus, slices taking turns. A later run with more goes on from there.",
)
@click.option(
    "--shard",
    default="",
    metavar="I/N",
    help="Only part I of N, which judges nothing: `gate merge` judges all.",
)
@click.option("--fresh", is_flag=True, help="Start anew: use nothing that an earlier run in this folder left to go on.")
@click.option("--quiet", "-q", is_flag=True, help="Print the report only, no progress.")
def run(
    store: str,
    corpora: tuple[str, ...],
    tiers: tuple[str, ...],
    slices: tuple[str, ...],
    modes: tuple[str, ...],
    arms: tuple[str, ...],
    depth: int | None,
    granularity: str | None,
    dedup: bool | None,
    out: Path | None,
    config: Path | None,
    fail_on: str,
    not_measured: str,
    today: datetime | None,
    plant: str | None,
    base: str | None,
    accept_loosened: bool,
    limit: int | None,
    shard: str,
    fresh: bool,
    quiet: bool,
) -> int:
    """Gate a store: measure it, compare with budgets and baselines, report, and exit with the verdict.

    Flags narrow what the settings ask for. A run that was narrowed cannot become a baseline. One that was
    interrupted or killed goes on when the same command is run again.
    """
    from gate.cli.shard import ended, refuse_judging
    from gate.diverted import diverted
    from gate.pipeline import run_gate
    from gate.plan import Flags, Request
    from gate.progress import Silent
    from gate.report import REPORTS, ReportContext
    from gate.results import LOG, MARKER, SHARD_MARKER, results_folder
    from gate.settings import find_settings, read_settings
    from gate.shards.part import parse_part
    from gate.shards.run import run_shard
    from gate.stop import watched
    from gate.stopwatch import now
    from gate.stopwatch import today as this_day

    base = named_base(base)
    if plant == "":
        raise UsageError(
            "plant-empty",
            "--plant names no defect: its value is empty",
            hint="Is a variable unset? Leave --plant out to plant nothing.",
        )
    began = now()
    # A run makes objects by the million that live until its end, and hardly a circle among them.
    gc.set_threshold(*COLLECTED_AFTER)
    part = parse_part(shard) if shard else None
    if part is not None:
        refuse_judging(fail_on, not_measured, base, accept_loosened=accept_loosened)
    out = out or Path(f"gate-shard-{part.number}-of-{part.of}" if part is not None else RESULTS)
    kind = (SHARD_MARKER, "a shard") if part is not None else (MARKER, "a run")
    views = [report.file_name for report in REPORTS.values()]
    with results_folder(out.absolute(), views, *kind) as folder, watched() as stop, diverted(folder / LOG) as streams:
        output, errors = streams
        settings = read_settings(find_settings(config))
        flags = Flags(
            store,
            corpora,
            tiers,
            slices,
            modes,
            arms,
            depth or 0,
            plant or "",
            limit=limit or 0,
            granularity=granularity or "",
            dedup=dedup,
        )
        day = today.date() if today else this_day()
        request = Request(settings, flags, day, fail_on, not_measured, base, accept_loosened, fresh=fresh)
        progress = Silent() if quiet else Bar(errors) if terminal(errors) else Lines(errors)
        try:
            if part is not None:
                done = run_shard(request, part, folder, stop, progress)
                output.write(ended(done, out))
                return done.shard.exit_code
            verdict = run_gate(request, folder, stop, progress)
        finally:
            if isinstance(progress, Bar):
                progress.close()
        context = ReportContext(
            str(out), now() - began, width=width_of(output), colour=terminal(output) and "NO_COLOR" not in os.environ
        )
        output.write(REPORTS["text"].render(verdict, context))
    return verdict.exit_code


def terminal(stream: TextIO) -> bool:
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def width_of(stream: TextIO) -> int:
    return shutil.get_terminal_size((100, 24)).columns if stream.isatty() else 100


def named_base(base: str | None) -> str:
    """The base that is asked for; empty where nothing is. Raises UsageError for a value that is empty."""
    if base == "":
        raise UsageError(
            "base-empty",
            "--base names no commit: its value is empty",
            hint="Is a variable unset? Leave --base out for the base of the CI event, or say `--base none` for none.",
        )
    return base or ""
