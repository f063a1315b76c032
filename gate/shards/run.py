"""Running one shard: every trial is stored, a part of its topics is searched, and nothing is judged."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import gate
from gate.bench import run_trial
from gate.budgets import read_budgets
from gate.checkpoints import Checkpoint
from gate.environment import environment
from gate.exit_codes import ExitCode
from gate.full_plan import scope_of
from gate.opening import Here, Noted
from gate.outcome import Outcome
from gate.pipeline import look, measures_of
from gate.plan import Request
from gate.progress import Progress
from gate.records import Check, Ingest
from gate.results import clear
from gate.resume import Resume, searches_of
from gate.scope import Scope
from gate.shards.part import Part, share_of
from gate.shards.planned import digest_of, planned
from gate.shards.record import FILE, FOLDER, Searched, Shard, write_searches, write_shard
from gate.sources import gate_code
from gate.stop import Stop
from gate.stopwatch import now
from gate.transcript import Transcript
from gate.trial import Trial


@dataclass(frozen=True, slots=True)
class Ended:
    """A shard that was written, and what of it was not measured, a sentence each."""

    shard: Shard
    unmeasured: tuple[str, ...]
    searches: int


def run_shard(request: Request, part: Part, results: Path, stop: Stop, progress: Progress) -> Ended:
    """Measures a part of the plan and writes it to `results`. Raises UsageError before anything is measured."""
    began = now()
    (results / FILE).unlink(missing_ok=True)
    trials: list[Searched] = []
    outcomes: list[tuple[Trial, Outcome]] = []
    identities: dict[str, Mapping[str, str]] = {}
    searches = 0
    with tempfile.TemporaryDirectory(prefix="gate-", ignore_cleanup_errors=True) as scratch:
        opening = Noted(Here(Path(scratch), request.settings.timeout, stop, request.settings.models))
        scope = scope_of(request, read_budgets(request.settings.budgets), measures_of(request.settings), opening)
        stop.keep()
        clear(results, (FILE, f"{FOLDER}/*.jsonl", f"{FOLDER}/.*.tmp"))
        resume = Resume(results, request)

        def opened(trial: Trial, stored: Ingest) -> Checkpoint:
            checkpoint = resume.open(trial, stored)
            identities[trial.label] = checkpoint.identity
            return checkpoint

        for number, trial in enumerate(scope.to_run):
            own, kept = share_of(trial, part), Transcript()
            folder = Path(scratch) / f"trial-{number}"
            outcome = run_trial(trial, folder, request.depth, progress, opened, part=own, transcript=kept)
            outcomes.append((trial, outcome))
            searches += searches_of(trial, own)
            trials.append(_searched(results, trial, kept, request, identities.get(trial.label, {})))
        # Probes know no topics: the first shard looks for all.
        probes = tuple(look(scope, request, Path(scratch), progress)) if part.number == 1 else ()
    unmeasured = tuple(_unmeasured(scope, outcomes, probes))
    code = ExitCode.INTERRUPTED if stop.requested else ExitCode.NOT_MEASURED if unmeasured else ExitCode.PASS
    shard = Shard(
        part.number,
        part.of,
        _attempt(),
        int(code),
        gate.__version__,
        gate_code(),
        digest_of(scope.to_run, request),
        request.flags,
        tuple(opening.opened),
        tuple(trials),
        unmeasured,
        tuple(resume.notes(interrupted=stop.requested, part=partial(share_of, part=part))),
        round(now() - began, 3),
        probes,
    )
    write_shard(results, shard, environment())
    if code != ExitCode.INTERRUPTED:
        resume.finish(narrowed=bool(scope.narrowed))
    return Ended(shard, unmeasured, searches)


def _attempt() -> int:
    """Which attempt of a CI run this is: where one is run again, shards of earlier attempts stay beside its own."""
    told = os.environ.get("GITHUB_RUN_ATTEMPT", "")
    return int(told) if told.isascii() and told.isdecimal() and len(told) < 9 else 1


def _searched(results: Path, trial: Trial, kept: Transcript, request: Request, identity: Mapping[str, str]) -> Searched:
    corpus, stored = trial.corpus, kept.ingest
    name = f"{trial.declared.name}.{corpus.name}.{corpus.tier}.{trial.subject.arm.name}.jsonl"
    return Searched(
        label=trial.label,
        file=name,
        sha256=write_searches(results, name, kept),
        plan=tuple(planned(trial, request).items()),
        identity=tuple(identity.items()),
        digest=stored.digest,
        documents=stored.documents,
        seconds=stored.seconds,
        environment=tuple(stored.environment.items()),
        failure=stored.failure,
        unclosed=kept.unclosed,
        stages=tuple((name, stage.failure, stage.lost) for name, stage in kept.stages.items()),
    )


def _unmeasured(scope: Scope, outcomes: list[tuple[Trial, Outcome]], probes: tuple[Check, ...]) -> Iterator[str]:
    """What should have been measured and was not."""
    if scope.withheld:
        yield scope.withheld
    yield from (check.message for check in scope.findings if check.status == "not measured")
    for trial, outcome in outcomes:
        if outcome.ingest.failure:
            yield f"{trial.label}: {outcome.ingest.failure}"
            continue
        yield from (f"{key}: {run.failure}" for key, run in outcome.runs.items() if run.failure)
    yield from (f"{check.cell}: {check.message}" for check in probes if check.status == "not measured")
