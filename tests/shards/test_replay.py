"""The parts of a trial, laid together and played again, give what the whole trial gives: runs, failures, everything."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from fakes import FRUITS, Switches, declared, fruit_corpus, make_corpus, make_subject

from gate.bench import run_trial
from gate.checkpoints import Asked
from gate.faults import FAULTS, Fault, faults_matching
from gate.measures import parse_measure
from gate.outcome import Outcome
from gate.plain import from_plain, to_json
from gate.progress import Silent
from gate.records import Corpus, Run, RunKey, Slice, Topic, TopicResult
from gate.replay import replay_trial
from gate.runs import render_run
from gate.shards.part import Part, share_of
from gate.transcript import HEALTH, SEARCH, Transcript, laid_together
from gate.trial import Trial, plan_trial

# Asked on every topic.
EMBEDDER_FAULTS = faults_matching(("embedder-raises", "embedder-zeros", "embedder-nan"))
COUNTS = (1, 2, 3, 5)


def planned(
    switches: Switches,
    corpus: Corpus | None = None,
    *,
    faults: Sequence[Fault] = EMBEDDER_FAULTS,
    repeats: int = 1,
    timeout: float = 30.0,
) -> Trial:
    return plan_trial(
        make_subject(switches, timeout=timeout),
        declared(switches),
        corpus or fruit_corpus(),
        slices=("*",),
        modes=("keyword", "vector", "hybrid", "facts"),
        faults=faults,
        measures=[parse_measure("R@5")],
        repeats=repeats,
    )


def whole(make: Callable[[], Trial], folder: Path) -> Outcome:
    return run_trial(make(), folder / "whole", 10, Silent())


def in_parts(make: Callable[[], Trial], folder: Path, of: int) -> list[Transcript]:
    """The transcript of each part, of a store of its own, as it is read back from plain data."""
    found = []
    for number in range(1, of + 1):
        trial, kept = make(), Transcript()
        part = share_of(trial, Part(number, of))
        run_trial(trial, folder / f"part-{number}-{of}", 10, Silent(), part=part, transcript=kept)
        for stage in kept.stages.values():
            stage.asked = {place: read_back(asked) for place, asked in stage.asked.items()}
        found.append(kept)
    return found


def read_back(asked: Asked) -> Asked:
    return from_plain(Asked, json.loads(to_json(asked)))


def merged(make: Callable[[], Trial], folder: Path, of: int) -> Outcome:
    return replay_trial(make(), laid_together(in_parts(make, folder, of)), 10)


def seen(outcome: Outcome) -> object:
    """All that came of a trial but how long things took."""

    def timeless(results: Mapping[str, TopicResult]) -> list[tuple[str, TopicResult]]:
        return [(topic, replace(result, milliseconds=0.0)) for topic, result in results.items()]

    def of(run: Run) -> object:
        return replace(run, results={}, repeats=()), timeless(run.results), [timeless(one) for one in run.repeats]

    ingest = replace(outcome.ingest, seconds=0.0, doc_ids=frozenset())
    return ingest, {key: of(run) for key, run in outcome.runs.items()}, outcome.unclosed


def fails(*queries: str) -> Callable[[Switches], None]:
    def switch(switches: Switches) -> None:
        switches.raises |= {query: ValueError(f"no {query}") for query in queries}

    return switch


def set_to(**values: object) -> Callable[[Switches], None]:
    def switch(switches: Switches) -> None:
        for name, value in values.items():
            setattr(switches, name, value)

    return switch


TROUBLES: Mapping[str, Callable[[Switches], None]] = {
    "none": set_to(),
    "one query raises": fails("cherry orchard"),
    "queries of two parts raise": fails("apple orchard", "lemon orchard"),
    "a mode raises always": fails("keyword"),
    "ten in a row, over the ends of parts": fails(*(f"{fruit} orchard" for fruit in FRUITS[1:11])),
    "nine in a row": fails(*(f"{fruit} orchard" for fruit in FRUITS[1:10])),
    "it cannot be stored": fails("add"),
    "documents are lost": set_to(count_off_by=-1),
    "degraded in health": set_to(always_degraded=True),
    "ranks move": set_to(noisy=True),
    "answers are remembered": set_to(memoises_answers=True),
    "vectors are remembered": set_to(memoises_vectors=True),
    "it says nothing": set_to(silent=True),
    "it raises without its embedder": set_to(raises_without_embedder=True),
    "its fallback is empty": set_to(empty_fallback=True),
    "hits come twice": set_to(duplicates=True),
    "it does not close": fails("close"),
    "nonsense for an answer": set_to(answers={"fig orchard": None}),
}


@pytest.mark.parametrize("of", COUNTS)
@pytest.mark.parametrize("trouble", TROUBLES)
def test_parts_give_what_the_whole_gives(tmp_path: Path, trouble: str, of: int) -> None:
    def make() -> Trial:
        switches = Switches()
        TROUBLES[trouble](switches)
        return planned(switches)

    assert seen(merged(make, tmp_path, of)) == seen(whole(make, tmp_path))


@pytest.mark.parametrize("of", COUNTS)
def test_faults_that_are_asked_on_a_sample_are_asked_by_one_part_each(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, of: int
) -> None:
    for name in ("embedder-recovers", "embedder-constant", "embedder-empty"):
        monkeypatch.setattr(FAULTS[name], "topics", 5)
    faults = faults_matching(("embedder-recovers", "embedder-constant", "embedder-nan", "embedder-empty"))

    def make() -> Trial:
        return planned(Switches(raises_without_embedder=True), faults=faults)

    expected = whole(make, tmp_path)
    assert seen(merged(make, tmp_path, of)) == seen(expected)
    for fault in faults:
        run = expected.runs[RunKey("fake", "tiny", "smoke", "cpu-hash", "vector", fault.name)]
        assert len(run.topic_calls) == (fault.topics or 12)


@pytest.mark.parametrize("of", [2, 5])
def test_repeats_of_a_noisy_store_are_laid_together(tmp_path: Path, of: int) -> None:
    def make() -> Trial:
        return planned(Switches(noisy_when_opened=True), repeats=3)

    expected = whole(make, tmp_path)
    assert all(len(run.repeats) == 2 for run in expected.runs.values() if run.key.fault == "none")
    assert seen(merged(make, tmp_path, of)) == seen(expected)


def test_a_query_that_hangs_ends_its_mode_and_no_other(tmp_path: Path) -> None:
    made: list[Switches] = []

    def make() -> Trial:
        made.append(Switches(hangs={"facts"}))
        return planned(made[-1], timeout=0.05)

    try:
        expected = whole(make, tmp_path)
        assert seen(merged(make, tmp_path, 2)) == seen(expected)
    finally:
        for switches in made:
            switches.release.set()


def test_slices_of_some_modes_are_laid_together_in_the_order_of_the_whole(tmp_path: Path) -> None:
    texts = {f"d{number}": f"the {fruit} orchard" for number, fruit in enumerate(FRUITS)}
    topics = [
        Topic(f"t{number}", f"{fruit} orchard", slices=("odd",) if number % 2 else ("even",))
        for number, fruit in enumerate(FRUITS)
    ]
    slices = (
        Slice("odd", "asked of words", modes=frozenset({"keyword", "hybrid"})),
        Slice("even", "asked of vectors", modes=frozenset({"vector", "hybrid"})),
    )

    def make() -> Trial:
        qrels = {f"t{number}": {f"d{number}": 1} for number in range(len(FRUITS))}
        return planned(Switches(), make_corpus(texts, topics, qrels, slices=slices))

    expected = whole(make, tmp_path)
    found = merged(make, tmp_path, 3)
    assert seen(found) == seen(expected)
    files = [[render_run(run, topics) for run in outcome.runs.values()] for outcome in (found, expected)]
    assert files[0] == files[1]


def test_what_a_part_lacks_is_seen(tmp_path: Path) -> None:
    def make() -> Trial:
        return planned(Switches())

    parts = in_parts(make, tmp_path, 3)
    outcome = replay_trial(make(), laid_together(parts[:2]), 10)
    keyword = outcome.runs[RunKey("fake", "tiny", "smoke", "cpu-hash", "keyword")]
    assert "8 of 12 topics" in keyword.failure
    assert all(run.failure for run in outcome.runs.values())


def test_an_answer_that_differs_is_seen(tmp_path: Path) -> None:
    def make() -> Trial:
        return planned(Switches())

    parts = in_parts(make, tmp_path, 2)
    place = (SEARCH, "keyword", "t0")
    result = parts[0].stages[HEALTH].asked[place].result
    assert result is not None
    parts[0].stages[HEALTH].asked[place] = Asked(replace(result, doc_ids=("d9",)))
    assert seen(replay_trial(make(), laid_together(parts), 10)) != seen(whole(make, tmp_path))


def test_time_is_that_of_the_searches_and_of_the_median_store(tmp_path: Path) -> None:
    def make() -> Trial:
        return planned(Switches())

    parts = in_parts(make, tmp_path, 3)
    for part, seconds in zip(parts, (5.0, 1.0, 2.0), strict=True):
        part.ingest = replace(part.ingest, seconds=seconds)
    outcome = replay_trial(make(), laid_together(parts), 10)
    assert outcome.ingest.seconds == 2.0
    for key, run in outcome.runs.items():
        stage = HEALTH if key.fault == "none" else key.fault
        for part in parts:
            for (why, mode, topic), asked in part.stages[stage].asked.items():
                if why == SEARCH and mode == key.mode:
                    assert run.results[topic] == asked.result
