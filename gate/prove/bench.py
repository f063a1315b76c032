"""Where defects are planted: a plan, what the healthy store gave, and the gate's own judges.

A planted store is stored anew and searched in the modes, and under the faults, that its defect can touch. Its
answers then stand in for the healthy ones, and everything is judged as a run is.
"""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from gate.bench import run_trial
from gate.defects import Defect
from gate.defects.boundary import Boundary
from gate.errors import StoreError
from gate.exit_codes import ExitCode
from gate.guard import Stopped
from gate.ingest import AtRest, ingest
from gate.judge import all_checks, out_of_scope
from gate.measured import Measured, measured_of
from gate.measures import MEASURES, RUN_MEASURES, parse_measure
from gate.opening import planted, workers_for
from gate.outcome import Outcome
from gate.paired import GATED, LEAK
from gate.pipeline import Plan, look
from gate.probes.plan import key_of
from gate.probes.run import SOURCE as PROBES
from gate.probes.run import run_probes
from gate.progress import Progress, Silent
from gate.prove.enough import place_enough, place_of
from gate.prove.records import Sight, Worst
from gate.records import NO_FAULT, Cell, CellKey, Check, Run, Verdict
from gate.trial import Trial
from gate.verdict import decide, failing

LATENCY = "latency"
# What a user loses by: the gated measures, leaks, and the same hit twice.
_HARMED = frozenset({*(parse_measure(name).name for name in (*GATED, LEAK)), "Duplicates", "Hit", "RR"})


# What a defect overrides that has to see documents come and go, or the store opened.
_STORING = ("__init__", "add", "replace", "remove", "retire", "rewrite_document", "count", "close")


