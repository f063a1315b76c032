"""One store on one corpus: everything planned is measured or says why not, healthy first, then under each fault."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from fakes import (
    ALL_ABILITIES,
    ALL_MODES,
    LETTERS,
    FakeStore,
    Switches,
    declared,
    fruit_corpus,
    make_corpus,
    make_subject,
)

from gate.bench import run_trial
from gate.corpus.units import units_of
from gate.faults import FAULTS, faults_matching
from gate.faults.fault import Fault
from gate.ingest import BATCH
from gate.measures import parse_measure
from gate.outcome import Outcome
from gate.progress import Silent
from gate.records import NO_FAULT, Calls, Corpus, Document, Run, RunKey, Slice, Topic
from gate.stop import Stop
from gate.trial import Trial, plan_trial

# Asked on every topic.
EMBEDDER_FAULTS = faults_matching(("embedder-raises", "embedder-zeros", "embedder-nan"))
MODES = ("keyword", "vector")
TINY = 0.2


class Watched(Silent):
    """Tells a test of every stage and step."""

    def __init__(self, on_tick: Callable[[str], None] = lambda _: None) -> None:
        self.stages: list[str] = []
        self.on_tick = on_tick

    def stage(self, label: str, total: int | None) -> None:
        self.stages.append(label.removeprefix("fake on tiny@smoke, cpu-hash: "))

    def tick(self, steps: int) -> None:
        self.on_tick(self.stages[-1])


def planned(
    switches: Switches,
    corpus: Corpus | None = None,
    *,
    modes: Sequence[str] = MODES,
    faults: Sequence[Fault] = (),
    timeout: float = 30.0,
    stop: Stop | None = None,
    repeats: int = 1,
) -> Trial:
    return plan_trial(
        make_subject(switches, timeout=timeout, stop=stop),
        declared(switches),
        corpus or fruit_corpus(),
        slices=("*",),
        modes=modes,
        faults=faults,
        measures=[parse_measure("R@5")],
        repeats=repeats,
    )


def carried_out(trial: Trial, folder: Path, progress: Watched | None = None) -> Outcome:
    return run_trial(trial, folder, 10, progress or Watched())


def of(outcome: Outcome, mode: str, fault: str = NO_FAULT) -> Run:
    return outcome.runs[RunKey("fake", "tiny", "smoke", "cpu-hash", mode, fault)]


# --- the plan ----------------------------------------------------------------------------------


def test_every_declared_mode_and_every_fault_it_can_suffer_is_planned(switches: Switches) -> None:
    trial = planned(switches, faults=EMBEDDER_FAULTS)
    assert [(key.mode, key.fault) for key in trial.keys] == [
        ("keyword", NO_FAULT),
        ("vector", NO_FAULT),
        *(("vector", fault.name) for fault in EMBEDDER_FAULTS),
    ]
    assert {str(cell) for cell in trial.cells if cell.fault == NO_FAULT} == {
        "fake/tiny@smoke/all/cpu-hash/keyword/none/R@5",
        "fake/tiny@smoke/all/cpu-hash/vector/none/R@5",
    }


def test_a_store_that_does_not_take_the_embedder_is_planned_without_its_faults(switches: Switches) -> None:
    switches.abilities = ALL_ABILITIES - {"embedder"}
    assert all(key.fault == NO_FAULT for key in planned(switches, faults=EMBEDDER_FAULTS).keys)


def test_faults_of_a_part_that_the_arm_lacks_are_not_planned(switches: Switches) -> None:
    def keys(reranker: bool) -> list[str]:
        subject = make_subject(switches)
        subject = subject if reranker else replace(subject, reranker=None)
        trial = plan_trial(
            subject,
            declared(switches),
            fruit_corpus(),
            slices=("*",),
            modes=("rerank",),
            faults=(FAULTS["reranker-raises"],),
            measures=[parse_measure("R@5")],
        )
        return [key.fault for key in trial.keys]

    assert keys(reranker=True) == [NO_FAULT, "reranker-raises"]
    assert keys(reranker=False) == [NO_FAULT]


def test_a_mode_is_asked_the_topics_of_the_slices_that_make_sense_in_it(switches: Switches) -> None:
    topics = (Topic("a", "apple orchard", slices=("people",)), Topic("b", "fig orchard", slices=("words",)))
    slices = (
        Slice("people", "facts of people", modes=frozenset({"facts"})),
        Slice("words", "words"),
    )
    corpus = replace(fruit_corpus(), topics=topics, slices=slices, qrels={"a": {"d0": 1}, "b": {"d5": 1}})
    trial = planned(switches, corpus, modes=("keyword", "facts"))
    assert [topic.topic_id for topic in trial.topics("facts")] == ["a"]
    assert [topic.topic_id for topic in trial.topics("keyword")] == ["b"]
    assert [topic.topic_id for topic in trial.asked_in("keyword")["all"]] == ["b"]


# --- in health ---------------------------------------------------------------------------------


def test_everything_planned_is_measured(switches: Switches, tmp_path: Path) -> None:
    trial = planned(switches, faults=EMBEDDER_FAULTS)
    outcome = carried_out(trial, tmp_path)
    assert tuple(outcome.runs) == trial.keys
    assert outcome.ingest.failure == ""
    for run in outcome.runs.values():
        assert run.failure == ""
        assert len(run.results) == 12
    assert of(outcome, "vector").part_calls is None
    for fault in EMBEDDER_FAULTS:
        broken = of(outcome, "vector", fault.name)
        assert broken.part_calls == 12
        assert broken.recovered == ""
        assert broken.results["t3"].doc_ids == of(outcome, "keyword").results["t3"].doc_ids


def test_a_digest_is_verified_before_anything_is_searched(switches: Switches, tmp_path: Path) -> None:
    trial = planned(switches, fruit_corpus(pinned="0" * 64), faults=EMBEDDER_FAULTS)
    outcome = carried_out(trial, tmp_path)
    assert switches.asked("search") == []
    assert tuple(outcome.runs) == trial.keys
    for run in outcome.runs.values():
        assert run.failure == outcome.ingest.failure
        assert run.failure == "the corpus tiny@smoke is not the pinned one"
    assert outcome.ingest.unlike_pin
    assert switches.closed == switches.opened


def test_a_digest_that_is_the_pinned_one_is_searched(switches: Switches, tmp_path: Path) -> None:
    digest = carried_out(planned(switches), tmp_path / "first").ingest.digest
    outcome = carried_out(planned(switches, fruit_corpus(pinned=digest)), tmp_path / "second")
    assert of(outcome, "keyword").failure == ""


def test_a_store_that_miscounts_is_not_searched(switches: Switches, tmp_path: Path) -> None:
    switches.count_off_by = 5
    outcome = carried_out(planned(switches, faults=EMBEDDER_FAULTS), tmp_path)
    assert {run.failure for run in outcome.runs.values()} == {
        "fake says that it holds 17 documents; 12 should be there"
    }
    assert switches.asked("search") == []


@pytest.mark.parametrize("method", ["open", "add", "count", "environment"])
def test_a_store_that_raises_before_it_is_searched_leaves_nothing_unsaid(
    switches: Switches, tmp_path: Path, method: str
) -> None:
    switches.raises[method] = OSError("disk full")
    outcome = carried_out(planned(switches, faults=EMBEDDER_FAULTS), tmp_path)
    assert len(outcome.runs) == 2 + len(EMBEDDER_FAULTS)
    for run in outcome.runs.values():
        assert run.failure.startswith(f"fake, {method}")
        assert run.failure.endswith("OSError: disk full")


def test_one_mode_that_raises_leaves_the_others_and_their_faults(switches: Switches, tmp_path: Path) -> None:
    switches.raises["keyword"] = ValueError("no index")
    outcome = carried_out(planned(switches, faults=EMBEDDER_FAULTS), tmp_path)
    assert "fake, mode keyword, topic t0: ValueError: no index" in of(outcome, "keyword").failure
    assert of(outcome, "vector").failure == ""
    assert of(outcome, "vector", "embedder-nan").failure == ""


def test_a_store_that_declares_otherwise_when_it_is_opened_again_is_not_measured(
    switches: Switches, tmp_path: Path
) -> None:
    trial = planned(switches)
    switches.abilities = ALL_ABILITIES - {"delete"}
    assert "than when it was first opened" in of(carried_out(trial, tmp_path), "keyword").failure


def test_a_hang_ends_one_mode_and_the_others_go_on(switches: Switches, tmp_path: Path) -> None:
    trial = planned(switches, modes=("keyword", "vector", "hybrid"), timeout=TINY)
    switches.hangs.add("vector")
    outcome = carried_out(trial, tmp_path)
    assert "no answer within 0.2 s" in of(outcome, "vector").failure
    for mode in ("keyword", "hybrid"):
        assert of(outcome, mode).failure == ""
        assert len(of(outcome, mode).results) == 12


def test_a_store_that_hung_is_never_copied(switches: Switches, tmp_path: Path) -> None:
    trial = planned(switches, faults=EMBEDDER_FAULTS, timeout=TINY)
    switches.hangs.add("keyword")
    progress = Watched()
    outcome = carried_out(trial, tmp_path, progress)
    assert len(switches.asked("add")) == 2, "once at first, once after the hang; then copies of the second, closed"
    assert progress.stages.count("storing again") == 1
    assert of(outcome, "vector").failure == ""
    assert of(outcome, "vector", "embedder-raises").part_calls == 12


# --- under a fault -----------------------------------------------------------------------------


def test_a_store_that_can_be_reopened_is_stored_once(switches: Switches, tmp_path: Path) -> None:
    carried_out(planned(switches, faults=EMBEDDER_FAULTS), tmp_path)
    assert len(switches.asked("add")) == 1
    assert switches.opened == 1 + len(EMBEDDER_FAULTS)


def test_a_store_that_cannot_be_reopened_is_stored_again_for_each_fault(switches: Switches, tmp_path: Path) -> None:
    switches.abilities = ALL_ABILITIES - {"reopen"}
    outcome = carried_out(planned(switches, faults=EMBEDDER_FAULTS), tmp_path)
    assert len(switches.asked("add")) == 1 + len(EMBEDDER_FAULTS)
    for fault in EMBEDDER_FAULTS:
        run = of(outcome, "vector", fault.name)
        assert (run.failure, run.part_calls, run.recovered) == ("", 12, "")


@pytest.mark.parametrize("abilities", [ALL_ABILITIES, ALL_ABILITIES - {"reopen"}])
def test_every_store_that_was_opened_is_closed(switches: Switches, tmp_path: Path, abilities: frozenset[str]) -> None:
    switches.abilities = abilities
    carried_out(planned(switches, faults=EMBEDDER_FAULTS), tmp_path)
    assert switches.closed == switches.opened


def test_copies_do_not_pile_up(switches: Switches, tmp_path: Path) -> None:
    carried_out(planned(switches, faults=EMBEDDER_FAULTS), tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["store-0"]


def test_a_store_that_cannot_be_closed_is_not_copied_and_says_so(switches: Switches, tmp_path: Path) -> None:
    switches.raises["close"] = OSError("still in use")
    outcome = carried_out(planned(switches, faults=EMBEDDER_FAULTS), tmp_path)
    assert of(outcome, "vector").failure == ""
    assert of(outcome, "vector", "embedder-raises").failure == (
        "fake, reopen: it cannot be copied, since it could not be closed: fake, close: OSError: still in use"
    )


def test_a_store_that_loses_its_documents_when_it_is_reopened_is_not_blamed_on_the_fault(
    switches: Switches, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def close(self: FakeStore) -> None:
        for file in self._path.glob("d1*.doc"):
            file.unlink()

    monkeypatch.setattr(FakeStore, "close", close)
    outcome = carried_out(planned(switches, faults=EMBEDDER_FAULTS), tmp_path)
    broken = of(outcome, "vector", "embedder-raises")
    assert "holds 9 documents; 12 should be there" in broken.failure
    assert broken.part_calls is None


def test_a_store_that_does_not_survive_a_fault_survives_the_others(switches: Switches, tmp_path: Path) -> None:
    switches.raises_without_embedder = True
    outcome = carried_out(planned(switches, faults=EMBEDDER_FAULTS), tmp_path)
    raising = of(outcome, "vector", "embedder-raises")
    assert "RuntimeError: the embedding service did not answer" in raising.failure
    assert raising.part_calls
    assert of(outcome, "vector", "embedder-zeros").failure == ""


def test_a_hang_under_a_fault_ends_one_mode_and_the_others_go_on_failing(switches: Switches, tmp_path: Path) -> None:
    trial = planned(switches, modes=("vector", "hybrid"), faults=EMBEDDER_FAULTS[:1], timeout=TINY)
    progress = Watched(lambda stage: switches.hangs.add("hybrid") if stage == "embedder-raises" else None)
    outcome = carried_out(trial, tmp_path, progress)
    assert "no answer within" in of(outcome, "hybrid", "embedder-raises").failure
    vector = of(outcome, "vector", "embedder-raises")
    assert (vector.failure, vector.part_calls) == ("", 12)
    assert {result.degraded for result in vector.results.values()} == {frozenset({"embedder"})}


@pytest.mark.parametrize(("timeout", "within", "told"), [(600.0, 0.0, "1"), (TINY, 0.0, "0.2")])
def test_a_store_that_waits_for_ever_under_a_fault_is_not_waited_for(
    switches: Switches, tmp_path: Path, timeout: float, within: float, told: str
) -> None:
    trial = planned(switches, faults=(FAULTS["embedder-hangs"],), timeout=timeout)
    outcome = carried_out(replace(trial, within=within), tmp_path)
    broken = of(outcome, "vector", "embedder-hangs")
    assert f"no answer within {told}" in broken.failure
    assert broken.topic_calls == {"t2": Calls(1, 1)}
    assert of(outcome, "keyword").failure == ""


def test_a_store_that_does_not_recover_is_told(switches: Switches, tmp_path: Path) -> None:
    switches.memoises_answers = True
    outcome = carried_out(planned(switches, faults=EMBEDDER_FAULTS), tmp_path)
    assert of(outcome, "vector", "embedder-zeros").recovered == "topic t0 is still degraded: embedder"


def test_recovery_is_not_looked_at_without_a_healthy_run(switches: Switches, tmp_path: Path) -> None:
    trial = planned(switches, modes=("vector",), faults=EMBEDDER_FAULTS[:1])
    switches.raises["nectarine orchard"] = ValueError("once")
    ticks: list[str] = []

    def on_tick(stage: str) -> None:
        ticks.append(stage)
        if ticks.count("searching") == 12:
            switches.raises.clear()

    outcome = carried_out(trial, tmp_path, Watched(on_tick))
    assert "ValueError: once" in of(outcome, "vector").failure
    broken = of(outcome, "vector", "embedder-raises")
    assert (broken.failure, broken.recovered) == ("", None)


# --- stopping ----------------------------------------------------------------------------------


def stopped_at(switches: Switches, stage: str, folder: Path, corpus: Corpus | None = None) -> Outcome:
    """A trial in which somebody asks to stop at the first step of a stage."""
    stop = Stop()
    trial = planned(switches, corpus, faults=EMBEDDER_FAULTS, stop=stop)

    def on_tick(now: str) -> None:
        if now == stage:
            stop.signal = "SIGTERM"

    return carried_out(trial, folder, Watched(on_tick))


def test_stopping_while_storing_measures_nothing_and_says_so(switches: Switches, tmp_path: Path) -> None:
    many = [Document(f"d{number}", "an orchard") for number in range(2 * BATCH)]
    outcome = stopped_at(switches, "storing", tmp_path, replace(fruit_corpus(), documents=lambda: iter(many)))
    assert len(switches.asked("add")) == 1
    assert {run.failure for run in outcome.runs.values()} == {"stopped by SIGTERM while storing"}
    assert switches.asked("search") == []
    assert switches.closed == switches.opened


def test_stopping_while_searching_leaves_what_was_measured(switches: Switches, tmp_path: Path) -> None:
    outcome = stopped_at(switches, "searching", tmp_path)
    assert of(outcome, "keyword").failure == "stopped after 1 of 12 topics: SIGTERM came"
    assert len(of(outcome, "keyword").results) == 1
    assert of(outcome, "vector").failure == "stopped after 0 of 12 topics: SIGTERM came"
    assert of(outcome, "vector", "embedder-raises").failure == "stopped by SIGTERM after 0 topics"
    assert switches.closed == switches.opened


def test_stopping_under_a_fault_leaves_the_healthy_runs_whole(switches: Switches, tmp_path: Path) -> None:
    outcome = stopped_at(switches, "embedder-zeros", tmp_path)
    assert of(outcome, "vector").failure == ""
    assert of(outcome, "vector", "embedder-raises").failure == ""
    assert of(outcome, "vector", "embedder-zeros").failure == "stopped after 1 of 12 topics: SIGTERM came"
    assert of(outcome, "vector", "embedder-nan").failure == "stopped by SIGTERM after 0 topics"
    assert len(list(tmp_path.iterdir())) == 1
    assert switches.closed == switches.opened


def test_nothing_is_opened_once_somebody_wants_to_stop(switches: Switches, tmp_path: Path) -> None:
    stop = Stop()
    stop.signal = "SIGINT"
    outcome = carried_out(planned(switches, stop=stop), tmp_path)
    assert {run.failure for run in outcome.runs.values()} == {"stopped by SIGINT while storing"}
    assert switches.opened == 0


# --- the same bytes ----------------------------------------------------------------------------


def test_two_trials_give_the_same_rankings(switches: Switches, tmp_path: Path) -> None:
    def rankings(outcome: Outcome) -> object:
        return {
            str(key): {topic: result.doc_ids for topic, result in run.results.items()}
            for key, run in outcome.runs.items()
        }

    trial = planned(switches, modes=tuple(sorted(ALL_MODES)), faults=EMBEDDER_FAULTS)
    assert rankings(carried_out(trial, tmp_path / "1")) == rankings(carried_out(trial, tmp_path / "2"))


# --- in repeats --------------------------------------------------------------------------------


def test_a_noisy_store_is_stored_anew_for_each_repeat(switches: Switches, tmp_path: Path) -> None:
    switches.noisy_when_opened = True
    outcome = carried_out(planned(switches, modes=("keyword",), repeats=5), tmp_path)
    run = of(outcome, "keyword")
    assert len(run.repeats) == 4
    assert len(switches.asked("add")) == 5
    topic = next(topic for topic, result in run.results.items() if len(result.doc_ids) > 1)
    forward, backward = run.results[topic].doc_ids, run.repeats[0][topic].doc_ids
    assert backward != forward
    assert [one[topic].doc_ids for one in run.repeats] == [backward, forward, backward, forward]


def test_only_what_is_healthy_is_repeated(switches: Switches, tmp_path: Path) -> None:
    outcome = carried_out(planned(switches, faults=EMBEDDER_FAULTS, repeats=3), tmp_path)
    assert {len(run.repeats) for key, run in outcome.runs.items() if key.fault == NO_FAULT} == {2}
    assert {len(run.repeats) for key, run in outcome.runs.items() if key.fault != NO_FAULT} == {0}


def test_a_repeat_that_cannot_be_made_leaves_the_run_unmeasured(switches: Switches, tmp_path: Path) -> None:
    def break_it(stage: str) -> None:
        if stage == "repeat 2 of 3":
            switches.raises["keyword"] = RuntimeError("went away")

    outcome = carried_out(planned(switches, repeats=3), tmp_path, Watched(break_it))
    assert of(outcome, "keyword").failure.startswith("repeat 2: ")
    assert "went away" in of(outcome, "keyword").failure
    assert not of(outcome, "vector").failure


def test_one_measurement_is_one(switches: Switches, tmp_path: Path) -> None:
    assert of(carried_out(planned(switches), tmp_path), "keyword").repeats == ()


def test_repeats_of_a_run_that_judges_sessions_hold_sessions(switches: Switches, tmp_path: Path) -> None:
    documents = [Document(f"d{n}", f"apple {word}", session_id=f"s{n % 2}") for n, word in enumerate(LETTERS[:4])]
    plain = make_corpus(documents, [Topic("q", "apple")], {"q": {"d0": 1}})
    trial = planned(switches, units_of(plain, "turn", dedup=True), modes=("keyword",), repeats=2)
    run = of(carried_out(trial, tmp_path), "keyword")
    assert run.results["q"].doc_ids == run.repeats[0]["q"].doc_ids == ("s0", "s1")
