"""Faults that are looked at in processes beside each other show what they show one after the other."""

from __future__ import annotations

import multiprocessing
import os
import signal
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest
from fakes import Switches, declared, fruit_corpus, make_subject

from gate import bench, checkpoints
from gate.bench import run_trial
from gate.checkpoints import Checkpoint
from gate.faults import faults_matching
from gate.measures import parse_measure
from gate.models import ARMS
from gate.models.hashed import HashedEmbedder
from gate.opening import workers_for
from gate.outcome import Outcome
from gate.progress import Silent
from gate.protocols import Embedder, Vectors
from gate.records import NO_FAULT, Run, RunKey, Topic, TopicResult
from gate.search import Live, Searcher
from gate.stop import Stop, watched
from gate.trial import Trial, plan_trial
from gate.workers import can_fork, processors

pytestmark = pytest.mark.skipif(not can_fork(), reason="forking is not safe on this system")
FAULTS = faults_matching(("embedder-raises", "embedder-zeros", "embedder-nan"))
MODES = ("keyword", "vector", "hybrid")
HERE = os.getpid()


class Watched(Silent):
    """Keeps the stages, and does something at each step."""

    def __init__(self, on_tick: Callable[[str], None] = lambda _: None) -> None:
        self.stages: list[str] = []
        self.on_tick = on_tick

    def stage(self, label: str, total: int | None) -> None:
        self.stages.append(label.rpartition(": ")[2])

    def tick(self, steps: int) -> None:
        self.on_tick(self.stages[-1])


class Ending:
    """An embedder that takes every process with it but this one."""

    def __init__(self, behind: Embedder) -> None:
        self.behind, self.name, self.dimension = behind, behind.name, behind.dimension

    def embed(self, texts: Sequence[str], kind: str) -> Vectors:
        if os.getpid() != HERE:
            os._exit(3)
        return self.behind.embed(texts, kind)


def planned(switches: Switches, stop: Stop | None = None) -> Trial:
    return plan_trial(
        make_subject(switches, stop=stop),
        declared(switches),
        fruit_corpus(),
        slices=("*",),
        modes=MODES,
        faults=FAULTS,
        measures=[parse_measure("R@5")],
    )


def untimed(outcome: Outcome) -> dict[RunKey, Run]:
    return {
        key: replace(run, results={t: replace(r, milliseconds=0.0) for t, r in run.results.items()})
        for key, run in outcome.runs.items()
    }


def test_the_runs_are_those_of_one_process(switches: Switches, tmp_path: Path) -> None:
    alone, beside = Watched(), Watched()
    one = run_trial(planned(switches), tmp_path / "one", 10, alone)
    two = run_trial(planned(switches), tmp_path / "two", 10, beside, workers=2)
    assert untimed(one) == untimed(two)
    assert list(one.runs) == list(two.runs)
    assert any(run.part_calls for key, run in two.runs.items() if key.fault != NO_FAULT)
    assert alone.stages[-3:] == [fault.name for fault in FAULTS]
    assert beside.stages[-1] == "3 faults, 2 at a time"


def test_a_large_store_is_not_opened_twice_at_a_time(
    switches: Switches, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bench, "BESIDE_EACH_OTHER", 3)
    progress = Watched()
    run_trial(planned(switches), tmp_path, 10, progress, workers=2)
    assert progress.stages[-3:] == [fault.name for fault in FAULTS]


def test_what_a_process_that_ends_leaves_is_measured_here(switches: Switches, tmp_path: Path) -> None:
    plan = planned(switches)
    assert plan.subject.embedder is not None
    ending = replace(plan, subject=replace(plan.subject, embedder=Ending(plan.subject.embedder)))
    progress = Watched()
    outcome = run_trial(ending, tmp_path / "two", 10, progress, workers=2)
    assert untimed(outcome) == untimed(run_trial(plan, tmp_path / "one", 10, Silent()))
    assert progress.stages[-4:] == ["3 faults, 2 at a time", *(fault.name for fault in FAULTS)]


