"""Merging: the shards of a run judged as the whole run would have been, by the same code."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from gate.checks.coverage import finding
from gate.errors import NotMeasured, Problem
from gate.files import canonical_json, write_atomic
from gate.ingest import read_through
from gate.manifest import manifest
from gate.measured import Measured, measured_of
from gate.opening import Recorded
from gate.pipeline import Plan, conclude, plan_gate, write_reports
from gate.plan import Flags, Request
from gate.records import Verdict
from gate.replay import replay_trial
from gate.report import REPORTS
from gate.results import LOG, MANIFEST, clear
from gate.scope import Scope
from gate.shards.gather import Gathered
from gate.shards.planned import digest_of, planned
from gate.shards.record import Written
from gate.stopwatch import now
from gate.trial import Trial
from gate.verdict import decide


def flags_of(gathered: Gathered) -> Flags:
    """The flags that the shards were run with."""
    return gathered.shards[0].shard.flags if gathered.shards else Flags()


def merge_shards(gathered: Gathered, request: Request, results: Path) -> Verdict:
    """Judges the shards and writes everything to `results`, as a run does. No store is opened.

    Shards that are not all of one run, each once, are not judged: the verdict says why. Raises
    UsageError for settings, budgets and baselines that cannot be used.
    """
    began = now()
    problems = list(gathered.problems)
    plan: Plan | None = None
    with tempfile.TemporaryDirectory(prefix="gate-", ignore_cleanup_errors=True) as scratch:
        if gathered.shards:
            opened = gathered.shards[0].shard.opened
            try:
                plan = plan_gate(request, Recorded(opened, request.settings.timeout), Path(scratch))
            except NotMeasured as error:
                problems.append(Problem(f"the settings here are not those of the shards: {error.what}"))
    clear(results, (report.file_name for report in REPORTS.values()))
    _write_log(gathered, results)
    if plan is not None and not problems:
        problems += _planned_otherwise(plan, gathered.shards[0])
    measured = list(_measured(plan, gathered, problems)) if plan is not None and not problems else []
    if plan is None or problems:
        return _refused(request, plan, problems, gathered, results, began)
    probes = [check for one in gathered.shards for check in one.shard.probes]
    return conclude(plan, measured, results, began, notes=gathered.notes, shards=_made(gathered), probes=probes)


def _measured(plan: Plan, gathered: Gathered, problems: list[Problem]) -> Iterator[Measured]:
    """Every trial of the plan. What stands against judging one is added to the problems."""
    for trial in plan.scope.to_run:
        transcript = gathered.transcript(trial.label)
        if not transcript.ingest.failure:
            digest, ids = read_through(trial.corpus)
            if digest != transcript.ingest.digest:
                problems.append(
                    Problem(
                        f"{trial.corpus.label} is another corpus here than the shards stored:"
                        f" its digest is {digest}, theirs {transcript.ingest.digest}"
                    )
                )
                return
            transcript.ingest = replace(transcript.ingest, doc_ids=ids)
        outcome = replay_trial(trial, transcript, plan.request.depth)
        yield measured_of(trial, outcome, plan.measures, plan.budgets, plan.request.today)


def _planned_otherwise(plan: Plan, written: Written) -> Iterator[Problem]:
    """How the plan made here differs from that of the shards."""
    trials, request = plan.scope.to_run, plan.request
    if digest_of(trials, request) == written.shard.plan:
        return
    told = "the settings here are not those of the shards"
    theirs = {trial.label: dict(trial.plan) for trial in written.shard.trials}
    ours: dict[str, Trial] = {trial.label: trial for trial in trials}
    for label in dict.fromkeys((*ours, *theirs)):
        if label not in ours or label not in theirs:
            who = "only the shards have" if label in theirs else "the shards have not"
            yield Problem(f"{told}: {who} measured {label}")
            return
        for key, value in planned(ours[label], request).items():
            if theirs[label].get(key) != value:
                yield Problem(f"{told}: {label}: {key} was {theirs[label].get(key, 'not given')}, is {value}")
                return
    yield Problem(f"{told}: the trials are in another order")


def _refused(
    request: Request, plan: Plan | None, problems: list[Problem], gathered: Gathered, results: Path, began: float
) -> Verdict:
    """The verdict on shards that cannot be judged: every planned cell is not measured, and each problem a check."""
    why = f"the shards are not a whole run: {problems[0].what}"
    scope = plan.scope if plan is not None else Scope((), None, frozenset(), {}, (), (), ())
    cells = replace(scope, withheld=why).unmeasured().values()
    checks = [
        finding(f"shards {number}", problem.what, where=problem.where) for number, problem in enumerate(problems, 1)
    ]
    verdict = decide(
        checks,
        list(cells),
        fail_on=request.fail_on,
        notes=(*scope.notes, *gathered.notes),
        narrowed=scope.narrowed,
        planted=request.flags.plant,
        gated=scope.subject_name or "",
    )
    seconds = now() - began
    made = {**manifest(request, [], scope, seconds), "shards": _made(gathered)}
    write_atomic(results / MANIFEST, canonical_json(made) + "\n")
    write_reports(verdict, results, seconds)
    return verdict


def _write_log(gathered: Gathered, results: Path) -> None:
    """What the stores of all shards printed, shard by shard."""
    told = []
    for one in gathered.shards:
        with suppress(OSError):
            if printed := (one.folder / LOG).read_bytes():
                told.append(f"--- {one.shard.part}\n".encode() + printed)
    (results / LOG).write_bytes(b"".join(told))


def _made(gathered: Gathered) -> list[dict[str, object]]:
    """How each shard was made, for the manifest."""
    return [
        {
            "shard": one.shard.number,
            "of": one.shard.of,
            "attempt": one.shard.attempt,
            "exit_code": one.shard.exit_code,
            "seconds": one.shard.seconds,
            "environment": dict(one.environment),
        }
        for one in gathered.shards
    ]
