"""What is said of an arm with models: what ran, where, what was cut; and nothing of arms without."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from gate.ran_on import ran_on

TOLD = {
    "device": "a processor",
    "embedder.model": "mini-1",
    "embedder.precision": "int8",
    "embedder.provider": "CPUExecutionProvider",
    "embedder.nodes": "9 of 9",
    "embedder.threads": "2",
}


def measured(told: dict[str, str], *, looked_up: bool = False, abilities: frozenset[str] = frozenset()) -> Any:
    subject = SimpleNamespace(arm=SimpleNamespace(name="cpu-onnx"), looked_up=looked_up)
    trial = SimpleNamespace(subject=subject, declared=SimpleNamespace(abilities=abilities))
    return SimpleNamespace(trial=trial, outcome=SimpleNamespace(ingest=SimpleNamespace(environment=told)))


def test_an_arm_with_models_says_what_ran_where() -> None:
    (note,) = ran_on([measured(TOLD)])
    assert note == (
        "cpu-onnx ran on a processor: embedder mini-1 (int8, CPUExecutionProvider, 9 of 9 nodes there, threads: 2)"
    )


def test_an_arm_is_told_once_and_one_without_models_never() -> None:
    assert len(ran_on([measured(TOLD), measured(TOLD)])) == 1
    assert ran_on([measured({"device": "a processor"})]) == []


def test_documents_that_were_cut_are_counted() -> None:
    assert "1 document longer than its embedder reads" in ran_on([measured({**TOLD, "embedder.truncated": "1"})])[0]
    assert "longer" not in ran_on([measured({**TOLD, "embedder.truncated": "0"})])[0]


def test_the_driver_of_a_gpu_is_told() -> None:
    assert "ran on a GPU, driver 570.1:" in ran_on([measured({**TOLD, "device": "a GPU", "driver": "570.1"})])[0]


def test_a_store_whose_vectors_are_looked_up_has_no_latency_and_says_why() -> None:
    with_embedder = frozenset({"embedder"})
    assert "no latency" in ran_on([measured(TOLD, looked_up=True, abilities=with_embedder)])[0]
    # A store that embeds by itself is timed whatever our parts do.
    assert "latency" not in ran_on([measured(TOLD, looked_up=True)])[0]
    assert "latency" not in ran_on([measured(TOLD, abilities=with_embedder)])[0]