def test_a_wish_to_stop_leaves_the_other_faults(switches: Switches, tmp_path: Path) -> None:
    stop = Stop()

    def stopping(stage: str) -> None:
        if stage.startswith("3 faults"):
            stop.signal = "SIGTERM"

    outcome = run_trial(planned(switches, stop), tmp_path, 10, Watched(stopping), workers=2)
    failures = {key.fault: run.failure for key, run in outcome.runs.items() if key.mode == "vector"}
    assert failures.pop(NO_FAULT) == ""
    assert sorted(failures.values()) == ["", *["stopped by SIGTERM after 0 topics"] * 2]


def test_a_signal_ends_all_processes_and_loses_nothing_that_they_were_answered(
    switches: Switches, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another process asks this one to stop at its eighth search, and then takes its time."""
    kept: list[Checkpoint] = []
    searches: list[str] = []
    searched = Searcher._search

    def opened(*_: object) -> Checkpoint:
        kept.append(Checkpoint(tmp_path / "checkpoints" / "fake", {"store": "fake"}))
        return kept[-1]

    def signalling(self: Searcher, live: Live, topic: Topic, text: str, mode: str) -> TopicResult:
        if os.getpid() != HERE and self.armed:
            searches.append(text)
            if len(searches) == 8:
                # A second signal would end this process: only one process sends it, the one that makes the file.
                with suppress(FileExistsError):
                    (tmp_path / "first").touch(exist_ok=False)
                    os.kill(HERE, signal.SIGTERM)
            if len(searches) >= 8:
                time.sleep(0.2)
        return searched(self, live, topic, text, mode)

    monkeypatch.setattr(Searcher, "_search", signalling)
    with watched() as stop:
        stop.keep()
        plan = planned(switches, stop)
        outcome = run_trial(plan, tmp_path / "one", 10, Silent(), opened, workers=2)
    assert stop.signal == "SIGTERM"
    assert multiprocessing.active_children() == []
    assert {run.failure for key, run in outcome.runs.items() if key.fault == NO_FAULT} == {""}
    assert "stopped by SIGTERM after 0 topics" in {run.failure for run in outcome.runs.values()}
    in_health = sum(len(plan.question(key).own) for key in plan.keys if key.fault == NO_FAULT)
    assert kept[0].kept > in_health, "a block is full after seconds only: it was written when the process was stopped"


def test_what_was_answered_in_another_process_is_not_asked_again(
    switches: Switches, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checkpoints, "SECONDS", 0.0)
    kept: list[Checkpoint] = []

    def opened(*_: object) -> Checkpoint:
        kept.append(Checkpoint(tmp_path / "checkpoints" / "fake", {"store": "fake"}))
        return kept[-1]

    plan = planned(switches)
    searches = sum(len(plan.question(key).own) for key in plan.keys)
    first = run_trial(plan, tmp_path / "one", 10, Silent(), opened, workers=2)
    assert (kept[0].kept, kept[0].resumed) == (searches, 0)
    again = run_trial(plan, tmp_path / "two", 10, Silent(), opened, workers=2)
    assert (kept[1].kept, kept[1].resumed, kept[1].damaged) == (searches, searches, 0)
    assert untimed(first) == untimed(again)
    kept[1].finish(whole=True, limited=False)
    assert not (tmp_path / "checkpoints").exists()


def test_only_a_store_and_an_embedder_without_threads_of_their_own_are_forked(switches: Switches) -> None:
    fake = make_subject(switches)
    harmless = replace(fake, spec="reference", embedder=HashedEmbedder(), reranker=None)
    assert workers_for(harmless) == processors()
    assert workers_for(replace(harmless, spec="mystore:open_store")) == 1
    assert workers_for(replace(harmless, embedder=Ending(HashedEmbedder()))) == 1
    assert workers_for(replace(harmless, reranker=fake.reranker)) == 1
    assert workers_for(replace(harmless, arm=ARMS["cuda-onnx"])) == 1
