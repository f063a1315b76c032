"""Carries a trial out: stored once, searched in health, then searched under each fault on a store opened anew."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from copy import copy
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

from gate.asking import Question, Share
from gate.checkpoints import Checkpoint
from gate.errors import NotMeasured, StoreError
from gate.faults import FAULTS
from gate.faults.fault import BrokenPart, Fault
from gate.guard import Guard, Stopped
from gate.ingest import AtRest, Subject, ingest, open_again
from gate.outcome import Outcome, failed, recovered, repeated, unstored
from gate.progress import Progress, Silent
from gate.records import NO_FAULT, Ingest, Run, RunKey
from gate.search import Live, Searcher
from gate.transcript import HEALTH, Stage, Transcript, repeat_stage
from gate.trial import Trial
from gate.workers import spread

# Documents of which a store may hold so many that another one fits beside it into the memory of a common machine.
BESIDE_EACH_OTHER = 50_000


def run_trial(
    trial: Trial,
    folder: Path,
    depth: int,
    progress: Progress,
    resume: Callable[[Trial, Ingest], Checkpoint] | None = None,
    *,
    part: Share | None = None,
    transcript: Transcript | None = None,
    at_rest: AtRest | None = None,
    workers: int = 1,
) -> Outcome:
    """Makes every run of the plan. Nothing a store does ends the others; a wish to stop ends all where they are.

    `resume` gives the checkpoint of the trial once its corpus is stored; None where nothing is to be kept. `part`
    is what to ask, None for all; what came of each search is kept in `transcript`. Where the corpus is `at_rest`, it
    is opened from there in place of being stored. So many faults at a time are looked at as there are `workers`, each
    in a process of its own.
    """
    return _Bench(trial, folder, depth, progress, resume, part, transcript, at_rest, workers).measure()


class _Bench:
    """Where one trial is carried out: every opened store has a folder of its own, and a process holds only one."""

    def __init__(
        self,
        trial: Trial,
        folder: Path,
        depth: int,
        progress: Progress,
        resume: Callable[[Trial, Ingest], Checkpoint] | None,
        part: Share | None = None,
        transcript: Transcript | None = None,
        at_rest: AtRest | None = None,
        workers: int = 1,
    ) -> None:
        self.workers = workers if transcript is None and part is None else 1
        self.trial, self.folder, self.depth, self.progress = trial, folder, depth, progress
        self.resume, self.part, self.transcript = resume, part, transcript
        self.checkpoint: Checkpoint | None = None
        self.stop = trial.subject.stop
        self.stored = at_rest.stored if at_rest is not None else Ingest("", 0, 0.0)
        self.master = at_rest.folder if at_rest is not None else None
        self.unclosed, self.not_closed = "", ""
        self._number = count()

    def measure(self) -> Outcome:
        keys = self.trial.keys
        guard = self._store()
        if self.transcript is not None:
            self.transcript.ingest = self.stored
        if guard is None:
            return unstored(self.trial, self.stored)
        if self.resume is not None:
            self.checkpoint = self.resume(self.trial, self.stored)
        healthy = [key for key in keys if key.fault == NO_FAULT]
        runs = {run.key: run for run in self._search(guard, healthy)}
        for number in range(2, self.trial.repeats + 1):
            runs = self._repeated(number, healthy, runs)
        names = list(dict.fromkeys(key.fault for key in keys if key.fault != NO_FAULT))
        runs.update(self._beside_each_other(names, runs))
        for name in names:
            broken = [key for key in keys if key.fault == name and key not in runs]
            if broken:
                runs.update((run.key, run) for run in self._under(FAULTS[name], broken, runs))
        if self.transcript is not None:
            self.transcript.unclosed = self.not_closed
        return Outcome(self.stored, {key: runs[key] for key in keys}, self.not_closed)

    def _stage(self, name: str) -> Stage | None:
        return self.transcript.stage(name) if self.transcript is not None else None

    def _store(self) -> Guard | None:
        """Stores the corpus. None where there is nothing to be searched; `stored.failure` says why."""
        trial, guard = self.trial, None
        self.progress.stage(f"{trial.label}: storing", None)
        try:
            if self.stop.requested:
                raise Stopped(self.stop)
            if self.master is not None:
                return self._open_again(trial.subject)
            guard = trial.subject.open(self._path(), trial.declared)
            stored = ingest(guard, trial.corpus, self.stop, self.progress.tick)
            stored = replace(stored, environment={**stored.environment, **trial.subject.fingerprint()})
        except StoreError as error:
            stored = Ingest("", 0, 0.0, failure=f"{error.where}: {error.what}")
        except Stopped as stopped:
            stored = Ingest("", 0, 0.0, failure=f"{stopped.what} while storing")
        unlike = "" if stored.failure else self._unlike_the_pin(stored)
        self.stored = replace(stored, failure=stored.failure or unlike, unlike_pin=bool(unlike))
        if not self.stored.failure:
            return guard
        if guard is not None:
            _close(guard)
        return None

    def _unlike_the_pin(self, stored: Ingest) -> str:
        pinned = self.trial.corpus.pinned
        if pinned and pinned != stored.digest:
            return f"the corpus {self.trial.corpus.label} is not the pinned one"
        return ""

    def _path(self) -> Path:
        return self.folder / f"store-{next(self._number)}"

    def _questions(self, keys: Sequence[RunKey]) -> list[Question]:
        return [self.trial.question(key, self.part) for key in keys]

    def _searcher(
        self,
        live: Live,
        reopen: Callable[[], Live],
        checkpoint: Checkpoint | None = None,
        stage: Stage | None = None,
        timeout: float | None = None,
    ) -> Searcher:
        return Searcher(
            live,
            self.depth,
            self.stop,
            reopen,
            self.progress.tick,
            checkpoint,
            sessions=self.stored.sessions,
            stage=stage,
            timeout=timeout,
            scored=self.trial.scored,
        )

    def _open_again(self, subject: Subject) -> Guard:
        """The corpus in a store opened anew. Raises StoreError or Stopped."""
        trial = self.trial
        if self.unclosed:
            raise StoreError("store-unclosed", self.unclosed, where=f"{trial.declared.name}, reopen")
        if self.master is None and not self.stop.requested:
            self.progress.stage(f"{trial.label}: storing again", None)
        return open_again(subject, trial.declared, trial.corpus, self._path(), self.stored, self.master)

    def _search(self, guard: Guard, keys: Sequence[RunKey]) -> list[Run]:
        """The runs in health. The store is closed then, and where it can be reopened others are copied from it."""
        questions = self._questions(keys)
        self.progress.stage(f"{self.trial.label}: searching", sum(len(q.own) for q in questions))

        def reopen() -> Live:
            return Live(self._open_again(self.trial.subject))

        searcher = self._searcher(Live(guard), reopen, self.checkpoint, self._stage(HEALTH))
        runs = searcher.run(questions, repeat=True)
        if searcher.live is not None:
            last = searcher.live.guard
            failure = _close(last)
            self.not_closed = failure
            if "reopen" in self.trial.declared.abilities:
                self.unclosed = f"it cannot be copied, since it could not be closed: {failure}" if failure else ""
                self.master = last.path
        return runs

    def _repeated(self, number: int, keys: Sequence[RunKey], runs: Mapping[RunKey, Run]) -> dict[RunKey, Run]:
        """The runs in health with one more measurement each, of the corpus stored anew."""
        trial = self.trial
        told, stage = f"{trial.label}: repeat {number} of {trial.repeats}", self._stage(repeat_stage(number))

        def store() -> Live:
            return Live(open_again(trial.subject, trial.declared, trial.corpus, self._path(), self.stored, None))

        self.progress.stage(f"{told}, storing", None)
        try:
            live = store()
        except (StoreError, Stopped) as error:
            failure = f"{error.where}: {error.what}" if error.where else error.what
            if stage is not None:
                stage.failure = failure
            return {key: failed(run, f"repeat {number}: {failure}") for key, run in runs.items()}
        questions = self._questions(keys)
        self.progress.stage(told, sum(len(q.own) for q in questions))
        searcher = self._searcher(live, store, stage=stage)
        again = searcher.run(questions, repeat=False)
        if searcher.live is not None:
            _close(searcher.live.guard)
            shutil.rmtree(searcher.live.guard.path, ignore_errors=True)
        return repeated(number, runs, again)

    def _beside_each_other(self, names: Sequence[str], healthy: Mapping[RunKey, Run]) -> dict[RunKey, Run]:
        """The runs of faults that processes beside each other made; none where there is but one worker.

        What a process does not come back with, since it died or was stopped, is not among them.
        """
        runs: dict[RunKey, Run] = {}
        if self.workers < 2 or len(names) < 2 or self.stored.documents > BESIDE_EACH_OTHER:
            return runs
        broken = {name: [key for key in self.trial.keys if key.fault == name] for name in names}
        asked = {name: sum(len(q.own) for q in self._questions(keys)) for name, keys in broken.items()}
        self.progress.stage(f"{self.trial.label}: {len(names)} faults, {self.workers} at a time", sum(asked.values()))

        def apart(name: str) -> tuple[list[Run], int, str]:
            bench, kept = copy(self), self.checkpoint.beside(name) if self.checkpoint is not None else None
            bench.folder, bench.checkpoint, bench.progress = self.folder / name, kept, Silent()
            made = bench._under(FAULTS[name], broken[name], healthy)
            return made, kept.resumed if kept is not None else 0, kept.failure if kept is not None else ""

        # From the last to the first: those that keep a search waiting stand last, and others can be met meanwhile.
        with suppress(NotMeasured):
            for name, (made, resumed, failure) in spread(names[::-1], apart, self.workers, self.stop):
                runs.update((run.key, run) for run in made)
                self.progress.tick(asked[name])
                if self.checkpoint is not None:
                    self.checkpoint.join(resumed, failure)
        if self.checkpoint is not None:
            self.checkpoint.join()
        return runs

    def _under(self, fault: Fault, keys: Sequence[RunKey], healthy: Mapping[RunKey, Run]) -> list[Run]:
        """The runs of one fault, on a store opened anew, then a look whether it is healthy again."""
        subject, stage = self.trial.subject, self._stage(fault.name)
        questions = self._questions(keys)
        if not any(question.own for question in questions):
            return [Run(key, {}) for key in keys]

        def reopen() -> Live:
            part = broken_part(fault, subject)
            parts: dict[str, Any] = {fault.part: part}
            return Live(self._open_again(replace(subject, **parts)), part)

        try:
            live = reopen()
        except StoreError as error:
            failure = f"{error.where}: {error.what}"
            if stage is not None:
                stage.failure = failure
            return [Run(key, {}, failure) for key in keys]
        except Stopped as stopped:
            return [Run(key, {}, f"{stopped.what} after 0 topics") for key in keys]
        self.progress.stage(f"{self.trial.label}: {fault.name}", sum(len(q.own) for q in questions))
        timeout = self._patience(keys, healthy) if fault.holds else None
        searcher = self._searcher(live, reopen, self.checkpoint, stage, timeout)
        runs = searcher.run(questions, repeat=False)
        runs = [recovered(searcher, q, run, healthy) for q, run in zip(questions, runs, strict=True)]
        if searcher.live is not None:
            _close(searcher.live.guard)
            shutil.rmtree(searcher.live.guard.path, ignore_errors=True)
        return runs

    def _patience(self, keys: Sequence[RunKey], healthy: Mapping[RunKey, Run]) -> float:
        """Seconds to wait for a search while calls of a part are held: about twice what it may take, and one more.

        A store that waits for ever has then failed, and nobody has to wait as long as for a store that may be busy.
        What a search takes in health counts in whole seconds, so that a run says the same when it is made again.
        """
        runs = [healthy[well] for key in keys if (well := replace(key, fault=NO_FAULT)) in healthy]
        usual = max((result.milliseconds for run in runs for result in run.results.values()), default=0.0) / 1000
        return min(self.trial.subject.timeout, 1.0 + 2.0 * (round(usual) + self.trial.within))


def _close(guard: Guard) -> str:
    """Closes a store; what went wrong, empty where nothing did."""
    try:
        guard.close()
    except StoreError as error:
        return f"{error.where}: {error.what}"
    except Stopped as stopped:
        return stopped.what
    return ""


def broken_part(fault: Fault, subject: Subject) -> BrokenPart:
    """The subject's part with a fault in it, not failing yet."""
    if fault.part == "embedder":
        assert subject.embedder is not None
        return fault.break_embedder(subject.embedder)
    assert subject.reranker is not None
    return fault.break_reranker(subject.reranker)
