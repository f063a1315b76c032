"""`gate doctor`: whether an arm can run on this machine, and what it lacks."""

from __future__ import annotations

from pathlib import Path

import click

from gate.cli import options


@click.command(epilog="Exit codes: 0 all that was asked for can run, 2 something cannot, 3 usage, 130 interrupted.")
@options.ARM
@options.CONFIG
@click.option("--json", "as_json", is_flag=True, help="Everything, as JSON.")
def doctor(arms: tuple[str, ...], config: Path | None, as_json: bool) -> int:
    """Look at what an arm needs on this machine: packages, driver, GPU, model files, and a live session.

    Without --arm, the arms of the settings are looked at in full, and every other arm in short. Each look is a
    line: ok, noted, missing with what to do, or why it was not made. A model is opened for real: it is asked where
    its nodes ran, held against its golden values, asked the same twice, and timed. docs/gpu.md tells of GPUs.
    """
    import sys

    from gate.doctor.examine import examine_all, exit_code
    from gate.doctor.views import found_json, found_text
    from gate.files import canonical_json
    from gate.models import arm
    from gate.settings import find_settings, read_settings
    from gate.stop import watched

    settings = read_settings(find_settings(config))
    asked = [arm(name).name for name in arms or settings.arms]
    shows = sys.stderr.isatty()

    def told(what: str) -> None:
        if shows:
            click.echo(f"\r\x1b[K{what}", err=True, nl=False)

    with watched():
        found = examine_all(asked, settings.models, others=not arms, told=told)
    if shows:
        click.echo("\r\x1b[K", err=True, nl=False)
    click.echo(canonical_json(found_json(found)) if as_json else found_text(found), nl=as_json)
    return int(exit_code(found))
