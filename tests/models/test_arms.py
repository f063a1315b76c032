"""The registry of arms."""

from __future__ import annotations

import pytest

from gate.errors import UsageError
from gate.models import ARMS, arm


def test_every_arm_is_listed_under_its_own_name_and_opens() -> None:
    for name, known in ARMS.items():
        assert known.name == name
        assert known.says


def test_cpu_hash_opens_the_hashed_embedder() -> None:
    embedder = arm("cpu-hash").open_embedder()
    assert (embedder.name, embedder.dimension) == ("hashed-384-v1", 384)
    assert arm("cpu-hash").open_reranker is None


def test_unknown_arm_names_the_nearest() -> None:
    with pytest.raises(UsageError, match="there is no arm 'cpu-hsah'") as caught:
        arm("cpu-hsah")
    assert "cpu-hash" in caught.value.hint
