"""What came of a trial: every planned run with its repeats, or why it was not measured."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from gate.asking import Question
from gate.guard import Stopped
from gate.records import NO_FAULT, Ingest, Run, RunKey
from gate.search import Searcher
from gate.trial import Trial


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a trial gave: every planned run, measured or with the reason why not, and why the store did not close."""

    ingest: Ingest
    runs: Mapping[RunKey, Run]
    unclosed: str = ""


def unstored(trial: Trial, stored: Ingest) -> Outcome:
    """What comes of a trial whose corpus was not stored."""
    return Outcome(stored, {key: Run(key, {}, stored.failure) for key in trial.keys})


def repeated(number: int, runs: Mapping[RunKey, Run], again: Sequence[Run]) -> dict[RunKey, Run]:
    """The runs with the results of one more measurement each."""
    return {
        one.key: failed(runs[one.key], f"repeat {number}: {one.failure}")
        if one.failure
        else replace(runs[one.key], repeats=(*runs[one.key].repeats, one.results))
        for one in again
    }


def recovered(searcher: Searcher, question: Question, run: Run, healthy: Mapping[RunKey, Run]) -> Run:
    """The run under a fault with what is seen once that has ended, where there is anything to hold it against."""
    before = healthy.get(replace(question.key, fault=NO_FAULT))
    if run.failure or before is None or before.failure:
        return run
    try:
        return replace(run, recovered=searcher.recovered(question, before))
    except Stopped:
        return run


def failed(run: Run, failure: str) -> Run:
    """A run that a later measurement spoiled; what failed first is what it says."""
    return replace(run, failure=run.failure or failure)