@dataclass(frozen=True, slots=True)
class Bench:
    """A plan measured in health. `healthy` has the trials of the plan, `verdict` what the gate says of them.

    `probes` are the checks of what was looked at without labels, `at_rest[trial]` a trial's corpus in a healthy
    store that was closed, where a store can be opened again.
    """

    plan: Plan
    healthy: tuple[Measured, ...]
    probes: tuple[Check, ...]
    verdict: Verdict
    at_rest: Mapping[str, AtRest]

    @property
    def trials(self) -> tuple[Trial, ...]:
        """The trials of the gated store: in a control nothing is planted."""
        return tuple(one.trial for one in self.healthy if one.trial.declared.name == self.plan.scope.subject_name)

    @property
    def timed_mode(self) -> str:
        """The mode in which stores are timed: the first that is asked; empty where none is."""
        return next((key.mode for trial in self.trials for key in trial.keys), "")

    def unfit(self, defect: Defect) -> str:
        """Why a defect cannot be planted in what the settings ask; empty where it can."""
        trials = self.trials
        abilities = frozenset().union(*(trial.declared.abilities for trial in trials))
        modes = frozenset().union(*(trial.declared.modes for trial in trials))
        for what, missing in (("ability", defect.needs - abilities), ("mode", defect.asks - modes)):
            if missing:
                return f"the store does not declare the {what} {', '.join(sorted(missing))}"
        for part, plant in (("embedder", defect.in_embedder), ("reranker", defect.in_reranker)):
            has = any(getattr(trial.subject, part) is not None for trial in trials)
            if plant is not None and not (has and part in abilities):
                return f"the store takes no {part} of the gate's"
        keys = [key for trial in trials for key in trial.keys]
        if defect.modes and not any(key.mode in defect.modes for key in keys):
            return f"it touches the modes {', '.join(sorted(defect.modes))} alone, and none of them is asked"
        absent = sorted(set(defect.faults) - {key.fault for key in keys if key.mode in defect.modes})
        if absent:
            return f"it shows under {', '.join(absent)}, which is not asked in the modes that are"
        return ""

    def see(self, defect: Defect, dose: float, folder: Path, stronger: Sight | None = None) -> Sight:
        """Plants a defect and has the gate judge the store. What is stored goes to `folder`, which is removed.

        `stronger` is what a stronger dose showed: what told that is asked first, and the rest where it tells no more.
        """
        if stronger is not None and (sight := self._seen_again(defect, dose, folder, stronger)) is not None:
            return sight
        # Of what costs time alone, times tell, and those are taken in one mode.
        modes = defect.modes if not defect.slows else defect.modes & {self.timed_mode}
        stood = self._stood(defect, dose, folder, modes, {NO_FAULT, *defect.faults})
        verdict = judged(self.plan, stood, self.probes)
        new = self._new(defect, verdict)
        probes = {check.cell: check for check in self.probes}
        for fast in (True, False):
            if not new and (looked := self._looked(defect, dose, folder, fast=fast)):
                probes.update(looked)
                verdict = judged(self.plan, stood, tuple(probes.values()))
                new = self._new(defect, verdict)
        return self._sight(dose, verdict, new, stood)

    def _seen_again(self, defect: Defect, dose: float, folder: Path, stronger: Sight) -> Sight | None:
        """What a weaker dose shows where a stronger one was told: to one run, or to the probes. None where nothing."""
        if (place := place_enough(stronger)) is not None:
            stood = self._stood(defect, dose, folder, {place.mode}, {NO_FAULT, place.fault})
            verdict = judged(self.plan, stood, self.probes)
            # Only here is the planted store: what holds two modes against each other would hold two stores.
            new = [check for check in self._new(defect, verdict) if place_of(check.source, check.cell) == place]
            verdict = _decided(self.plan, new, verdict.cells)
        elif set(stronger.by) == {PROBES}:
            stood, known = list(self.healthy), {check.cell: check for check in self.probes}
            fast = all(key_of(cell).tier == "fast" for cell in stronger.cells[PROBES])
            known.update(self._looked(defect, dose, folder, fast=fast))
            verdict = judged(self.plan, stood, tuple(known.values()))
            new = self._new(defect, verdict)
        else:
            return None
        sight = self._sight(dose, verdict, new, stood)
        return sight if sight.red else None

    def _stood(
        self, defect: Defect, dose: float, folder: Path, modes: Collection[str], faults: Collection[str]
    ) -> list[Measured]:
        """The healthy results, with those of the planted store in place of what was asked in some modes and faults."""
        stood = []
        for number, one in enumerate(self.healthy):
            trial = _narrowed(one.trial, modes, faults)
            if one.trial not in self.trials or not trial.keys:
                stood.append(one)
                continue
            trial = replace(trial, subject=planted(trial.subject, defect, dose))
            place = folder / str(number)
            at_rest = None if arrives(defect) else self.at_rest.get(trial.label)
            outcome = run_trial(trial, place, self.plan.request.depth, Silent(), at_rest=at_rest)
            shutil.rmtree(place, ignore_errors=True)
            stood.append(_in_place(one, self._measured(trial, outcome)))
        return stood

    def _sight(self, dose: float, verdict: Verdict, new: Sequence[Check], stood: Sequence[Measured]) -> Sight:
        anew = list(_changed(self.healthy, stood))
        failed = [check for check in new if check.status == "fail"]
        return Sight(
            dose,
            verdict.exit_code,
            _counted(failed),
            _counted([check for check in new if check.status == "not measured"]),
            {check.source: f"{check.cell}: {check.message}" for check in reversed(new)},
            {source: tuple(c.cell for c in failed if c.source == source) for source in {c.source for c in failed}},
            any(_differ(*runs) for runs in anew),
            next((f"{runs[1].key}: {odd}" for runs in anew if (odd := _odd(*runs))), ""),
            _worst(self.healthy, stood),
        )

    def _new(self, defect: Defect, verdict: Verdict) -> list[Check]:
        """The checks that count against the verdict and did not in health.

        Times move by themselves where several stores are planted side by side: they tell of no defect but one of time.
        """
        bad = {check.check_id for check in self.verdict.checks if check.status in ("fail", "not measured")}
        return [
            check
            for check in verdict.checks
            if check.status in ("fail", "not measured")
            and failing(check, self.plan.request.fail_on)
            and check.check_id not in bad
            and (defect.family == LATENCY or not _timed(check))
        ]

    def _looked(self, defect: Defect, dose: float, folder: Path, *, fast: bool) -> dict[str, Check]:
        """What the fast or the other probes show in the modes that a defect can touch, by cell."""
        found: dict[str, Check] = {}
        name, which = f"{defect.name}={dose:g}", "fast" if fast else "full"
        for number, one in enumerate(self.plan.scope.to_probe):
            subject, place = planted(one.subject, defect, dose), folder / f"probes-{which}-{number}"
            plan = one.plan.within(defect.modes, fast=fast)
            checks = run_probes(subject, one.declared, plan, place, planted=name)
            found.update((check.cell, check) for check in checks)
            shutil.rmtree(place, ignore_errors=True)
        return found

    def _measured(self, trial: Trial, outcome: Outcome) -> Measured:
        return measured_of(trial, outcome, self.plan.measures, self.plan.budgets, self.plan.request.today)


