"""`gate budgets`: how much each budget lets go, and budgets to start from."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gate.cli.run import RESULTS

if TYPE_CHECKING:
    from gate.headroom.measurements import Measurements
    from gate.headroom.slices import Slices
    from gate.settings import Settings

_RESULTS = click.argument("results", type=click.Path(path_type=Path, file_okay=False), required=False)
_CONFIG = click.option(
    "--config",
    type=click.Path(path_type=Path, dir_okay=False),
    help="The settings file. [default: that of the run, else gate.yml]",
)
_TODAY = click.option("--today", type=click.DateTime(["%Y-%m-%d"]), help="The day to judge by. [default: today, UTC]")


@click.group(epilog="Exit codes: 0 nothing to see to, 1 something flagged, 2 nothing measured, 3 usage.")
def budgets() -> None:
    """Show how much each budget lets go, and suggest budgets to start from."""


@budgets.command(
    epilog="Exit codes: 0 nothing flagged, 1 something flagged, 2 nothing measured to audit against, 3 usage."
)
@_RESULTS
@_CONFIG
@click.option(
    "--budgets",
    "file",
    type=click.Path(path_type=Path, dir_okay=False),
    help="The budget file. [default: as in the settings]",
)
@_TODAY
@click.option(
    "--within",
    default=30,
    show_default=True,
    type=click.IntRange(min=0),
    metavar="DAYS",
    help="A waiver that ends in so many days is about to expire.",
)
@click.option("--all", "everything", is_flag=True, help="Every budget and cell, every cell without one, every slice.")
@click.option("--json", "as_json", is_flag=True, help="Everything, as JSON.")
def audit(
    results: Path | None,
    config: Path | None,
    file: Path | None,
    today: datetime | None,
    within: int,
    everything: bool,
    as_json: bool,
) -> int:
    """Show how much could be lost before each budget goes red, and what no budget would notice.

    RESULTS is the folder that `gate run` wrote, gate-results unless given. Where there is none,
    the budgets are held against the committed baselines.

    \b
    Flagged, and exit code 1:
      broken        the budget is red now
      too loose     a fifth of a slice could be lost, and no budget on that cell would go red
      not measured  a cell of the budget has no value
      no cell       the budget matches nothing that was measured
      expired, unused waivers
    Told, and no more: cells of R@5 and nDCG@10 without a budget, waivers about to expire, what a
    comparison with a baseline can see in each slice, and what it sees beside the churn of this run.
    """
    from gate.budgets import read_budgets
    from gate.cli.budget_audit import audit_text
    from gate.files import canonical_json
    from gate.headroom.audit import as_data, audit_budgets
    from gate.headroom.compared import beside_baselines
    from gate.headroom.measurements import BASELINES
    from gate.stopwatch import today as this_day

    settings, measured, slices = _figures(results, config)
    rules = read_budgets(file or settings.budgets)
    day = today.date() if today else this_day()
    ran = measured.kind != BASELINES
    beside = beside_baselines(results or Path(RESULTS), measured.cells, settings) if ran else None
    made = audit_budgets(rules, measured, slices, day, within, beside)
    click.echo(canonical_json(as_data(made)) if as_json else audit_text(made, everything=everything), nl=as_json)
    return int(made.exit_code)


@budgets.command(epilog="Exit codes: 0 written or printed, 2 nothing measured to start from, 3 usage.")
@_RESULTS
@_CONFIG
@click.option(
    "--headroom",
    default="0.2",
    show_default=True,
    metavar="SHARE",
    help="The loss at which a budget goes red, as a share of what was measured.",
)
@click.option("--slice", "slices", multiple=True, metavar="GLOB", help="Only these slices; !GLOB leaves out.")
@click.option("--mode", "modes", multiple=True, metavar="GLOB", help="Only these modes.")
@click.option("--corpus", "corpora", multiple=True, metavar="GLOB", help="Only these corpora, such as '*@1k'.")
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), help="Write to this file. [default: print]")
@click.option("--force", is_flag=True, help="Replace the file where there is one.")
@_TODAY
def suggest(
    results: Path | None,
    config: Path | None,
    headroom: str,
    slices: tuple[str, ...],
    modes: tuple[str, ...],
    corpora: tuple[str, ...],
    out: Path | None,
    force: bool,
    today: datetime | None,
) -> int:
    """Write budgets for every slice and mode, a little below what was measured.

    RESULTS is the folder that `gate run` wrote, gate-results unless given; where there is none,
    the committed baselines serve. With a headroom of 0.2 a budget goes red at the
    latest when a fifth of what was found is lost. Slices of fewer than 100 topics get floors
    in whole topics. Where less than a fifth is found there is no floor to guard, and none is written.
    """
    from gate.errors import UsageError
    from gate.files import write_atomic
    from gate.headroom.suggest import Choice, read_headroom, suggestion
    from gate.report.escape import disarmed
    from gate.stopwatch import today as this_day

    share = read_headroom(headroom)
    if out is not None and out.exists() and not force:
        raise UsageError(
            "budgets-exist",
            "there is a file here already, and its comments would be lost",
            where=str(out),
            hint="Give another name with --out, or --force to replace it.",
        )
    _, measured, _ = _figures(results, config)
    made = suggestion(measured, share, today.date() if today else this_day(), Choice(slices, modes, corpora))
    if out is None:
        click.echo(disarmed(made.text), nl=False)
        return 0
    write_atomic(out, made.text)
    click.echo(disarmed(f"Wrote {made.count} budgets to {out}. Read them, then name the file in gate.yml."))
    return 0


def _figures(results: Path | None, config: Path | None) -> tuple[Settings, Measurements, Slices]:
    """The settings, the figures to hold budgets against, and the slices behind them."""
    from gate.errors import NotMeasured
    from gate.files import from_here
    from gate.finished import is_finished
    from gate.headroom.measurements import from_baselines, from_results
    from gate.headroom.slices import Slices
    from gate.results import read_manifest
    from gate.settings import read_settings

    place = results or Path(RESULTS)
    if results is not None or is_finished(place):
        measured, manifest = from_results(place), read_manifest(place)
        settings = read_settings(_settings_of(config, manifest))
        return settings, measured, Slices((*settings.corpora, *_asked(manifest)), _digests(manifest))
    settings = read_settings(_settings_of(config, {}))
    found = from_baselines(settings)
    if found is None:
        raise NotMeasured(
            "no-results",
            f"there are no results in {place}, and no baselines in {from_here(str(settings.baselines))}",
            hint="Run `gate run` first, or name the folder that it wrote to.",
        )
    return settings, *found


def _settings_of(config: Path | None, manifest: Mapping[str, Any]) -> Path:
    """The settings given, else those that the run was made with, else those of this folder."""
    from gate.errors import UsageError
    from gate.settings import find_settings

    named = manifest.get("settings")
    if config is not None or not isinstance(named, str) or not named:
        return find_settings(config)
    if not Path(named).is_file():
        raise UsageError(
            "budgets-no-settings",
            f"the settings that this run was made with are not here: {named}",
            hint="Start the command in the folder of the run, or give the settings with --config.",
        )
    return Path(named)


def _asked(manifest: Mapping[str, Any]) -> list[str]:
    """The corpora that flags of the run named."""
    flags = manifest.get("flags")
    corpora = flags.get("corpora") if isinstance(flags, dict) else None
    return [spec for spec in corpora if isinstance(spec, str)] if isinstance(corpora, list) else []


def _digests(manifest: Mapping[str, Any]) -> dict[str, str]:
    """The digest of each corpus that the run measured, by label."""
    trials = manifest.get("trials")
    return {
        str(trial["corpus"]): str(trial["dataset"]["digest"])
        for trial in (trials if isinstance(trials, list) else ())
        if isinstance(trial, dict) and "corpus" in trial and isinstance(trial.get("dataset"), dict)
        if trial["dataset"].get("digest")
    }
