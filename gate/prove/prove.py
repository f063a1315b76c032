"""The whole proof: health, every defect at falling doses, one a family through the command line."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from gate.defects import DEFECTS, Defect
from gate.errors import NotMeasured
from gate.opening import Here, workers_for
from gate.pipeline import plan_gate
from gate.plan import Request
from gate.progress import Progress
from gate.prove.bench import LATENCY, Bench, green, in_health
from gate.prove.command import chosen, exit_code
from gate.prove.enough import enough
from gate.prove.records import DIED, FULL, STOPPED, Proof, Row, Sight
from gate.prove.timed import stand_of, timed_rows
from gate.stop import Stop
from gate.workers import spread

DOSES = (FULL, 0.2)


def in_order(doses: Iterable[float]) -> tuple[float, ...]:
    """The full dose, then the weaker ones that are asked for, falling; the usual one where none is asked for."""
    asked = set(doses)
    return tuple(sorted(asked | {FULL}, reverse=True)) if asked else DOSES


@dataclass(frozen=True, slots=True)
class Wanted:
    """`defects` to plant, at falling `doses`; `through_command` tries one a family there too.

    `workers` are the processes that plant them; 0 is as many as the store and its arm survive.
    """

    defects: tuple[Defect, ...] = tuple(DEFECTS.values())
    doses: tuple[float, ...] = DOSES
    workers: int = 0
    through_command: bool = True


@dataclass(frozen=True, slots=True)
class _Task:
    """One defect at one dose, and what a stronger one showed."""

    name: str
    dose: float
    stronger: Sight | None = None


def prove(request: Request, wanted: Wanted, scratch: Path, stop: Stop, progress: Progress) -> Proof:
    """Plants the defects in the store that a request names.

    Raises UsageError for what cannot be read, and NotMeasured where the healthy store is not green: then nothing
    that is red shows anything.
    """
    plan = plan_gate(request, Here(scratch, request.settings.timeout, stop, request.settings.models), scratch)
    stop.keep()
    bench = in_health(plan, scratch, progress)
    if not stop.requested and not green(bench):
        raise _not_green(bench)
    if not wanted.workers:
        wanted = replace(wanted, workers=min((workers_for(trial.subject) for trial in bench.trials), default=1))
    rows, itself = _planted(bench, wanted, scratch, stop, progress), None
    if not stop.requested and (stand := stand_of(bench, scratch / "timed", stop)) is not None:
        rows, itself = timed_rows(stand, rows, wanted.doses, wanted.workers, stop, progress)
    modes = tuple(dict.fromkeys(key.mode for trial in bench.trials for key in trial.keys))
    if wanted.through_command and not stop.requested:
        rows = _commanded(request, rows, modes, wanted, scratch, stop, progress)
    return Proof(
        plan.scope.subject_name or "",
        tuple(dict.fromkeys(trial.corpus.label for trial in bench.trials)),
        tuple(dict.fromkeys(trial.subject.arm.name for trial in bench.trials)),
        modes,
        rows,
        interrupted=stop.requested,
        notes=plan.scope.notes,
        itself=itself,
    )


def _not_green(bench: Bench) -> NotMeasured:
    bad = [c for c in bench.verdict.checks if c.status in ("fail", "not measured") and c.level == "error"]
    first = f": {bad[0].cell} {bad[0].message}" if bad else ": nothing of it was measured"
    return NotMeasured(
        "prove-not-green",
        f"the gate is not green on the healthy store, so a red one would show nothing{first}",
        hint="`gate run` with the same flags shows all of it; of probes, `gate store check` does.",
    )


def _planted(bench: Bench, wanted: Wanted, scratch: Path, stop: Stop, progress: Progress) -> tuple[Row, ...]:
    unfit = {defect.name: bench.unfit(defect) for defect in wanted.defects}
    # Those of time take longest, and come first: so that no worker is left with one at the end.
    fit = sorted((one for one in wanted.defects if not unfit[one.name]), key=lambda one: one.family != LATENCY)
    first = [_Task(defect.name, wanted.doses[0]) for defect in fit]
    progress.stage(f"planting {len(first)} defects", len(first))
    seen: dict[str, list[Sight]] = {}

    def see(task: _Task) -> Sight:
        return bench.see(DEFECTS[task.name], task.dose, scratch / f"{task.name}-{task.dose:g}", task.stronger)

    def weaker(task: _Task, sight: Sight) -> Iterable[_Task]:
        defect = DEFECTS[task.name]
        later = wanted.doses[wanted.doses.index(task.dose) + 1 :]
        if later and Row(defect, "", (sight,)).told(sight) and not defect.undosed and not defect.benign:
            return (_Task(task.name, later[0], sight),)
        progress.tick(1)
        return ()

    why = STOPPED
    try:
        for task, sight in spread(first, see, wanted.workers, stop, weaker):
            seen.setdefault(task.name, []).append(sight)
    except NotMeasured:
        why = DIED
    unseen = {defect.name: "" if defect.name in seen else why for defect in wanted.defects}
    return tuple(
        Row(defect, unfit[defect.name] or unseen[defect.name], tuple(seen.get(defect.name, ())))
        for defect in wanted.defects
    )


def _commanded(
    request: Request,
    rows: Sequence[Row],
    modes: Sequence[str],
    wanted: Wanted,
    scratch: Path,
    stop: Stop,
    progress: Progress,
) -> tuple[Row, ...]:
    asked = {row.defect.name: enough(row.defect, row.sights[0], modes) for row in chosen(rows)}
    progress.stage("planting one of each family through the command line", len(asked))

    def through(name: str) -> int:
        return exit_code(request, DEFECTS[name], asked[name], scratch / f"command-{name}")

    codes: dict[str, int] = {}
    # Those that ask most modes take longest, and come first: so that no worker is left with one at the end.
    names = sorted(asked, key=lambda name: -len(asked[name].modes))
    for name, code in spread(names, through, wanted.workers, stop):
        codes[name] = code
        progress.tick(1)
    return tuple(replace(row, command_exit=codes.get(row.defect.name)) for row in rows)
