"""How often the gate is red where nothing is wrong: the healthy store again and again, in fresh processes.

Each run has another hash seed. They take turns: the store as it is, then each harmless change, at a dose of its
own, so that sessions arrive in another order every time.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from gate.defects import DEFECTS, Defect
from gate.errors import NotMeasured, UsageError
from gate.exit_codes import ExitCode
from gate.files import read_text
from gate.plan import Request
from gate.progress import Progress
from gate.prove.command import run_gate_command
from gate.results import VERDICT
from gate.stats.wilson import interval
from gate.stop import Stop
from gate.workers import spread

HEALTHY = "healthy"
_VERDICTS = (ExitCode.REGRESSION, ExitCode.NOT_MEASURED)


@dataclass(frozen=True, slots=True)
class AlarmRun:
    """One run: what was changed, `healthy` where nothing was, the hash seed, and what the gate said.

    `said` is the first check that is red, empty where none is.
    """

    change: str
    seed: int
    exit_code: int
    said: str = ""


@dataclass(frozen=True, slots=True)
class Alarms:
    """All runs, in their order."""

    runs: tuple[AlarmRun, ...]
    interrupted: bool = False

    @property
    def red(self) -> tuple[AlarmRun, ...]:
        """The runs in which the gate said that something is wrong, or could not be measured."""
        return tuple(run for run in self.runs if run.exit_code in _VERDICTS)

    @property
    def broken(self) -> tuple[AlarmRun, ...]:
        """The runs that ended otherwise: what the gate would have said is not known."""
        return tuple(run for run in self.runs if run.exit_code not in (ExitCode.PASS, *_VERDICTS))

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's 95% interval of the rate. Raises ValueError where nothing was run."""
        return interval(len(self.red), len(self.runs))

    @property
    def exit_code(self) -> ExitCode:
        if self.interrupted:
            return ExitCode.INTERRUPTED
        if self.red:
            return ExitCode.REGRESSION
        return ExitCode.NOT_MEASURED if self.broken or not self.runs else ExitCode.PASS


def changes(number: int, harmless: Sequence[Defect]) -> list[tuple[str, int]]:
    """What is changed in each of `number` runs, as `--plant` takes it, with its hash seed."""
    found = []
    for at in range(number):
        turn = at % (1 + len(harmless))
        plant = HEALTHY if not turn else f"{harmless[turn - 1].name}={(at + 1) / number:g}"
        found.append((plant, at + 1))
    return found


def false_alarms(request: Request, number: int, workers: int, scratch: Path, stop: Stop, progress: Progress) -> Alarms:
    """Runs the gate `number` times, each in a process of its own. Raises NotMeasured where the first is not green."""
    harmless = [defect for defect in DEFECTS.values() if defect.benign]
    planned = changes(number, harmless)
    progress.stage(f"running the gate {number} times where nothing is wrong", number)

    def run(one: tuple[str, int]) -> AlarmRun:
        change, seed = one
        out = scratch / f"run-{seed}"
        plant = "" if change == HEALTHY else change
        code = run_gate_command(request, plant=plant, out=out, hash_seed=seed)
        return AlarmRun(change, seed, code, _first_red(out) if code else "")

    first = run(planned[0])
    if first.exit_code and not stop.requested:
        raise NotMeasured(
            "prove-not-green",
            f"the gate is not green on the healthy store, so nothing that is red is a false alarm: {first.said}",
            hint="`gate run` with the same flags shows all of it.",
        )
    done = {} if stop.requested else {planned[0]: first}
    progress.tick(1)
    for one, seen in spread(planned[1:], run, workers, stop):
        done[one] = seen
        progress.tick(1)
    return Alarms(tuple(done[one] for one in planned if one in done), interrupted=stop.requested)


def _first_red(out: Path) -> str:
    """The first check of a verdict that is red; why there is none where it cannot be read."""
    try:
        verdict = json.loads(read_text(out / VERDICT, "verdict"))
    except (UsageError, ValueError):
        return "it wrote no verdict"
    for check in verdict["checks"]:
        if check["status"] in ("fail", "not measured") and check["level"] == "error":
            return f"{check['cell'] or check['source']}: {check['message']}"
    return verdict["verdict"] or ""
