"""`gate accept`: make the results of a run the baseline."""

from __future__ import annotations

import getpass
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gate.cli.run import RESULTS
from gate.errors import UsageError
from gate.figures import count, figures_apart
from gate.files import from_here
from gate.git import ask_git
from gate.report.escape import UNSAFE, visible

if TYPE_CHECKING:
    from gate.accept import Acceptance, Change

# Of the scores that do not go down, so many are listed.
OTHERS_SHOWN = 40


@click.command(epilog="Exit codes: 0 accepted, 1 --check found a difference, 2 not measured whole, 3 usage.")
@click.argument("results", type=click.Path(path_type=Path, file_okay=False), default=RESULTS)
@click.option(
    "--reason", default="", metavar="WHY", help="Why these results are right. Required, and kept in the baseline."
)
@click.option("--by", default="", metavar="WHO", help="Who accepts. [default: git's user.name]")
@click.option(
    "--config", type=click.Path(path_type=Path, dir_okay=False), help="The settings file. [default: gate.yml]"
)
@click.option(
    "--baselines",
    type=click.Path(path_type=Path, file_okay=False),
    help="The folder to write to. [default: as in the settings]",
)
@click.option(
    "--only",
    multiple=True,
    metavar="GLOB",
    help="Accept only these runs, STORE/CORPUS@TIER/ARM/MODE/FAULT: '*/keyword/*'. Repeatable.",
)
@click.option("--dry-run", is_flag=True, help="Show what would change, write nothing.")
@click.option("--check", is_flag=True, help="Exit with 1 where the baseline is not what these results give.")
def accept(
    results: Path,
    reason: str,
    by: str,
    config: Path | None,
    baselines: Path | None,
    only: tuple[str, ...],
    dry_run: bool,
    check: bool,
) -> int:
    """Make the results of a run the baseline that later runs are compared with.

    RESULTS is the folder that `gate run` wrote. Only a complete run is accepted, one that no
    flag narrowed. What changes is shown first, scores that go down before all others.
    """
    from gate.accept import acceptable, acceptances, write
    from gate.finished import read_finished
    from gate.results import MANIFEST
    from gate.stopwatch import today

    reason, by = reason.strip(), by.strip()
    if not reason and not (dry_run or check):
        raise UsageError("accept-reason", "no reason is given", hint='Say why: --reason "new tokenizer, reviewed".')
    for option, text in (("--reason", reason), ("--by", by)):
        if UNSAFE.search(text):
            raise UsageError(
                "accept-text", f"{option} is not one line of plain text: {visible(text)}", hint="Write it again."
            )
    finished = read_finished(results)
    folder = baselines or _folder(config, finished.manifest, results / MANIFEST)
    acceptable(finished.verdict, results)
    found = acceptances(results, folder, only)
    for one in found:
        _show(one)
    changed = [one for one in found if not one.same]
    if check and changed:
        _say("The baselines are not what this run gives. Accept it where it is meant, with a --reason.")
        return 1
    if dry_run or not changed:
        _say("Nothing was written." if changed else "The baselines are these results already.")
        return 0
    write(changed, who=by or committer(), why=reason, date=today().isoformat(), commit=commit_of(finished.manifest))
    for one in changed:
        _say(f"Wrote {from_here(str(one.target))}. Commit it.")
    return 0


def _folder(config: Path | None, made: Mapping[str, Any], manifest: Path) -> Path:
    """The folder of the baselines: of the settings given, else of those that the run was made with."""
    from gate.data import data_path
    from gate.settings import FILE_NAME, read_settings

    if config is not None:
        return read_settings(config).baselines
    try:
        settings, folder = str(made["settings"]), str(made["baselines"])
    except KeyError:
        raise UsageError(
            "accept-no-manifest",
            "the manifest of this run cannot be read, so nobody knows its settings",
            where=str(manifest),
            hint="Give the settings with --config.",
        ) from None
    if settings == str(data_path(FILE_NAME)):
        raise UsageError(
            "accept-no-settings",
            "there was no gate.yml where this run was made, so there is no folder for baselines",
            hint="Write a gate.yml and run again, or give a folder with --baselines.",
        )
    return Path(folder)


def _show(one: Acceptance) -> None:
    if one.old is None:
        state = f"replaces one that cannot be read: {one.unreadable}" if one.unreadable else "new"
        size = f"{count(len(one.new.clusters), 'topic')} in {count(len(one.new.runs), 'run')}"
        _say(f"{from_here(str(one.target))}: {state}; {size}")
        return
    _say(f"{from_here(str(one.target))}: {'unchanged' if one.same else count(len(one.changes), 'changed score')}")
    if one.otherwise:
        _say(f"  another question was asked: {one.otherwise}")
    if one.moved:
        _say(f"  judged documents stand elsewhere in {count(one.moved, 'ranking')}")
    down = [change for change in one.changes if change.goes_down]
    # What goes down is what a reader has to see, so it is never cut.
    _list("worse", down, len(down))
    _list("better or new", [change for change in one.changes if not change.goes_down], OTHERS_SHOWN)


def _list(title: str, changes: Sequence[Change], limit: int) -> None:
    if changes:
        _say(f"  {title} ({len(changes)}):")
        for change in changes[:limit]:
            before, after = figures_apart((change.before, change.after))
            _say(f"    {change.cell}: {before} -> {after}")
        if len(changes) > limit:
            _say(f"    and {len(changes) - limit} more")


def _say(line: str) -> None:
    indent = len(line) - len(line.lstrip(" "))
    click.echo(" " * indent + visible(line))


def committer() -> str:
    """Who accepts where nobody is named: git's user.name, else the name that the system knows."""
    named = visible(ask_git("config", "user.name", folder=Path.cwd()) or "")
    if named:
        return named
    try:
        return visible(getpass.getuser())
    except (OSError, KeyError):
        return "unknown"


def commit_of(manifest: Mapping[str, Any]) -> str:
    """The commit that the run was made on, with `+` where files differed from it, as its manifest says."""
    try:
        made = manifest["environment"]
        return f"{made['commit'] or ''}{'+' if made['dirty'] else ''}"
    except (KeyError, TypeError):
        return ""
