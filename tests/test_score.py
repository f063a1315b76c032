from __future__ import annotations

from dataclasses import replace

import pytest
from builders import cell_key, corpus, run_of

from gate.measures import parse_measure
from gate.records import Ingest
from gate.score import cell_of, score

JUDGED = corpus({"q1": {"a": 1}, "q2": {"b": 1}})
R5 = parse_measure("R@5")


def test_a_run_in_repeats_is_scored_by_the_mean_of_each_topic() -> None:
    run = replace(run_of({"q1": ["a"], "q2": ["b"]}), repeats=(run_of({"q1": ["x"], "q2": ["b"]}).results,))
    scored = score(run, JUDGED.topics, JUDGED, [R5])
    assert scored.values["R@5"] == {"q1": 0.5, "q2": 1.0}
    cell = cell_of(cell_key("R@5"), run, scored, JUDGED.topics, Ingest("", 2, 1.0))
    assert (cell.value, cell.topics, cell.spread) == (0.75, 2, (0.5, 1.0))


def test_a_run_of_one_measurement_has_no_spread() -> None:
    run = run_of({"q1": ["a"], "q2": ["x"]})
    cell = cell_of(cell_key("R@5"), run, score(run, JUDGED.topics, JUDGED, [R5]), JUDGED.topics, Ingest("", 2, 1.0))
    assert (cell.value, cell.spread) == (0.5, None)


@pytest.mark.parametrize("repeats", [0, 2])
def test_a_run_that_failed_has_no_values(repeats: int) -> None:
    run = replace(run_of({"q1": ["a"]}, failure="it hung"), repeats=({},) * repeats)
    assert score(run, JUDGED.topics, JUDGED, [R5]).values == {}


@pytest.mark.parametrize("qrels", [{"q1": {}, "q2": {}}, {"q1": {"a": 0}, "q2": {"b": 0}}])
@pytest.mark.parametrize("measure", ["R@5", "nDCG@10", "RR@10", "Hit@1"])
def test_a_slice_in_which_nothing_is_relevant_is_not_measured(qrels: dict[str, dict[str, int]], measure: str) -> None:
    unjudged, run = corpus(qrels), run_of({"q1": ["a"], "q2": []})
    scored = score(run, unjudged.topics, unjudged, [parse_measure(measure)])
    cell = cell_of(cell_key(measure), run, scored, unjudged.topics, Ingest("", 2, 1.0))
    assert (cell.status, cell.value, cell.topics) == ("not measured", None, 0)
    assert cell.reason == "no topic of this slice has what the measure looks at"


def test_a_topic_that_found_nothing_counts_in_the_mean_of_its_slice() -> None:
    run = run_of({"q1": ["a"], "q2": []})
    cell = cell_of(cell_key("R@5"), run, score(run, JUDGED.topics, JUDGED, [R5]), JUDGED.topics, Ingest("", 2, 1.0))
    assert (cell.value, cell.topics) == (0.5, 2)


def test_a_topic_without_any_result_is_no_smaller_slice() -> None:
    with pytest.raises(KeyError, match="q2"):
        score(run_of({"q1": ["a"]}), JUDGED.topics, JUDGED, [R5])
