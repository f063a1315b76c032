"""The first run: what the store does today, as budgets with headroom and as baselines."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path

from gate.accept import Acceptance, acceptable, acceptances
from gate.headroom.measurements import from_results
from gate.headroom.suggest import Suggestion, suggestion
from gate.pipeline import run_gate
from gate.plan import Flags, Request
from gate.progress import Progress
from gate.records import Verdict
from gate.settings import Settings
from gate.stop import Stop


@dataclass(frozen=True, slots=True)
class Figures:
    """What a green first run gives: the store's name for itself, budgets, and what each baseline would be."""

    store: str
    budgets: Suggestion
    baselines: tuple[Acceptance, ...]


def first_run(
    settings: Settings, results: Path, today: date, stop: Stop, progress: Progress, *, with_budgets: bool
) -> Verdict:
    """Measures everything that the settings ask for. Budgets in place count only where they are to stay."""
    asked = replace(settings, baseline="optional", budgets=settings.budgets if with_budgets else None)
    return run_gate(Request(asked, Flags(), today, base="none", fresh=True), results, stop, progress)


def figures(verdict: Verdict, results: Path, baselines: Path, headroom: float, today: date) -> Figures:
    """Budgets and baselines of a run. Raises UsageError or NotMeasured where it gives none."""
    acceptable(verdict, results)
    found = tuple(acceptances(results, baselines))
    return Figures(found[0].new.header["store"], suggestion(from_results(results), headroom, today), found)
