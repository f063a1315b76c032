from collections.abc import Sequence
from typing import cast

import numpy as np
import pytest

from gate.faults import FAULTS, BrokenPart
from gate.protocols import Embedder, Reranker, Vectors


class Ones:
    """Two dimensions of ones, and a count of the calls that reached it."""

    name = "ones"
    dimension = 2

    def __init__(self) -> None:
        self.reached = 0

    def embed(self, texts: Sequence[str], kind: str) -> Vectors:
        self.reached += 1
        return np.ones((len(texts), 2), dtype=np.float32)


def embed(part: BrokenPart, texts: Sequence[str] = ("a", "b", "c"), kind: str = "query") -> Vectors:
    return cast(Embedder, part).embed(texts, kind)


embedder_faults = pytest.mark.parametrize("name", [fault.name for fault in FAULTS.values() if fault.part == "embedder"])


@embedder_faults
def test_a_broken_embedder_is_healthy_until_it_is_armed_and_after(name: str) -> None:
    healthy = Ones()
    part = FAULTS[name].break_embedder(healthy)
    assert not part.armed
    assert np.array_equal(embed(part), np.ones((3, 2)))
    part.armed = True
    try:
        failed = embed(part)
    except RuntimeError:
        failed = np.zeros((3, 2), dtype=np.float32)
    assert not np.array_equal(failed, np.ones((3, 2)))
    part.armed = False
    assert np.array_equal(embed(part), np.ones((3, 2)))
    assert healthy.reached == 2


@embedder_faults
def test_calls_are_counted_only_while_armed(name: str) -> None:
    part = FAULTS[name].break_embedder(Ones())
    embed(part)
    assert part.calls == 0
    part.armed = True
    for kind in ("query", "document"):
        try:
            embed(part, kind=kind)
        except RuntimeError:
            continue
    assert part.calls == 2
    part.armed = False
    embed(part)
    assert part.calls == 2


@embedder_faults
def test_a_broken_embedder_keeps_the_name_and_dimension(name: str) -> None:
    part = cast(Embedder, FAULTS[name].break_embedder(Ones()))
    assert (part.name, part.dimension) == ("ones", 2)


def test_raising_is_a_plain_runtime_error_in_a_sentence() -> None:
    part = FAULTS["embedder-raises"].break_embedder(Ones())
    part.armed = True
    with pytest.raises(RuntimeError, match=r"did not answer a request of 3 texts: connection refused") as caught:
        embed(part)
    assert type(caught.value) is RuntimeError


@pytest.mark.parametrize(("name", "value"), [("embedder-zeros", 0.0), ("embedder-nan", np.nan)])
def test_bad_vectors_have_the_right_shape_and_type(name: str, value: float) -> None:
    part = FAULTS[name].break_embedder(Ones())
    part.armed = True
    vectors = embed(part)
    assert vectors.dtype == np.float32
    assert np.array_equal(vectors, np.full((3, 2), value), equal_nan=True)


@embedder_faults
def test_an_embedder_fault_breaks_no_reranker(name: str) -> None:
    class Still:
        name = "still"

        def score(self, query: str, texts: Sequence[str]) -> Sequence[float]:
            return [0.0] * len(texts)

    reranker: Reranker = Still()
    with pytest.raises(TypeError, match="not the reranker still"):
        FAULTS[name].break_reranker(reranker)
