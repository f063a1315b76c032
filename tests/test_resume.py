"""A run that was interrupted goes on to the same results; answers to anything else are never taken."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from fakes import ALL_ABILITIES, FRUITS, Switches, declared, fruit_corpus, make_corpus, make_subject

from gate import checkpoints, resume, sources
from gate.bench import run_trial
from gate.faults import faults_matching
from gate.limit import first_topics, limited_trial
from gate.measures import parse_measure
from gate.outcome import Outcome
from gate.plan import Flags, Request
from gate.progress import Silent
from gate.records import NO_FAULT, Corpus, Run, RunKey, SearchResult, Slice, Topic, TopicResult
from gate.resume import Resume
from gate.runs import render_run
from gate.search import RECOVERY
from gate.settings import Settings
from gate.stop import Stop
from gate.trial import Trial, plan_trial

# Asked on every topic.
EMBEDDER_FAULTS = faults_matching(("embedder-raises", "embedder-zeros", "embedder-nan"))
MODES = ("keyword", "vector", "hybrid")
REQUEST = Request(Settings(depth=10), Flags(), date(2026, 11, 30))
SEARCHES = 12 * (3 + 2 * len(EMBEDDER_FAULTS))


@pytest.fixture
def switches(monkeypatch: pytest.MonkeyPatch) -> Iterator[Switches]:
    """A fake that behaves; every search is a block of its own."""
    monkeypatch.setattr(checkpoints, "SECONDS", 0.0)
    made = Switches()
    yield made
    made.release.set()


class After(Silent):
    """Does something after a number of steps in a stage."""

    def __init__(self, stage: str, steps: int, do: Callable[[], None]) -> None:
        self.wanted, self.steps, self.do = stage, steps, do
        self.now = ""

    def stage(self, label: str, total: int | None) -> None:
        self.now = label.rpartition(": ")[2]

    def tick(self, steps: int) -> None:
        if self.now == self.wanted:
            self.steps -= steps
            if self.steps == 0:
                self.do()


def planned(
    switches: Switches,
    corpus: Corpus | None = None,
    *,
    modes: Sequence[str] = MODES,
    stop: Stop | None = None,
    only: frozenset[str] | None = None,
) -> Trial:
    return plan_trial(
        make_subject(switches, stop=stop),
        declared(switches),
        corpus or fruit_corpus(),
        slices=("*",),
        modes=modes,
        faults=EMBEDDER_FAULTS,
        measures=[parse_measure("R@5")],
        only=only,
    )


def carried_out(
    trial: Trial, folder: Path, request: Request = REQUEST, progress: Silent | None = None
) -> tuple[Outcome, Resume]:
    """A trial with the checkpoints in `folder`, its stores in a folder of their own."""
    kept = Resume(folder, request)
    stores = folder / f"stores-{sum(1 for _ in folder.iterdir()) if folder.exists() else 0}"
    return run_trial(trial, stores, request.depth, progress or Silent(), kept.open), kept


def interrupted(switches: Switches, folder: Path, stage: str = "searching", steps: int = 20) -> list[str]:
    """A run that somebody stops; what it told its reader."""
    stop = Stop()

    def on_step() -> None:
        stop.signal = "SIGTERM"

    switches.log.clear()
    _, kept = carried_out(planned(switches, stop=stop), folder, progress=After(stage, steps, on_step))
    assert stop.requested
    return list(kept.notes(interrupted=True))


def seen(outcome: Outcome) -> Mapping[RunKey, object]:
    """All of the runs but how long each search took."""

    def timeless(result: TopicResult) -> TopicResult:
        return replace(result, milliseconds=0.0)

    return {
        key: replace(run, results={topic: timeless(result) for topic, result in run.results.items()})
        for key, run in outcome.runs.items()
    }


def run_files(outcome: Outcome) -> list[str]:
    return [render_run(run, fruit_corpus().topics) for run in outcome.runs.values()]


def counted(switches: Switches) -> list[tuple[object, object]]:
    """The (topic text, mode) of every search that was no warm-up."""
    texts = {topic.text for topic in fruit_corpus().topics}
    return [(call[0], call[2]) for call in switches.asked("search") if call[0] in texts]


def of(outcome: Outcome, mode: str, fault: str = NO_FAULT) -> Run:
    return outcome.runs[RunKey("fake", "tiny", "smoke", "cpu-hash", mode, fault)]


# --- going on ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("stage", "steps"),
    [("searching", 1), ("searching", 17), ("searching", 36), *((fault.name, 13) for fault in EMBEDDER_FAULTS)],
)
def test_a_resumed_run_gives_what_an_uninterrupted_one_gives(
    switches: Switches, tmp_path: Path, stage: str, steps: int
) -> None:
    expected, _ = carried_out(planned(switches), tmp_path / "whole")
    interrupted(switches, tmp_path / "torn", stage, steps)
    resumed, _ = carried_out(planned(switches), tmp_path / "torn")
    assert seen(resumed) == seen(expected)
    assert [list(run.results) for run in resumed.runs.values()] == [list(run.results) for run in expected.runs.values()]
    assert run_files(resumed) == run_files(expected)


def test_nothing_that_was_answered_is_asked_again(switches: Switches, tmp_path: Path) -> None:
    interrupted(switches, tmp_path, "searching", 20)
    before = counted(switches)
    assert len(before) == 20
    interrupted(switches, tmp_path, "searching", 36)
    assert len(counted(switches)) == 16
    assert not set(counted(switches)) & set(before)


def test_latencies_are_those_of_the_search_that_counted(switches: Switches, tmp_path: Path) -> None:
    expected, kept = carried_out(planned(switches), tmp_path)
    assert not list(kept.notes(interrupted=False))
    again, kept = carried_out(planned(switches), tmp_path)
    assert again.runs == expected.runs, "to the last digit"
    assert any(f"resumed: {SEARCHES} of {SEARCHES} searches" in note for note in kept.notes(interrupted=False))


def test_a_reader_is_told_what_is_kept_and_how_to_go_on(switches: Switches, tmp_path: Path) -> None:
    (note,) = interrupted(switches, tmp_path, "searching", 20)
    assert note == (
        "fake on tiny@smoke, cpu-hash: 20 searches are kept:"
        " the same command goes on from there, and with --fresh it starts anew"
    )
    _, kept = carried_out(planned(switches), tmp_path)
    (note,) = kept.notes(interrupted=False)
    assert note == (
        f"fake on tiny@smoke, cpu-hash: resumed: 20 of {SEARCHES} searches"
        " were answered by an earlier run of the same code, and not asked again"
    )


def test_errors_are_kept_and_the_same_is_said_of_them(switches: Switches, tmp_path: Path) -> None:
    switches.raises["cherry orchard"] = ValueError("no cherries")
    expected, _ = carried_out(planned(switches), tmp_path / "whole")
    (note,) = interrupted(switches, tmp_path / "torn", "searching", 20)
    assert "20 searches are kept, 3 errors among them" in note
    switches.raises.clear()
    resumed, _ = carried_out(planned(switches), tmp_path / "torn")
    assert of(expected, "vector").failure == of(resumed, "vector").failure
    assert "cherry orchard" not in of(resumed, "vector").failure
    assert "topic t2: ValueError: no cherries (1 error; 11 of 12 topics answered)" in of(resumed, "vector").failure


def test_a_mode_that_was_given_up_is_not_asked_again(switches: Switches, tmp_path: Path) -> None:
    switches.raises["keyword"] = ValueError("no index")
    interrupted(switches, tmp_path, "searching", 34)
    switches.log.clear()
    switches.raises.clear()
    resumed, _ = carried_out(planned(switches), tmp_path)
    assert "given up after ten in a row; 0 of 12 topics answered" in of(resumed, "keyword").failure
    assert not [call for call in counted(switches) if call[1] == "keyword"]


def test_a_damaged_block_is_asked_again_and_said(switches: Switches, tmp_path: Path) -> None:
    expected, _ = carried_out(planned(switches), tmp_path / "whole")
    interrupted(switches, tmp_path / "torn", "searching", 20)
    blocks = sorted((tmp_path / "torn").rglob("block-*.json"))
    blocks[3].write_bytes(blocks[3].read_bytes()[:-9])
    switches.log.clear()
    resumed, kept = carried_out(planned(switches), tmp_path / "torn")
    assert seen(resumed) == seen(expected)
    assert [list(run.results) for run in resumed.runs.values()] == [list(run.results) for run in expected.runs.values()]
    notes = "\n".join(kept.notes(interrupted=False))
    assert "1 block of the checkpoint could not be believed; what was lost was asked again" in notes
    assert f"resumed: 19 of {SEARCHES} searches" in notes


def test_recovery_is_looked_at_on_an_instance_that_met_the_fault(switches: Switches, tmp_path: Path) -> None:
    """A store that remembers a degraded answer is caught though all its answers under the fault were kept."""
    switches.memoises_answers = True
    expected, _ = carried_out(planned(switches), tmp_path)
    resumed, _ = carried_out(planned(switches), tmp_path)
    assert of(expected, "vector", "embedder-zeros").recovered == "topic t0 is still degraded: embedder"
    assert seen(resumed) == seen(expected)


def test_calls_of_a_failing_part_are_counted_once(switches: Switches, tmp_path: Path) -> None:
    carried_out(planned(switches), tmp_path)
    switches.log.clear()
    resumed, _ = carried_out(planned(switches), tmp_path)
    assert of(resumed, "vector", "embedder-raises").part_calls == 12
    asked = [call for call in counted(switches) if call[1] == "vector"]
    under_faults = len(EMBEDDER_FAULTS) * 2 * RECOVERY
    assert len(asked) == 12 + under_faults, "the sample for noise, then what recovery needs"


def test_ranks_that_move_are_noticed_on_kept_answers_too(switches: Switches, tmp_path: Path) -> None:
    carried_out(planned(switches), tmp_path)
    switches.answers["keyword"] = SearchResult(())
    again, _ = carried_out(planned(switches), tmp_path)
    assert len(of(again, "keyword").repeats_moved) == 12


# --- what is refused ---------------------------------------------------------------------------


def notes_after(
    switches: Switches,
    folder: Path,
    *,
    corpus: Corpus | None = None,
    request: Request = REQUEST,
    modes: Sequence[str] = MODES,
) -> str:
    """What a second run says, after one that was interrupted. Whatever is refused has to be asked anew."""
    interrupted(switches, folder)
    switches.log.clear()
    outcome, kept = carried_out(planned(switches, corpus, modes=modes), folder, request)
    assert all(not run.failure for run in outcome.runs.values())
    notes = "\n".join(kept.notes(interrupted=False))
    assert ("resumed" in notes) is ("not used" not in notes)
    return notes


def test_another_depth_is_refused_by_name(switches: Switches, tmp_path: Path) -> None:
    request = replace(REQUEST, flags=Flags(depth=5))
    notes = notes_after(switches, tmp_path, request=request)
    assert "the checkpoint of an earlier run is not used: depth was 10, is 5" in notes


def test_another_corpus_is_refused_by_name(switches: Switches, tmp_path: Path) -> None:
    texts = {f"d{number}": f"the {fruit} orchard" for number, fruit in enumerate(FRUITS)} | {"d12": "one more"}
    other = make_corpus(texts, fruit_corpus().topics, fruit_corpus().qrels)
    assert "the checkpoint of an earlier run is not used: corpus was " in notes_after(switches, tmp_path, corpus=other)


def test_other_judgements_are_another_corpus(switches: Switches, tmp_path: Path) -> None:
    other = replace(fruit_corpus(), qrels={**fruit_corpus().qrels, "t0": {"d1": 1}})
    assert "is not used: corpus was " in notes_after(switches, tmp_path, corpus=other)


def test_other_code_of_the_store_is_refused_by_name(
    switches: Switches, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    interrupted(switches, tmp_path)
    monkeypatch.setattr(resume, "store_code", lambda spec, factory: "feedfeedfeedfeed")
    _, kept = carried_out(planned(switches), tmp_path)
    (note,) = kept.notes(interrupted=False)
    assert "not used: code of the store was " in note
    assert note.endswith(", is feedfeedfeedfeed")


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("gate_code", lambda: "feed", "code of the gate was "),
        ("packages", lambda: {**sources.packages(), "numpy": "0.1"}, "package numpy was "),
    ],
)
def test_other_code_of_the_gate_or_of_a_package_is_refused_by_name(
    switches: Switches, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, value: object, says: str
) -> None:
    interrupted(switches, tmp_path)
    monkeypatch.setattr(resume, name, value)
    _, kept = carried_out(planned(switches), tmp_path)
    assert says in "".join(kept.notes(interrupted=False))


def test_another_environment_is_refused_by_name(switches: Switches, tmp_path: Path) -> None:
    interrupted(switches, tmp_path)
    switches.answers["environment"] = {"engine": "fake 2"}
    _, kept = carried_out(planned(switches), tmp_path)
    assert "not used: environment of the store, engine was fake 1, is fake 2" in "".join(kept.notes(interrupted=False))


def test_another_plan_is_refused_by_name(switches: Switches, tmp_path: Path) -> None:
    assert 'not used: runs was "keyword/none, vector/none, ' in notes_after(switches, tmp_path, modes=("keyword",))


def test_times_of_searches_that_looked_vectors_up_are_none_of_those_that_make_them(
    switches: Switches, tmp_path: Path
) -> None:
    interrupted(switches, tmp_path)
    trial = planned(switches)
    _, kept = carried_out(replace(trial, subject=replace(trial.subject, looked_up=True)), tmp_path)
    told = "not used: vectors of queries was made for each search, is perhaps looked up"
    assert told in "".join(kept.notes(interrupted=False))


def test_answers_without_scores_are_none_where_devices_are_compared(switches: Switches, tmp_path: Path) -> None:
    interrupted(switches, tmp_path)
    _, kept = carried_out(replace(planned(switches), scored=True), tmp_path)
    assert "not used: scores was left out, is kept" in "".join(kept.notes(interrupted=False))


def test_other_abilities_are_refused_by_name(switches: Switches, tmp_path: Path) -> None:
    interrupted(switches, tmp_path)
    switches.abilities = ALL_ABILITIES - {"delete"}
    _, kept = carried_out(planned(switches), tmp_path)
    assert "not used: abilities was " in "".join(kept.notes(interrupted=False))


def test_a_planted_defect_is_refused_by_name(switches: Switches, tmp_path: Path) -> None:
    request = replace(REQUEST, flags=Flags(plant="reversed"))
    notes = notes_after(switches, tmp_path, request=request)
    assert "not used: planted defect was none, is reversed" in notes


def test_a_fresh_run_uses_nothing_and_says_nothing(switches: Switches, tmp_path: Path) -> None:
    interrupted(switches, tmp_path)
    switches.log.clear()
    _, kept = carried_out(planned(switches), tmp_path, replace(REQUEST, fresh=True))
    assert list(kept.notes(interrupted=False)) == []
    assert len(counted(switches)) >= SEARCHES


def test_the_same_request_on_another_day_goes_on(switches: Switches, tmp_path: Path) -> None:
    assert "resumed: 20 of" in notes_after(switches, tmp_path, request=replace(REQUEST, today=date(2026, 12, 1)))


# --- limits ------------------------------------------------------------------------------------


def limited(switches: Switches, number: int) -> Trial:
    whole = planned(switches)
    return limited_trial(whole, planned(switches, only=first_topics(whole, number)))


def test_a_limited_run_is_extended_by_a_larger_one_and_by_a_whole_one(switches: Switches, tmp_path: Path) -> None:
    expected, _ = carried_out(planned(switches), tmp_path / "whole")
    asked: list[int] = []
    for number in (3, 7, 100):
        switches.log.clear()
        trial = limited(switches, number)
        outcome, kept = carried_out(trial, tmp_path / "grown")
        assert all(not run.failure for run in outcome.runs.values())
        assert all(len(run.results) == min(number, 12) for run in outcome.runs.values())
        healthy = [call for call in counted(switches) if call[1] == "keyword"]
        asked.append(len(healthy) - min(number, 12))
        kept.finish(narrowed=trial.unlimited is not None)
    assert asked == [3, 4, 5], "beside the sample for noise"
    assert seen(outcome) == seen(expected)
    assert not (tmp_path / "grown" / "checkpoints").exists(), "the last one was whole"


def test_what_failed_in_a_limited_run_is_asked_again_by_the_next(switches: Switches, tmp_path: Path) -> None:
    trial = limited(switches, 12)
    assert trial.unlimited is None
    trial = limited(switches, 11)
    switches.raises["keyword"] = ConnectionError("not yet up")
    outcome, kept = carried_out(trial, tmp_path)
    assert of(outcome, "keyword").failure
    kept.finish(narrowed=True)
    switches.raises.clear()
    outcome, kept = carried_out(limited(switches, 11), tmp_path)
    assert of(outcome, "keyword").failure == ""
    assert any("resumed" in note for note in kept.notes(interrupted=False))


def test_modes_that_a_limit_leaves_without_topics_do_not_change_whose_answers_are_taken(
    switches: Switches, tmp_path: Path
) -> None:
    topics = tuple(
        Topic(f"t{number}", f"{fruit} orchard", slices=("people" if number == 11 else "words",))
        for number, fruit in enumerate(FRUITS)
    )
    slices = (Slice("words", "words"), Slice("people", "facts", modes=frozenset({"facts"})))
    corpus = replace(fruit_corpus(), topics=topics, slices=slices)
    whole = planned(switches, corpus, modes=("keyword", "facts"))
    first = limited_trial(whole, planned(switches, corpus, modes=("keyword", "facts"), only=frozenset({"t0"})))
    assert [key.mode for key in first.keys] == ["keyword"]
    assert [key.mode for key in whole.keys] == ["keyword", "facts"]
    carried_out(first, tmp_path)
    _, kept = carried_out(whole, tmp_path)
    assert any("resumed: 1 of" in note for note in kept.notes(interrupted=False))
