"""Planting on a bench: one slice of the embedded store, keyword and vector search, one fault."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from math import log
from pathlib import Path
from typing import Any

import pytest

from gate.bench import run_trial
from gate.defects import DEFECTS, Defect
from gate.exit_codes import ExitCode
from gate.models import ARMS
from gate.opening import Here
from gate.outcome import Outcome
from gate.pipeline import plan_gate
from gate.plan import Flags, Request
from gate.progress import Silent
from gate.prove.bench import Bench, green, in_health
from gate.prove.enough import Place, place_enough
from gate.prove.records import Sight
from gate.prove.timed import Stand, stand_of
from gate.records import SearchResult
from gate.settings import read_settings
from gate.stop import Stop
from gate.stores.reference.store import ReferenceStore
from gate.trial import Trial
from gate.workers import can_fork

SETTINGS = """
schema: 1
store: reference
corpora: [seeded@smoke]
slices: [zh-Hans]
modes: [keyword, vector]
fail_open: {faults: [embedder-raises, embedder-long-text]}
budgets: budgets.yml
baseline: optional
probes: off
"""
BUDGETS = """
schema: 1
budgets:
  - cell: "*/seeded@smoke/zh-Hans/*/keyword/none/R@5"
    min: 0.9
"""
LEAKS = """
schema: 1
budgets:
  - cell: "*/seeded@smoke/lifecycle/*/vector/none/Forbidden@10"
    max: 0
"""


def bench_of(folder: Path, settings: str) -> Bench:
    (folder / "gate.yml").write_text(settings, encoding="utf-8")
    (folder / "budgets.yml").write_text(BUDGETS, encoding="utf-8")
    request = Request(read_settings(folder / "gate.yml"), Flags(), date(2026, 11, 30), base="none")
    plan = plan_gate(request, Here(folder / "declare", 60.0, Stop()), folder / "plan")
    made = in_health(plan, folder / "health", Silent())
    assert green(made)
    return made


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    return bench_of(tmp_path_factory.mktemp("bench"), SETTINGS)


def test_a_defect_planted_in_a_closed_store_shows_what_it_shows_in_one_stored_anew(
    bench: Bench, tmp_path: Path
) -> None:
    assert bench.at_rest
    stored = replace(bench, at_rest={})
    for name in ("duplicates", "first-hit-skipped"):
        sight = bench.see(DEFECTS[name], 1.0, tmp_path / name)
        assert sight.changed
        assert sight == stored.see(DEFECTS[name], 1.0, tmp_path / f"{name}-anew")


def test_a_defect_of_search_is_not_held_against_what_the_healthy_store_does_under_a_fault(
    bench: Bench, tmp_path: Path
) -> None:
    sight = bench.see(DEFECTS["duplicates"], 1.0, tmp_path)
    assert (sight.exit_code, dict(sight.by)) == (0, {})
    assert sight.worst is not None
    assert sight.worst.cell.endswith("/Duplicates")


def test_a_defect_that_shows_under_a_fault_is_caught_under_it(bench: Bench, tmp_path: Path) -> None:
    sight = bench.see(DEFECTS["fallback-undeclared"], 1.0, tmp_path)
    assert (sight.exit_code, dict(sight.by)) == (1, {"fail-open": 1})
    assert "did not say that they went without the embedder" in sight.first["fail-open"]
    assert "goes without nothing, and embedder in health" in sight.odd


def test_one_planting_leaves_nothing_to_the_next(bench: Bench, tmp_path: Path) -> None:
    first = bench.see(DEFECTS["k-capped"], 1.0, tmp_path / "1")
    bench.see(DEFECTS["ascii-only"], 1.0, tmp_path / "2")
    assert bench.see(DEFECTS["k-capped"], 1.0, tmp_path / "3") == first


def asked_of(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The modes and faults that planted stores are asked from now on."""
    asked: list[str] = []

    def noted(trial: Trial, *given: Any, **named: Any) -> Outcome:
        asked.extend(f"{key.mode}/{key.fault}" for key in trial.keys)
        return run_trial(trial, *given, **named)

    monkeypatch.setattr("gate.prove.bench.run_trial", noted)
    return asked


