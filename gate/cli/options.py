"""Options that several verbs take, in one wording."""

from __future__ import annotations

from pathlib import Path

import click

from gate.records import MODES

STORE = click.option("--store", default="", metavar="NAME", help="A built-in store, an entry point or module:factory.")
CORPUS = click.option("--corpus", "corpora", multiple=True, metavar="SPEC", help="As in gate run. Repeatable.")
TIER = click.option(
    "--tier", "tiers", multiple=True, metavar="TIER", help="The corpora in this tier: smoke, 1k, 10k, ..."
)
SLICE = click.option("--slice", "slices", multiple=True, metavar="GLOB", help="Only these slices; !GLOB leaves out.")
MODE = click.option("--mode", "modes", multiple=True, type=click.Choice(MODES), help="Only this mode. Repeatable.")
ARM = click.option("--arm", "arms", multiple=True, metavar="ARM", help="What to run on. [default: as in the settings]")
CONFIG = click.option(
    "--config", type=click.Path(path_type=Path, dir_okay=False), help="The settings file. [default: gate.yml]"
)
FAIL_ON = click.option(
    "--fail-on",
    type=click.Choice(["error", "warn", "never"]),
    default="error",
    show_default=True,
    help="The least level of a broken check that makes the exit code 1.",
)
NOT_MEASURED = click.option(
    "--not-measured",
    type=click.Choice(["fail", "allow"]),
    default="fail",
    show_default=True,
    help="Whether something unmeasured makes the exit code 2, or only warns.",
)
TODAY = click.option("--today", type=click.DateTime(["%Y-%m-%d"]), help="The day for waivers. [default: today, UTC]")
QUIET = click.option("--quiet", "-q", is_flag=True, help="Print the result only, no progress.")
