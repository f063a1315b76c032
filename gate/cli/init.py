"""`gate init`: set the gate up in a repository."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence
from importlib import invalidate_caches
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gate.cli.accept import commit_of, committer
from gate.cli.progress import Bar, Lines
from gate.cli.run import RESULTS
from gate.errors import Problem, UsageError
from gate.report.escape import UNSAFE, disarmed

if TYPE_CHECKING:
    from gate.adopt.adoption import Adoption
    from gate.adopt.asked import Asked
    from gate.adopt.files import Outcome, Transaction
    from gate.adopt.measure import Figures
    from gate.adopt.place import Place
    from gate.records import Verdict

REASON = "first adoption by gate init"
_CHOOSE = "Name one with --store."
_GIVE = "Name it with --store module:factory, or give --driver recall_driver.py to have one written to fill in."
_ASK = "The store to gate: module:factory, or a path ending in .py for a driver to be written"


@click.command(epilog="Exit codes: 0 set up, or it was already; 1 or 2 the first run was not green; 3 usage.")
@click.option("--store", default="", metavar="NAME", help="An entry point or module:factory. [default: looked for]")
@click.option(
    "--driver",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="PATH",
    help="Write a driver to fill in to this file, and gate it.",
)
@click.option("--corpus", "corpora", multiple=True, metavar="SPEC", help="As in `gate run`. Repeatable.")
@click.option("--tier", default="", metavar="TIER", help="The tier of the seeded corpus. [default: smoke]")
@click.option(
    "--headroom",
    default="0.1",
    show_default=True,
    metavar="SHARE",
    help="The loss at which a budget goes red, as a share of what was measured.",
)
@click.option("--no-run", is_flag=True, help="Measure nothing: no budgets and no baseline.")
@click.option("--yes", "-y", is_flag=True, help="Ask nothing, on a terminal neither.")
@click.option("--force", is_flag=True, help="Replace files that differ. A copy of each stays: FILE.bak.")
def init(
    store: str,
    driver: Path | None,
    corpora: tuple[str, ...],
    tier: str,
    headroom: str,
    no_run: bool,
    yes: bool,
    force: bool,
) -> int:
    """Set the gate up in this folder and the repository around it.

    Looks for a store, measures it once, and writes gate.yml, a budget file a little below what was
    measured, the baseline, a workflow where the repository is on GitHub, a hook before each push
    (an entry in .pre-commit-config.yaml, else a hook of git), and a line in .gitignore. What is
    there already stays; run twice, it changes nothing. Where the first run is not green, nothing
    is written.

    Without a store, --driver PATH writes one to fill in, which works as it stands.
    """
    from gate.adopt.adoption import Adoption, driver_outcome
    from gate.adopt.driver import driver_spec
    from gate.adopt.files import Transaction
    from gate.adopt.place import look
    from gate.headroom.suggest import read_headroom

    share = read_headroom(headroom)
    if corpora and tier:
        raise UsageError("init-corpus-and-tier", "--corpus names a tier itself", hint="Leave out --tier.")
    place = look(Path.cwd())
    asks = not yes and sys.stdin.isatty() and sys.stdout.isatty()
    kept = os.path.lexists(place.folder / "gate.yml") and not force
    store, driver = _subject(place, store, driver, asks=asks, kept=kept)
    written = Transaction()
    try:
        outcomes = []
        if driver is not None:
            spec = driver_spec(driver, place)
            outcomes += written.write([driver_outcome(place, driver, spec)])
            # The folder may have been looked through before the file was there.
            invalidate_caches()
            store = spec
        adoption = Adoption(place, _asked(place, store, corpora, tier, kept=kept), RESULTS, force)
        if asks and adoption.needs_run and not no_run:
            settings = adoption.asked.settings
            click.confirm(f"Measure {settings.store} and write what follows from it?", default=True, abort=True)
        figures = None
        if adoption.needs_run and not no_run:
            verdict, figures = _measure(adoption, share)
            if figures is None:
                written.undo()
                return verdict.exit_code
        elif no_run:
            _import(adoption.asked.settings.store)
        outcomes += _write(adoption, figures, written)
    except BaseException:
        written.undo()
        raise
    _show(place, outcomes)
    _next(place, outcomes, measured=not no_run)
    return 0


def _subject(place: Place, store: str, driver: Path | None, *, asks: bool, kept: bool) -> tuple[str, Path | None]:
    """The store, or the driver to write; neither where a gate.yml speaks for itself."""
    if store and driver is not None:
        raise UsageError("init-store-and-driver", "a driver is a store", hint="Give --store or --driver, not both.")
    if store or driver is not None:
        return store, driver
    from gate.adopt.asked import before, names_store
    from gate.adopt.candidates import candidates, known_dependencies

    if kept:
        found = [] if names_store(place) else candidates(place)
        if found:
            raise UsageError(
                "init-settings-without-store",
                "it names no store, so that the gate's own would be gated, and there is one in this folder",
                where="gate.yml",
                problems=tuple(Problem(f"store: {one.spec}", one.where) for one in found),
                hint="Name the store there and run `gate init` again.",
            )
        return store, driver
    replaced = before(place)
    if replaced is not None:
        return replaced.store, None

    found = candidates(place)
    if len(found) == 1:
        _say(f"Found the store {found[0].spec} ({found[0].where}).")
        return found[0].spec, None
    known = known_dependencies(place.folder)
    hint = f" It depends on {', '.join(known)}: a driver calls that as your own code does." if known else ""
    if not asks:
        raise UsageError(
            "init-stores-several" if found else "init-no-store",
            "more than one store could be meant" if found else f"no store was found in this folder.{hint}",
            problems=tuple(Problem(f"--store {one.spec}", one.where) for one in found),
            hint=_CHOOSE if found else _GIVE,
        )
    for number, one in enumerate(found, 1):
        _say(f"  {number}  {one.spec}  ({one.where})")
    if hint:
        _say(hint)
    answer = click.prompt(_ASK + (", or a number" if found else "")).strip()
    if answer.isdecimal() and 1 <= int(answer) <= len(found):
        return found[int(answer) - 1].spec, None
    return ("", Path(answer)) if answer.endswith(".py") else (answer, None)


def _asked(place: Place, store: str, corpora: Sequence[str], tier: str, *, kept: bool) -> Asked:
    """The settings in place where they are kept, else those of a first gate.yml."""
    from gate.adopt.asked import FASTEST, SEEDED, before, first, in_place

    named = corpora or ([f"{SEEDED}@{tier}"] if tier else ())
    if kept:
        return in_place(place, store, named)
    replaced = before(place)
    known = replaced.corpora if replaced is not None else (f"{SEEDED}@{FASTEST}",)
    return first(place, store, named or known)


def _measure(adoption: Adoption, headroom: float) -> tuple[Verdict, Figures | None]:
    """The first run, and what it gives; nothing where it was not green, which is then told."""
    from gate.adopt.measure import figures, first_run
    from gate.adopt.settings_text import scalar
    from gate.diverted import diverted
    from gate.exit_codes import ExitCode
    from gate.report import REPORTS, ReportContext
    from gate.results import LOG, results_folder
    from gate.stop import watched
    from gate.stopwatch import now, today

    began, day = now(), today()
    settings = adoption.asked.settings
    place, views = Path(RESULTS).absolute(), [report.file_name for report in REPORTS.values()]
    with results_folder(place, views) as folder, watched() as stop, diverted(folder / LOG) as (_, errors):
        progress = Bar(errors) if errors.isatty() and os.environ.get("TERM") != "dumb" else Lines(errors)
        try:
            verdict = first_run(settings, folder, day, stop, progress, with_budgets=adoption.keeps_budgets)
        finally:
            if isinstance(progress, Bar):
                progress.close()
        if verdict.exit_code == ExitCode.PASS:
            return verdict, figures(verdict, folder, settings.baselines, headroom, day)
    context = ReportContext(RESULTS, now() - began)
    click.echo(disarmed(REPORTS["text"].render(verdict, context)))
    _say("The first run is not green, so nothing was written but its results. Mend what it shows, then run")
    _say("`gate init` again; --no-run writes all but budgets and baseline.")
    if settings.fail_open.faults and any(
        check.source == "fail-open" and check.status != "pass" for check in verdict.checks
    ):
        _say("A store that has no fallback yet for an embedder that fails says so in gate.yml:")
        _say(f"  store: {scalar(settings.store)}")
        _say("  fail_open: {faults: []}")
    if any(check.source == "probe" and check.status != "pass" for check in verdict.checks):
        _say("A store that does not hold yet to what probes look for says so in gate.yml (docs/probes.md):")
        _say(f"  store: {scalar(settings.store)}")
        _say("  probes: off")
    return verdict, None


def _import(store: str) -> None:
    """Raises UsageError where there is no such store. What it prints when it is imported is not ours to show."""
    from gate.diverted import diverted
    from gate.stores import find_store

    with diverted(Path(os.devnull)):
        find_store(store)


def _write(adoption: Adoption, figures: Figures | None, written: Transaction) -> list[Outcome]:
    from gate.accept import write
    from gate.results import read_manifest
    from gate.stopwatch import today

    found = adoption.outcomes(figures)
    new = [one for one in figures.baselines if one.old is None and not one.unreadable] if figures is not None else []
    accepted = {one.target for one in new}
    told = [one if one.path in accepted else written.write([one])[0] for one in found]
    written.watch(one.target for one in new)
    if new:
        commit = commit_of(read_manifest(Path(RESULTS)))
        write(new, who=committer(), why=REASON, date=today().isoformat(), commit=commit)
    return told


def _show(place: Place, outcomes: Iterable[Outcome]) -> None:
    """One line a file, and what a person has to add where we do not."""
    for one in outcomes:
        says = f"  ({one.says})" if one.says else ""
        _say(f"{one.state:<9}  {_from(place, one.path)}{says}")
        for line in one.lines.splitlines():
            _say(f"             {line}")


def _next(place: Place, outcomes: Sequence[Outcome], *, measured: bool) -> None:
    from gate.adopt.files import CHANGES, EXTENDED
    from gate.adopt.hook import PRE_COMMIT, PRE_PUSH
    from gate.adopt.workflow import PATH

    changed = [one for one in outcomes if one.state in CHANGES]
    if not changed:
        _say("Nothing was changed.")
        return
    names = {_from(place, one.path): one for one in changed}
    if any(one.state == EXTENDED and one.path.name == PRE_COMMIT for one in changed):
        _say("next: pre-commit install --hook-type pre-push")
    if any(one.path == place.top / PATH for one in changed):
        _say(f"next: See to it that {PATH} can install your store.")
    if not measured:
        _say("next: gate run, gate accept --reason WHY, gate budgets suggest --out FILE.")
    if place.root is not None:
        tracked = [name for name, one in names.items() if one.path.name != PRE_PUSH or not place.own_hooks]
        _say(f"next: Read what was written, then commit {', '.join(tracked)}.")


def _from(place: Place, path: Path) -> str:
    """A path as seen from the folder."""
    return Path(os.path.relpath(path, place.folder)).as_posix()


def _say(line: str) -> None:
    indent = len(line) - len(line.lstrip(" "))
    click.echo(" " * indent + UNSAFE.sub(lambda found: f"<U+{ord(found[0]):04X}>", line.strip()))
