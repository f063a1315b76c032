"""Arms: each named after its device, its models opened by name, and refused where they do not belong."""

from __future__ import annotations

import pytest

from gate.errors import NotMeasured, UsageError
from gate.models import ARMS, HASHED, NONE, Choice, arm, open_parts
from gate.models.named import models
from gate.models.spec import EMBEDDER


@pytest.mark.parametrize("name", ARMS)
def test_every_arm_is_named_after_its_device_and_has_models_that_exist(name: str) -> None:
    known = ARMS[name]
    assert known.name == name
    assert name.startswith(f"{known.device}-")
    assert known.says
    assert known.embedder == HASHED or models()[known.embedder].kind == EMBEDDER
    assert known.reranker == NONE or models()[known.reranker].kind != EMBEDDER


def test_cpu_hash_opens_the_hashed_embedder() -> None:
    parts = open_parts(arm("cpu-hash"))
    assert parts.embedder is not None
    assert (parts.embedder.name, parts.embedder.dimension) == ("hashed-384-v1", 384)
    assert parts.reranker is None
    assert not parts.looked_up


def test_every_fingerprint_names_the_device() -> None:
    assert open_parts(arm("cpu-hash")).facts["device"]


def test_unknown_arm_names_the_nearest() -> None:
    with pytest.raises(UsageError) as raised:
        arm("cpu-hsh")
    assert "cpu-hash" in raised.value.hint


def test_an_arm_can_go_without_a_model() -> None:
    parts = open_parts(arm("cpu-hash"), Choice(embedder=NONE))
    assert parts.embedder is None


@pytest.mark.parametrize(
    "choice", [Choice(reranker="minilm-int8"), Choice(embedder="minilm-int8-maxsim"), Choice(reranker=HASHED)]
)
def test_a_model_of_another_kind_is_refused(choice: Choice) -> None:
    with pytest.raises(UsageError, match="stands where"):
        open_parts(arm("cpu-hash"), choice)


def test_an_unknown_model_names_the_nearest() -> None:
    with pytest.raises(UsageError) as raised:
        open_parts(arm("cpu-hash"), Choice(embedder="minilm-int9"))
    assert "minilm-int8" in raised.value.hint


def test_a_model_that_was_never_fetched_says_how_to_get_it(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GATE_MODELS", str(tmp_path_factory.mktemp("models")))
    with pytest.raises(NotMeasured) as raised:
        open_parts(arm("cpu-hash"), Choice(embedder="bge-m3"))
    assert "gate models fetch bge-m3" in raised.value.hint
