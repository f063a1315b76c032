"""`gate latency`: is this tree slower than its base? Both timed in one job, by turns."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gate.cli import options
from gate.cli.progress import Bar, Lines
from gate.cli.run import terminal, width_of
from gate.errors import UsageError
from gate.report.escape import visible

if TYPE_CHECKING:
    from gate.latency.records import Tree


@click.command(epilog="Exit codes: 0 no mode is slower, 1 one is, 2 could not tell, 3 usage, 130 interrupted.")
@click.option("--base", "ref", default="", metavar="REF", help="The commit, branch or tag to hold this tree against.")
@click.option(
    "--base-folder",
    type=click.Path(path_type=Path, file_okay=False, exists=True),
    metavar="DIR",
    help="The base's counterpart of this folder, where it is checked out or built already.",
)
@click.option(
    "--path",
    "paths",
    multiple=True,
    metavar="DIR",
    help="A folder of the tree that goes first on the import path, such as src. Repeatable. [default: this folder]",
)
@options.STORE
@options.CORPUS
@options.TIER
@options.SLICE
@options.MODE
@options.ARM
@options.CONFIG
@click.option("--log", type=click.Path(path_type=Path, dir_okay=False), help="Keep what the stores print in this file.")
@click.option("--json", "as_json", is_flag=True, help="Everything, as JSON.")
@options.QUIET
def latency(
    ref: str,
    base_folder: Path | None,
    paths: tuple[str, ...],
    store: str,
    corpora: tuple[str, ...],
    tiers: tuple[str, ...],
    slices: tuple[str, ...],
    modes: tuple[str, ...],
    arms: tuple[str, ...],
    config: Path | None,
    log: Path | None,
    as_json: bool,
    quiet: bool,
) -> int:
    """Time this tree's store against that of a base, and say which modes got slower.

    A pair is a fresh process of each tree. Both open the store, store the corpus and are warmed; then they search by
    turns, in blocks of about 50 ms, so that only one works at a time. Three pairs pass what is clearly as fast; seven
    decide on the rest. Settings and corpora are those of this tree. docs/latency.md has the rule.
    """
    import os
    import shutil
    import sys
    import tempfile

    from gate.latency.measure import Timing, time_trees
    from gate.latency.views import latency_json, latency_text
    from gate.plan import Flags, Request
    from gate.progress import Silent
    from gate.settings import find_settings, read_settings
    from gate.stop import watched
    from gate.stopwatch import today

    if bool(ref) == (base_folder is not None):
        raise UsageError(
            "latency-base",
            "there is nothing to hold this tree against" if not ref else "--base and --base-folder are two bases",
            hint="Name one: --base REF for a commit, --base-folder DIR for a folder that has the base in it.",
        )
    if log is not None and not log.absolute().parent.is_dir():
        raise UsageError(
            "log-folder", "there is no such folder", where=str(log.parent), hint="Make it, or name another."
        )
    _refuse_unwritable(log)
    with watched(), tempfile.TemporaryDirectory(prefix="gate-", ignore_cleanup_errors=True) as scratch:
        settings = read_settings(find_settings(config))
        request = Request(settings, Flags(store, corpora, tiers, slices, modes, arms), today(), base="none")
        trees = _trees(ref, base_folder, paths, Path(scratch) / "base")
        printed = Path(scratch) / "store.log"
        with _shown(quiet) as progress:
            try:
                report = time_trees(Timing(request, trees, Path(scratch), printed, progress or Silent()))
            finally:
                if log is not None and printed.exists():
                    try:
                        shutil.copyfile(printed, log)
                    except OSError as error:
                        click.echo(visible(f"What the stores printed is not kept: {log}: {error.strerror}"), err=True)
        if as_json:
            sys.stdout.write(latency_json(report))
        else:
            colour = terminal(sys.stdout) and "NO_COLOR" not in os.environ
            sys.stdout.write(latency_text(report, width_of(sys.stdout), colour=colour))
    return int(report.exit_code)


def _refuse_unwritable(log: Path | None) -> None:
    """Raises UsageError before anything is timed, and leaves what stands in the file."""
    if log is None:
        return
    try:
        log.open("ab").close()
    except OSError as error:
        raise UsageError(
            "log-unwritable", f"this file cannot be written: {error.strerror}", where=str(log), hint="Name another."
        ) from None


@contextmanager
def _shown(quiet: bool) -> Iterator[Bar | Lines | None]:
    """What shows how far it is, on standard error."""
    import sys

    if quiet:
        yield None
        return
    progress = Bar(sys.stderr) if terminal(sys.stderr) else Lines(sys.stderr)
    try:
        yield progress
    finally:
        if isinstance(progress, Bar):
            progress.close()


def _trees(ref: str, base_folder: Path | None, paths: tuple[str, ...], scratch: Path) -> dict[str, Tree]:
    """Both trees: this one, and the base's, checked out where a commit is named. Raises UsageError, NoBase."""
    from gate.base.choice import find_base
    from gate.base.repository import NoBase, Repository
    from gate.latency.checkout import check_out, counterpart
    from gate.latency.records import BASE, HEAD, Tree

    def tree(side: str, shown: str, root: Path, folder: Path) -> Tree:
        inner = [folder / path for path in paths] or [folder]
        for path in inner if side == HEAD else ():
            if not path.is_dir():
                raise UsageError("latency-path", "there is no such folder", where=str(path), hint="See --path.")
        return Tree(side, shown, root, folder, (*(path.resolve() for path in inner), folder))

    here = Path.cwd().resolve()
    if base_folder is not None:
        other = base_folder.resolve()
        if other == here:
            raise UsageError("latency-base", "this is the folder of the head itself", where=str(base_folder))
        try:
            roots = [Repository(folder).root for folder in (here, other)]
        except NoBase:
            roots = [here, other]
        # One repository may hold the other's folder, or both.
        head_root, base_root = roots if roots[0] != roots[1] else (here, other)
        return {
            BASE: tree(BASE, str(base_folder), base_root, other),
            HEAD: tree(HEAD, f"the work tree, {here}", head_root, here),
        }
    repository, found = find_base(ref, None, here / "gate.yml")
    assert found is not None
    root = check_out(repository, found.commit, scratch)
    return {
        BASE: tree(BASE, f"{ref}, {found.commit[:10]}", root, counterpart(here, repository.root, root)),
        HEAD: tree(HEAD, f"the work tree, {here}", repository.root, here),
    }
