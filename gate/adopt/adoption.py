"""All that becomes of a repository's files when it adopts the gate, worked out before any of them is written."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from gate.adopt.asked import Asked
from gate.adopt.driver import driver_text, store_name
from gate.adopt.files import LEFT, SKIPPED, WRITTEN, Outcome, inside, planned
from gate.adopt.hook import hook
from gate.adopt.ignored import ignore
from gate.adopt.measure import Figures
from gate.adopt.place import Place
from gate.adopt.settings_text import settings_text
from gate.adopt.workflow import PATH as WORKFLOW
from gate.adopt.workflow import extras_needed, why_not, workflow_text
from gate.settings import FILE_NAME

_UNMEASURED = "nothing was measured (--no-run)"


@dataclass(frozen=True, slots=True)
class Adoption:
    """A place, what is asked there, and whether files in it may be replaced. `results` is the folder of a run."""

    place: Place
    asked: Asked
    results: str
    force: bool

    @property
    def needs_run(self) -> bool:
        """Whether budgets or a baseline are missing that only a run can give."""
        named = self.asked.settings.budgets
        return not self.asked.kept or not self.asked.has_baselines or (named is not None and not named.exists())

    @property
    def keeps_budgets(self) -> bool:
        """Whether there are budgets that stay, so that the first run is held against them."""
        named = self.asked.settings.budgets
        return self.asked.kept and named is not None and named.exists()

    def outcomes(self, figures: Figures | None) -> list[Outcome]:
        """One outcome a file, in the order of the work. `figures` are None where nothing was measured."""
        budgets = self._budgets_path(figures)
        return [
            self._settings(budgets, figures),
            self._budgets(budgets, figures),
            *self._baselines(figures),
            self._workflow(),
            hook(self.place, self.asked.push_tiers, force=self.force),
            ignore(self.place, self.results),
        ]

    def _budgets_path(self, figures: Figures | None) -> Path:
        named = self.asked.settings.budgets
        store = figures.store if figures is not None else store_name(self.asked.settings.store)
        return named if named is not None else self.place.folder / "budgets" / f"{store}.yml"

    def _settings(self, budgets: Path, figures: Figures | None) -> Outcome:
        path = self.place.folder / FILE_NAME
        if self.asked.kept:
            return Outcome(path, LEFT, "it is there already; --force replaces it")
        relative = budgets.relative_to(self.place.folder).as_posix()
        named = figures is not None or budgets.exists()
        text = settings_text(self.asked.settings.store, self.asked.entries, relative, adopted=named)
        return planned(path, text, (self.place.top,), force=self.force)

    def _budgets(self, path: Path, figures: Figures | None) -> Outcome:
        if self.asked.kept and self.asked.settings.budgets is None:
            relative = path.relative_to(self.place.folder).as_posix()
            says = f"{FILE_NAME} names no budgets; add this to it and run `gate init` again"
            return Outcome(path, SKIPPED, says, lines=f"budgets: {relative}\n")
        if path.exists() and (self.asked.kept or not self.force):
            return Outcome(path, LEFT, "it is there already")
        if figures is None:
            return Outcome(path, SKIPPED, _UNMEASURED)
        made = planned(path, figures.budgets.text, (self.place.top,), force=self.force)
        if made.state == LEFT:
            return made
        return Outcome(path, made.state, f"{figures.budgets.count} budgets", made.text)

    def _baselines(self, figures: Figures | None) -> Iterator[Outcome]:
        folder = self.asked.settings.baselines
        if figures is None:
            kept = self.asked.has_baselines
            yield Outcome(folder, LEFT if kept else SKIPPED, _IN_PLACE if kept else _UNMEASURED)
            return
        for one in figures.baselines:
            inside(one.target, (self.place.top,))
            # They are written by whoever accepts; this says so.
            yield (
                Outcome(one.target, WRITTEN, text=one.text)
                if one.old is None and not one.unreadable
                else Outcome(one.target, LEFT, _IN_PLACE)
            )

    def _workflow(self) -> Outcome:
        path = self.place.top / WORKFLOW
        reason = why_not(self.place)
        if reason:
            return Outcome(path, SKIPPED, reason)
        return planned(
            path, workflow_text(self.place, extras_needed(self.asked.settings)), (self.place.top,), force=self.force
        )


_IN_PLACE = "there is one already; `gate accept` replaces it"


def driver_outcome(place: Place, path: Path, spec: str) -> Outcome:
    """What becomes of a driver: one that is there is somebody's work, and stays whatever is forced."""
    found = planned(place.folder / path, driver_text(store_name(spec)), (place.top,))
    return Outcome(found.path, LEFT, "it is there already, and yours") if found.state == LEFT else found