def in_health(plan: Plan, folder: Path, progress: Progress) -> Bench:
    """Measures the plan without a defect."""
    measured = []
    for number, trial in enumerate(plan.scope.to_run):
        place, workers = folder / f"healthy-{number}", workers_for(trial.subject)
        outcome = run_trial(trial, place, plan.request.depth, progress, workers=workers)
        measured.append(measured_of(trial, outcome, plan.measures, plan.budgets, plan.request.today))
        shutil.rmtree(folder / f"healthy-{number}", ignore_errors=True)
    probes = look(plan.scope, plan.request, folder, progress)
    at_rest = {}
    for number, trial in enumerate(trial for trial in plan.scope.to_run if "reopen" in trial.declared.abilities):
        one = _put_to_rest(trial, folder / f"at-rest-{number}")
        at_rest.update({trial.label: one} if one is not None else {})
    return Bench(plan, tuple(measured), tuple(probes), judged(plan, measured, probes), at_rest)


def _put_to_rest(trial: Trial, folder: Path) -> AtRest | None:
    """The trial's corpus in a store that is closed; None where that does not work, which the trial itself has told."""
    try:
        guard = trial.subject.open(folder, trial.declared)
        stored = ingest(guard, trial.corpus, trial.subject.stop, lambda _: None)
        guard.close()
    except (StoreError, Stopped):
        return None
    return None if stored.failure else AtRest(stored, folder)


def arrives(defect: Defect) -> bool:
    """Whether a defect has to be there when documents are stored, and not only when they are searched."""
    boundary = defect.in_store
    if defect.in_embedder is not None or not isinstance(boundary, type) or not issubclass(boundary, Boundary):
        return True
    return any(getattr(boundary, name) is not getattr(Boundary, name) for name in _STORING)


def judged(plan: Plan, measured: Sequence[Measured], probes: Sequence[Check]) -> Verdict:
    """The verdict that `gate run` gives what was measured and looked at."""
    cells = {key: cell for one in measured for key, cell in one.cells.items()} or plan.scope.unmeasured()
    checks = all_checks(plan.request, plan.scope, plan.budgets, plan.accepted, measured, probes)
    verdict = _decided(plan, checks, list(cells.values()))
    return replace(verdict, out_of_scope=out_of_scope(plan.budgets, cells, plan.scope))


def _decided(plan: Plan, checks: Sequence[Check], cells: Sequence[Cell]) -> Verdict:
    """The verdict on checks and cells of a plan."""
    fail_on, not_measured = plan.request.fail_on, plan.request.not_measured
    gated = plan.scope.subject_name or ""
    return decide(checks, cells, fail_on=fail_on, not_measured=not_measured, gated=gated)


def _narrowed(trial: Trial, modes: Collection[str], faults: Collection[str]) -> Trial:
    """The part of a trial in some modes, under some faults."""
    keys = tuple(key for key in trial.keys if key.mode in modes and key.fault in faults)
    return replace(trial, keys=keys, cells=tuple(cell for cell in trial.cells if cell.run in keys))


