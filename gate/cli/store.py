"""`gate store`: a store looked at by itself, without a corpus, budgets or a baseline."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from gate.cli import options
from gate.cli.progress import Bar, Lines
from gate.cli.run import terminal
from gate.records import MODES

if TYPE_CHECKING:
    from gate.opening import Opening
    from gate.probes.views import StoreChecked
    from gate.progress import Progress
    from gate.settings import Settings


@click.group(epilog="Exit codes: 0 nothing found, 1 something found, 2 not measured, 3 usage.")
def store() -> None:
    """Look at a store by itself: no corpus, no budgets, no baseline."""


@store.command(epilog="Exit codes: 0 nothing found, 1 something found, 2 not measured, 3 usage, 130 interrupted.")
@click.argument("spec", metavar="[STORE]", default="")
@options.MODE
@click.option("--probe", "globs", multiple=True, metavar="GLOB", help="Only these probes; !GLOB leaves out.")
@click.option("--fast", is_flag=True, help="Only the probes that every run looks at.")
@options.ARM
@click.option("--plant", default="", metavar="DEFECT[=DOSE]", help="Plant a defect to see it caught.")
@options.CONFIG
@click.option("--log", type=click.Path(path_type=Path, dir_okay=False), help="Keep what the store prints in this file.")
@click.option("--json", "as_json", is_flag=True, help="Everything, as JSON.")
@options.QUIET
def check(
    spec: str,
    modes: tuple[str, ...],
    globs: tuple[str, ...],
    fast: bool,
    arms: tuple[str, ...],
    plant: str,
    config: Path | None,
    log: Path | None,
    as_json: bool,
    quiet: bool,
) -> int:
    """Look for what must hold of any store: every probe that STORE declares the modes and abilities for.

    STORE is a built-in store, an entry point or module:factory; that of the settings unless given. The probes
    store a few invented documents and need no labels. Each that finds something says it in a sentence, with lines
    of Python that show it again. Waivers of the budget file are not looked at. docs/probes.md lists all probes.
    """
    import tempfile

    from gate.diverted import diverted
    from gate.errors import UsageError
    from gate.files import canonical_json
    from gate.opening import Here
    from gate.probes.plan import names_of
    from gate.probes.views import checked_json, checked_text
    from gate.progress import Silent
    from gate.settings import find_settings, read_settings, shipped_settings
    from gate.stop import watched
    from gate.stores import CONTROLS

    settings = read_settings(find_settings(config))
    if log is not None and not log.absolute().parent.is_dir():
        raise UsageError(
            "log-folder", "there is no such folder", where=str(log.parent), hint="Make it, or name another."
        )
    own = not spec and shipped_settings(settings.path)
    spec = spec or settings.store
    if spec in CONTROLS:
        raise UsageError("store-control", f"{spec} is a control: it breaks what a store promises, and is meant to")
    names = _chosen(names_of("fast" if fast else "full"), globs)
    with tempfile.TemporaryDirectory(prefix="gate-", ignore_cleanup_errors=True) as scratch, watched() as stop:
        opening = Here(Path(scratch), settings.timeout, stop, settings.models)
        with diverted(log or Path(scratch) / "store.log") as (output, errors):
            progress = Silent() if quiet else Bar(errors) if terminal(errors) else Lines(errors)
            try:
                found = _checked(spec, arms or settings.arms, modes, names, plant, settings, opening, progress, scratch)
            finally:
                if isinstance(progress, Bar):
                    progress.close()
            if own:
                errors.write(
                    "gate: there is no gate.yml in this folder, so this is the store that comes with the gate\n"
                )
            output.write(canonical_json(checked_json(found)) + "\n" if as_json else checked_text(found))
    return int(found.exit_code)


def _chosen(names: list[str], globs: tuple[str, ...]) -> list[str]:
    """The probes that globs choose, all without any. Raises UsageError for one that chooses nothing."""
    from gate.globs import chosen
    from gate.plan import check_globs

    if not globs:
        return names
    check_globs(globs, names, "probe")
    return list(chosen(names, globs))


def _checked(
    spec: str,
    arms: tuple[str, ...],
    modes: tuple[str, ...],
    names: list[str],
    plant: str,
    settings: Settings,
    opening: Opening,
    progress: Progress,
    scratch: str,
) -> StoreChecked:
    """Looks on every arm. Raises UsageError, and StoreError where the store cannot be opened."""
    from gate.errors import NotMeasured
    from gate.probes.plan import plan_probes
    from gate.probes.run import run_probes
    from gate.probes.views import StoreChecked

    checks, notes, stopped, name = [], [], "", spec
    for number, arm in enumerate(dict.fromkeys(arms)):
        subject, declared = opening(spec, arm, plant)
        subject.stop.keep()
        name = declared.name
        undeclared = [mode for mode in modes if mode not in declared.modes]
        if undeclared:
            raise NotMeasured(
                "mode-undeclared",
                f"{name} does not declare the mode {', '.join(undeclared)}, so nothing of it can be looked at",
                hint=f"It declares {', '.join(mode for mode in MODES if mode in declared.modes)}.",
            )
        plan = plan_probes(declared, names, modes, noisy=settings.noisy and spec == settings.store)
        notes += plan.notes(name)
        folder = Path(scratch) / f"probes-{number}"
        checks += run_probes(subject, declared, plan, folder, progress, planted=plant)
        stopped = subject.stop.signal
    return StoreChecked(name, tuple(checks), tuple(dict.fromkeys(notes)), stopped)
