"""`gate report`: the results of a run once more, beside published ones if asked."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import click

from gate.cli.run import RESULTS
from gate.report import REPORTS


@click.command(epilog="Exit codes: 0 shown, 2 results that --published cannot stand beside, 3 usage or no results.")
@click.argument("results", type=click.Path(path_type=Path, file_okay=False), default=RESULTS)
@click.option(
    "--format",
    "style",
    type=click.Choice(sorted(REPORTS)),
    default="text",
    show_default=True,
    help="The view to print.",
)
@click.option(
    "--published",
    type=click.Path(path_type=Path, dir_okay=False),
    help="A file of published results, such as docs/published.yml.",
)
@click.option("--all", "everything", is_flag=True, help="Datasets too of which nothing was measured here.")
def report(results: Path, style: str, published: Path | None, everything: bool) -> int:
    """Print the report of a run again, from its verdict.json.

    RESULTS is the folder that `gate run` wrote, gate-results unless given. The exit code says
    whether there was something to show, not what the verdict is.

    With --published two tables follow, for the formats text and markdown: retrieval, in which the
    figures of this run over all topics stand beside those published for a dataset of the
    corpus's name, and answers, which this gate does not measure. Each row says whether its
    protocol matches; what is not known never matches. A dataset of which nothing was measured here is
    one line, unless --all is given.
    """
    from gate.cli.published_tables import STYLES, published_tables
    from gate.errors import NotMeasured, UsageError
    from gate.finished import read_finished
    from gate.published.file import read_published
    from gate.published.match import locals_of
    from gate.report import ReportContext

    if published is not None and style not in STYLES:
        raise UsageError(
            "published-format",
            f"there are no tables of published results in the format {style}",
            hint=f"Use --format {' or '.join(STYLES)}.",
        )
    finished = read_finished(results)
    beside = read_published(published) if published is not None else None
    verdict, manifest = finished.verdict, finished.manifest
    if beside is not None and verdict.planted:
        raise NotMeasured(
            "results-planted",
            f"a defect was planted in this run: {verdict.planted}",
            where=str(results),
            hint="Its figures are not those of the store. Run again without --plant.",
        )
    seconds = manifest.get("seconds")
    screen = sys.stdout.isatty() and os.environ.get("TERM") != "dumb"
    context = ReportContext(
        str(results),
        float(seconds) if isinstance(seconds, int | float) else None,
        width=shutil.get_terminal_size((100, 24)).columns if screen else 100,
        colour=screen and "NO_COLOR" not in os.environ,
    )
    click.echo(REPORTS[style].render(verdict, context), nl=False)
    if beside is not None:
        tables = published_tables(beside, locals_of(verdict.cells, manifest), style, everything=everything)
        click.echo(tables, nl=False)
    return 0
