"""Parity of devices: near-ties may change places, rankings have to be alike, and no document may be lost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from gate.checks.parity import FIRST, Measurement, alike, parity_checks, twins
from gate.records import Check, Run, RunKey, TopicResult

IDS = [f"d{number:02}" for number in range(20)]
APART = [1.0 - number / 100 for number in range(20)]


def answer(ids: Sequence[str] = IDS, scores: Sequence[float] = APART) -> TopicResult:
    return TopicResult(tuple(ids), 0, 0, False, frozenset(), 1.0, scores=tuple(scores[: len(ids)]))


def measurement(
    arm: str,
    *answers: TopicResult,
    models: tuple[str, str] = ("m", "none"),
    place: str = "s/c@smoke",
    failure: str = "",
    fault: str = "none",
) -> Measurement:
    key = RunKey("s", "c", "smoke", arm, "vector", fault)
    run = Run(key, {f"q{at}": one for at, one in enumerate(answers)}, failure)
    return Measurement(place, arm, arm.partition("-")[0], models, [run])


def checks(*answers: TopicResult, against: Sequence[TopicResult]) -> dict[str, Check]:
    found = parity_checks([measurement("cpu-onnx", *answers), measurement("cuda-onnx", *against)])
    return {check.check_id.rpartition(" ")[2]: check for check in found}


def test_the_same_answers_are_at_par() -> None:
    found = checks(answer(), against=[answer()])
    assert {name: (check.status, check.actual) for name, check in found.items()} == {
        "overlap": ("pass", pytest.approx(1.0)),
        "lost": ("pass", 0.0),
    }
    assert found["lost"].cell == "s/c@smoke/cpu-onnx~cuda-onnx/vector"


def test_near_ties_may_change_places() -> None:
    tied = [1.0, 1.0 - 4e-5, *APART[2:]]
    swapped = [IDS[1], IDS[0], *IDS[2:]]
    found = checks(answer(scores=tied), against=[answer(swapped, tied)])
    assert found["overlap"].actual == pytest.approx(1.0)


def test_what_a_model_moves_by_itself_widens_a_tie() -> None:
    """Scores that are 0.01 apart are no tie, unless the model moves that much when nothing changes."""
    cpu, cuda = measurement("cpu-onnx", answer()), measurement("cuda-onnx", answer([IDS[1], IDS[0], *IDS[2:]]))
    for jitter, status in ((0.0, "fail"), (0.02, "pass")):
        overlap, _ = parity_checks([cpu, replace(cuda, jitter=jitter)])
        assert overlap.status == status


def test_documents_that_are_no_near_ties_may_not() -> None:
    found = checks(answer(), against=[answer([IDS[1], IDS[0], *IDS[2:]])])
    assert found["overlap"].status == "fail"
    # Both are in the first ten of both.
    assert found["lost"].status == "pass"


def test_a_document_that_one_device_does_not_return_is_lost() -> None:
    found = checks(answer(), answer(), against=[answer([*IDS[:3], "other", *IDS[4:]]), answer()])
    assert found["lost"].status == "fail"
    assert found["lost"].actual == 1
    assert "q0: d03, other" in found["lost"].message


def test_a_document_that_fell_behind_the_first_ten_is_lost_unless_it_ties_with_the_last_of_them() -> None:
    fallen = [*IDS[: FIRST - 1], IDS[FIRST], IDS[FIRST - 1], *IDS[FIRST + 1 :]]
    assert checks(answer(), against=[answer(fallen)])["lost"].status == "fail"
    tied = [*APART[: FIRST - 1], 0.5, 0.5 - 2e-5, *([0.1] * 9)]
    assert checks(answer(scores=tied), against=[answer(fallen, tied)])["lost"].status == "pass"


def test_a_device_that_answers_nothing_lost_it_all() -> None:
    found = checks(answer(), against=[answer([])])
    assert (found["lost"].status, found["overlap"].status) == ("fail", "fail")


def test_two_empty_answers_are_the_same() -> None:
    assert alike({"q": answer([])}, {"q": answer([])})["q"].overlap == 1.0


def test_what_was_not_measured_is_no_parity() -> None:
    found = parity_checks([measurement("cpu-onnx", answer(), failure="it hung"), measurement("cuda-onnx", answer())])
    assert [(check.status, check.message) for check in found] == [("not measured", "cpu-onnx: it hung")]


def test_arms_without_a_topic_in_common_are_not_measured() -> None:
    found = parity_checks([measurement("cpu-onnx"), measurement("cuda-onnx", answer())])
    assert [check.status for check in found] == ["not measured"]


def test_only_arms_that_differ_in_the_device_alone_are_compared() -> None:
    cpu, cuda = measurement("cpu-onnx", answer()), measurement("cuda-onnx", answer())
    assert list(twins([cpu, cuda])) == [(cpu, cuda)]
    assert list(twins([cpu, measurement("cuda-onnx", answer(), models=("other", "none"))])) == []
    assert list(twins([cpu, measurement("cuda-onnx", answer(), place="s/d@smoke")])) == []
    assert list(twins([cpu, measurement("cpu-other", answer())])) == []


def test_faults_are_not_compared() -> None:
    pair = [measurement(arm, answer(), fault="embedder-raises") for arm in ("cpu-onnx", "cuda-onnx")]
    assert parity_checks(pair) == []
