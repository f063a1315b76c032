"""A fault is asked on all topics or on an even spread, and a sample has cells of all topics alone."""

from __future__ import annotations

import itertools

import pytest

from gate.faults import FAULTS
from gate.measures import parse_measure
from gate.plan import plan_cells
from gate.records import Corpus, RunKey, Slice, Topic
from gate.sample import asked_under, has_cells, is_sampled

TOPICS = tuple(Topic(f"t{number}", f"question {number}") for number in range(100))


def ids(fault: str, topics: tuple[Topic, ...] = TOPICS) -> list[str]:
    return [topic.topic_id for topic in asked_under(fault, topics)]


def test_a_few_topics_are_the_middles_of_equal_stretches() -> None:
    # Thirds of a hundred, cut at 33.3 and 66.7: their middles are 16.7, 50 and 83.3.
    assert ids("embedder-hangs") == ["t16", "t50", "t83"]


def test_a_sample_is_spread_over_all_topics_in_their_order() -> None:
    places = [int(name[1:]) for name in ids("embedder-constant")]
    assert len(places) == FAULTS["embedder-constant"].topics == 40
    assert places == sorted(set(places))
    assert {later - earlier for earlier, later in itertools.pairwise(places)} == {2, 3}
    assert places[0] == 1
    assert places[-1] == 98


@pytest.mark.parametrize("fault", ["none", "embedder-raises", "embedder-zeros", "embedder-nan"])
def test_health_and_the_first_faults_are_asked_on_all_topics(fault: str) -> None:
    assert not is_sampled(fault)
    assert asked_under(fault, TOPICS) == TOPICS
    assert has_cells("memory", fault)


@pytest.mark.parametrize("many", [0, 1, 2, 3])
def test_of_few_topics_all_are_asked(many: int) -> None:
    assert ids("embedder-hangs", TOPICS[:many]) == [f"t{number}" for number in range(many)]


def test_a_sample_has_cells_of_all_topics_alone() -> None:
    assert has_cells("all", "embedder-hangs")
    assert not has_cells("memory", "embedder-hangs")
    everything = [Slice("all", "every topic"), Slice("memory", "some")]
    runs = [RunKey("mine", "c", "t", "cpu-hash", "vector", fault) for fault in ("embedder-nan", "embedder-hangs")]
    assert [str(cell) for cell in plan_cells(runs, everything, [parse_measure("R@5")])] == [
        "mine/c@t/all/cpu-hash/vector/embedder-nan/R@5",
        "mine/c@t/memory/cpu-hash/vector/embedder-nan/R@5",
        "mine/c@t/all/cpu-hash/vector/embedder-hangs/R@5",
    ]


def test_a_measure_that_no_topic_of_the_sample_has_is_not_planned() -> None:
    # Only the first topic has relevant documents, and it is not among the three.
    qrels = {topic.topic_id: {"d": int(topic is TOPICS[0])} for topic in TOPICS}
    corpus = Corpus("c", "t", lambda: iter(()), TOPICS, qrels, {}, ())
    runs = [RunKey("mine", "c", "t", "cpu-hash", "vector", fault) for fault in ("embedder-nan", "embedder-hangs")]
    measures = [parse_measure("R@5"), parse_measure("Duplicates")]
    cells = plan_cells(runs, [Slice("all", "every topic")], measures, {"all": TOPICS}, corpus)
    assert [(cell.fault, cell.measure) for cell in cells if cell.measure == "R@5"] == [("embedder-nan", "R@5")]