def _in_place(healthy: Measured, planted: Measured) -> Measured:
    """The healthy results with the planted ones in their place. The trial stays whole.

    A run under a fault that was not made anew is left out where the same mode was, with its scores and cells: the two
    are of different stores, and nothing that holds one against the other says anything.
    """
    modes = {key.mode for key in planted.outcome.runs}
    kept = {key for key in healthy.outcome.runs if key.fault == NO_FAULT or key.mode not in modes}
    runs = {key: run for key, run in healthy.outcome.runs.items() if key in kept}
    scored = {key: run for key, run in healthy.scored.items() if key in kept}
    cells = {key: cell for key, cell in healthy.cells.items() if key.run in kept}
    outcome = Outcome(planted.outcome.ingest, {**runs, **planted.outcome.runs}, planted.outcome.unclosed)
    return Measured(healthy.trial, outcome, {**scored, **planted.scored}, {**cells, **planted.cells})


def _timed(check: Check) -> bool:
    """Whether a check is of a time: a latency, or how long a failing part may delay a search."""
    return check.cell.rpartition("/")[2] in RUN_MEASURES or check.check_id.endswith(" within")


def _counted(checks: Sequence[Check]) -> dict[str, int]:
    return dict(sorted(Counter(check.source for check in checks).items()))


def _changed(before: Sequence[Measured], after: Sequence[Measured]) -> Iterator[tuple[Run, Run]]:
    """Each run that was made anew, behind what it was in health."""
    for healthy, now in zip(before, after, strict=True):
        for key, run in now.outcome.runs.items():
            if run is not healthy.outcome.runs[key]:
                yield healthy.outcome.runs[key], run


def _differ(before: Run, after: Run) -> bool:
    """Whether anything that a store answered is another than before; how long it took is no answer."""
    then, now = ({t: replace(r, milliseconds=0.0) for t, r in run.results.items()} for run in (before, after))
    return then != now or bool(_odd(before, after))


def _odd(before: Run, after: Run) -> str:
    """What of a run is otherwise that no measure of its ranks sees."""
    if bool(after.failure) != bool(before.failure):
        return after.failure or "a mode that was not measured in health is"
    if after.recovered != before.recovered:
        return f"after the fault: {after.recovered}"
    if after.repeats_moved != before.repeats_moved:
        return "ranks move when a question is asked again"
    for topic, result in after.results.items():
        if topic not in before.results:
            continue
        then = before.results[topic]
        if result.degraded != then.degraded:
            parts = [", ".join(sorted(one)) or "nothing" for one in (result.degraded, then.degraded)]
            return f"topic {topic} goes without {parts[0]}, and {parts[1]} in health"
        if bool(result.surplus) != bool(then.surplus):
            return f"topic {topic} gets more hits than were asked for"
    return ""


def _worst(before: Sequence[Measured], after: Sequence[Measured]) -> Worst | None:
    """The cell that lost most, of R@5 and nDCG@10 where one of them did; None where none lost."""
    found: list[tuple[bool, float, int, CellKey, Worst]] = []
    for healthy, now in zip(before, after, strict=True):
        asked = {mode: now.trial.asked_in(mode) for mode in dict.fromkeys(key.mode for key in now.trial.keys)}
        for key, cell in now.cells.items():
            then, measure = healthy.cells[key], parse_measure(key.measure)
            if cell is then or cell.value is None or then.value is None or measure.name not in _HARMED:
                continue
            if cell.status == "waived":
                continue
            kind = MEASURES[measure.name]
            sign = 1 if kind.higher_is_better else -1
            if sign * cell.value < sign * then.value:
                values = [one.scored[key.run].values[key.measure] for one in (healthy, now)]
                topics = [t.topic_id for t in asked[key.mode][key.slice] if t.topic_id in values[0]]
                lost = sum(sign * values[1].get(t, 0.0) < sign * values[0][t] for t in topics)
                operator = ">=" if kind.higher_is_better else "<="
                worst = Worst(str(key), then.value, cell.value, cell.topics, lost, operator)
                place = GATED.index(key.measure) if key.measure in GATED else len(GATED)
                found.append((place > 1, sign * (cell.value - then.value) / kind.highest, place, key, worst))
    return min(found, key=lambda one: one[:4])[4] if found else None


def green(bench: Bench) -> bool:
    return bench.verdict.exit_code == ExitCode.PASS