def test_a_weaker_dose_is_asked_first_where_the_stronger_one_was_told(
    bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    full = bench.see(DEFECTS["ascii-only"], 1.0, tmp_path / "full")
    asked = asked_of(monkeypatch)
    again = bench.see(DEFECTS["ascii-only"], 0.5, tmp_path / "half", full)
    assert again.red
    assert asked == ["keyword/none"]


def test_a_weaker_dose_under_a_fault_is_asked_under_that_fault_first(
    bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    full = bench.see(DEFECTS["fallback-undeclared"], 1.0, tmp_path / "full")
    asked = asked_of(monkeypatch)
    again = bench.see(DEFECTS["fallback-undeclared"], 0.5, tmp_path / "half", full)
    assert again.by == {"fail-open": 1}
    assert asked == ["vector/none", "vector/embedder-raises"]


def test_the_exit_code_of_a_weaker_dose_is_of_where_it_was_told_alone(tmp_path: Path) -> None:
    # A store that knows of a fault from vector search need not ask again in hybrid: without the one, that is unknown.
    settings = SETTINGS.replace("[keyword, vector]", "[vector, hybrid]").replace("[zh-Hans]", "[lifecycle]")
    settings = settings.replace("[embedder-raises, embedder-long-text]", "[embedder-hangs]")
    (tmp_path / "leaks.yml").write_text(LEAKS, encoding="utf-8")
    leaky = bench_of(tmp_path, settings.replace("budgets.yml", "leaks.yml"))
    full = leaky.see(DEFECTS["ghost-after-delete"], 1.0, tmp_path / "full")
    assert place_enough(full) == Place("vector", "none")
    again = leaky.see(DEFECTS["ghost-after-delete"], 0.5, tmp_path / "half", full)
    assert (again.by, again.unknown, again.exit_code) == ({"budget": 1}, {}, ExitCode.REGRESSION)


def test_what_is_told_no_more_where_it_was_is_asked_whole(
    bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    elsewhere = Sight(
        1.0, 1, {"budget": 1}, cells={"budget": ("reference/seeded@smoke/zh-Hans/cpu-hash/vector/none/R@5",)}
    )
    asked = asked_of(monkeypatch)
    sight = bench.see(DEFECTS["ascii-only"], 0.5, tmp_path, elsewhere)
    assert sight.red
    assert asked == ["vector/none", "keyword/none", "vector/none"]


def test_what_probes_told_they_are_asked_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = SETTINGS.replace("probes: off", "probes: fast").replace("[keyword, vector]", "[keyword]")
    probed = bench_of(tmp_path, settings)
    full = probed.see(DEFECTS["reingest-duplicates"], 1.0, tmp_path / "full")
    assert set(full.by) == {"probe"}
    asked = asked_of(monkeypatch)
    again = probed.see(DEFECTS["reingest-duplicates"], 0.5, tmp_path / "half", full)
    assert set(again.by) == {"probe"}
    assert asked == []


@pytest.mark.parametrize(
    ("defect", "reason"),
    [
        (Defect("d", "f", "s", needs=frozenset({"reranker"})), "the store does not declare the ability reranker"),
        (Defect("d", "f", "s", asks=frozenset({"rerank"})), "the store does not declare the mode rerank"),
        (Defect("d", "f", "s", in_reranker=lambda one, _: one), "the store takes no reranker of the gate's"),
        (
            Defect("d", "f", "s", modes=frozenset({"facts"})),
            "it touches the modes facts alone, and none of them is asked",
        ),
        (
            Defect("d", "f", "s", modes=frozenset({"vector"}), faults=("embedder-nan",)),
            "it shows under embedder-nan, which is not asked in the modes that are",
        ),
        (DEFECTS["ascii-only"], ""),
        (DEFECTS["fallback-empty"], ""),
    ],
)
def test_what_cannot_be_planted_is_told_with_the_reason(bench: Bench, defect: Defect, reason: str) -> None:
    assert bench.unfit(defect) == reason


@pytest.mark.parametrize(
    ("name", "times"), [(None, 1.0), ("slower-2x", 2.0), ("slower-tenth", 1.0), ("other-order", 1.0)]
)
def test_stores_of_a_bench_are_timed_by_turns(
    bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str | None, times: float
) -> None:
    # The store's own searches move the clock on, by one millisecond each.
    clock = [0.0]
    search = ReferenceStore.search

    def ticking(self: ReferenceStore, *asked: Any) -> SearchResult:
        clock[0] += 0.001
        return search(self, *asked)

    monkeypatch.setattr("gate.guard.now", lambda: clock[0])
    monkeypatch.setattr(ReferenceStore, "search", ticking)
    stand = stand_of(bench, tmp_path / "timed", Stop())
    assert stand is not None
    timed = stand.time(DEFECTS[name] if name else None, 1.0)
    stand.close()
    assert (timed.mode, timed.outcome) == ("keyword", "fail" if times > 1 else "pass")
    # A tenth more work that falls on other searches in each round is in none of the medians.
    assert [pair.v for pair in timed.pairs] == pytest.approx([log(times)] * len(timed.pairs), abs=0.02)


def test_a_store_that_looks_vectors_up_is_timed_in_processes_that_make_them(bench: Bench, tmp_path: Path) -> None:
    def forked(**changes: Any) -> bool:
        (trial, *_) = bench.trials
        return Stand(
            bench, replace(trial, subject=replace(trial.subject, **changes)), "vector", tmp_path, Stop()
        )._forks_it

    assert forked() == can_fork()
    assert not forked(looked_up=True)
    assert not forked(arm=ARMS["cuda-onnx"])
