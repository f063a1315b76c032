"""`gate merge`: the shards of a run, judged together."""

from __future__ import annotations

import os
import sys
from datetime import datetime
from pathlib import Path

import click

from gate.cli import options
from gate.cli.run import RESULTS, named_base, terminal, width_of


@click.command(epilog="Exit codes: 0 pass, 1 regression, 2 not measured or not a whole set of shards, 3 usage.")
@click.argument(
    "shards", nargs=-1, required=True, type=click.Path(path_type=Path, file_okay=False), metavar="SHARD_DIR..."
)
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    default=RESULTS,
    show_default=True,
    help="The results folder.",
)
@options.CONFIG
@options.FAIL_ON
@options.NOT_MEASURED
@options.TODAY
@click.option(
    "--base",
    metavar="REF",
    help="The commit that the bar is held against, or none. [default: in CI, the base of the event]",
)
@click.option("--accept-loosened", is_flag=True, help="Accept what loosens the bar against the base.")
def merge(
    shards: tuple[Path, ...],
    out: Path,
    config: Path | None,
    fail_on: str,
    not_measured: str,
    today: datetime | None,
    base: str | None,
    accept_loosened: bool,
) -> int:
    """Judge the shards of a run together: the verdict is that of the run in one piece.

    SHARD_DIR... are the folders that `gate run --shard 1/N` to `--shard N/N` wrote, in any order. They
    have to be all shards of one run, each once. No store is opened. Budgets, baselines and the base are read now,
    and the flags are those of the shards.
    """
    from gate.plan import Request
    from gate.report import REPORTS, ReportContext
    from gate.results import results_folder
    from gate.settings import find_settings, read_settings
    from gate.shards.gather import gather
    from gate.shards.merge import flags_of, merge_shards
    from gate.stopwatch import now
    from gate.stopwatch import today as this_day

    base = named_base(base)
    began = now()
    with results_folder(out.absolute(), [report.file_name for report in REPORTS.values()]) as folder:
        settings = read_settings(find_settings(config))
        gathered = gather(shards)
        day = today.date() if today else this_day()
        request = Request(settings, flags_of(gathered), day, fail_on, not_measured, base, accept_loosened)
        verdict = merge_shards(gathered, request, folder)
        output = sys.stdout
        context = ReportContext(
            str(out), now() - began, width=width_of(output), colour=terminal(output) and "NO_COLOR" not in os.environ
        )
        output.write(REPORTS["text"].render(verdict, context))
    return verdict.exit_code
