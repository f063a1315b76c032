"""A trial judged from its transcript: the stage that asks, with answers that were given before.

It goes through the same searches in the same order, with the same rules for giving up, noise and recovery, as
if the store had been asked here. So the transcript of all parts of a trial gives what the whole trial gives.
"""

from __future__ import annotations

from collections.abc import Sequence

from gate.errors import StoreError
from gate.outcome import Outcome, failed, recovered, repeated, unstored
from gate.records import NO_FAULT, Run, RunKey
from gate.search import Live, Searcher
from gate.stop import Stop
from gate.transcript import HEALTH, Transcript, repeat_stage
from gate.trial import Trial


def replay_trial(trial: Trial, transcript: Transcript, depth: int) -> Outcome:
    """Every run of the plan, from what came of its searches."""
    stored = transcript.ingest
    if stored.failure:
        return unstored(trial, stored)
    healthy = [key for key in trial.keys if key.fault == NO_FAULT]
    runs = {run.key: run for run in _asked(trial, transcript, HEALTH, healthy, depth)[1]}
    for number in range(2, trial.repeats + 1):
        failure = transcript.stage(repeat_stage(number)).failure
        if failure:
            runs = {key: failed(run, f"repeat {number}: {failure}") for key, run in runs.items()}
        else:
            runs = repeated(number, runs, _asked(trial, transcript, repeat_stage(number), healthy, depth)[1])
    for fault in dict.fromkeys(key.fault for key in trial.keys if key.fault != NO_FAULT):
        broken = [key for key in trial.keys if key.fault == fault]
        failure = transcript.stage(fault).failure
        if failure:
            runs.update((key, Run(key, {}, failure)) for key in broken)
            continue
        searcher, found = _asked(trial, transcript, fault, broken, depth)
        for key, run in zip(broken, found, strict=True):
            runs[key] = recovered(searcher, trial.question(key), run, runs)
    return Outcome(stored, {key: runs[key] for key in trial.keys}, transcript.unclosed)


def _asked(
    trial: Trial, transcript: Transcript, stage: str, keys: Sequence[RunKey], depth: int
) -> tuple[Searcher, list[Run]]:
    """One stage played again."""
    searcher = Searcher(None, depth, Stop(), _nothing, lambda _: None, stage=transcript.stage(stage), replay=True)
    questions = [trial.question(key) for key in keys]
    return searcher, searcher.run(questions, repeat=stage == HEALTH)


def _nothing() -> Live:
    raise StoreError("store-absent", "no store is opened where answers are played again")
