"""Looking: every planned probe in each of its modes, and a check of each look."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from gate.errors import StoreError, StoreHung, one_line
from gate.guard import Stopped
from gate.ingest import Subject
from gate.plan import Declared
from gate.probes.bench import Bench
from gate.probes.plan import ProbePlan, cell_of
from gate.probes.probe import NO_MODE, Finding, Probe
from gate.progress import Progress, Silent
from gate.records import Check

SOURCE = "probe"


def run_probes(
    subject: Subject,
    declared: Declared,
    plan: ProbePlan,
    folder: Path,
    progress: Progress | None = None,
    *,
    planted: str = "",
) -> list[Check]:
    """One check a probe and mode, in the order of the plan. Nothing that a store does ends the others.

    `folder` is where stores are opened; what is in it afterwards is of no use. `planted` is a defect that is planted
    in the subject, as `--plant` names it, for the lines that show a finding and for the other process. A wish to stop
    leaves the rest not measured.
    """
    progress = progress or Silent()
    progress.stage(f"{declared.name} on {subject.arm.name}: probes", plan.looks)
    bench = Bench(subject, declared, folder, planted)
    checks = []
    try:
        for planned in plan.planned:
            for check in _Look(bench, planned.probe).checks(planned.modes):
                checks.append(check)
                progress.tick(1)
            bench.done()
    finally:
        bench.done(everything=True)
    return checks


class _Unprepared:
    """There is nothing to look at yet."""


class _Look:
    """One probe on one bench. What cannot be prepared fails all of its modes alike."""

    def __init__(self, bench: Bench, probe: Probe) -> None:
        self.bench, self.probe = bench, probe
        self.prepared: Any = _Unprepared
        self.failure = ""

    def checks(self, modes: tuple[str, ...]) -> Iterator[Check]:
        for mode in modes:
            cell = str(cell_of(self.probe, self.bench.declared.name, self.bench.subject.arm.name, mode))
            finding, failure = self._looked(mode)
            if failure:
                yield probe_check(cell, "not measured", f"not measured: {failure}")
            elif finding is not None:
                yield probe_check(
                    cell, "fail", finding.says, (*finding.show, f"# prints {_cut(one_line(finding.prints))}")
                )
            else:
                yield probe_check(cell, "pass", self.probe.says)

    def _looked(self, mode: str) -> tuple[Finding | None, str]:
        """What a look shows, or why it shows nothing."""
        stop = self.bench.subject.stop
        if stop.requested:
            return None, f"stopped by {stop.signal}"
        if mode in self.bench.hung:
            return None, f"the store hung in this mode before: {self.bench.hung[mode]}"
        try:
            if self.prepared is _Unprepared and not self.failure:
                self._prepare()
            if self.failure:
                return None, self.failure
            return self.probe.look(self.prepared, mode), ""
        except StoreHung as error:
            self.bench.hung[mode] = error.what
            self.bench.forget()
            self.prepared = _Unprepared
            return None, f"{error.where}: {error.what}"
        except StoreError as error:
            return None, f"{error.where}: {error.what}" if error.where else error.what
        except Stopped as stopped:
            return None, stopped.what

    def _prepare(self) -> None:
        """Makes ready; once more without the mode where one hung meanwhile. Raises Stopped."""
        while True:
            known = len(self.bench.hung)
            try:
                self.prepared = self.probe.prepare(self.bench)
                return
            except StoreHung as error:
                self.bench.forget()
                if len(self.bench.hung) == known:
                    # Every mode needs what hung: nobody waits for it again.
                    self.bench.hung |= dict.fromkeys((*self.bench.declared.modes, NO_MODE), error.what)
                    self.failure = f"{error.where}: {error.what}"
                    return
            except StoreError as error:
                self.failure = f"{error.where}: {error.what}"
                return


def probe_check(cell: str, status: str, message: str, show: tuple[str, ...] = ()) -> Check:
    """The check of one look."""
    return Check(f"{SOURCE} {cell}", SOURCE, cell, "", None, None, status, "error", message, show=show)


_LONGEST = 300


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."
