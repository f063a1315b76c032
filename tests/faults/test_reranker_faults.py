from collections.abc import Sequence
from threading import Thread
from typing import cast

import numpy as np
import pytest

from gate.faults import FAULTS, BrokenPart
from gate.protocols import Embedder, Reranker, Vectors

TEXTS = ("bb", "a", "dddd", "ccc")
RIGHT = [2.0, 1.0, 4.0, 3.0]


class Lengths:
    """The longest text first."""

    name = "lengths"

    def score(self, query: str, texts: Sequence[str]) -> Sequence[float]:
        return [float(len(text)) for text in texts]


def score(part: BrokenPart, texts: Sequence[str] = TEXTS) -> list[float]:
    return list(cast(Reranker, part).score("q", texts))


def armed(name: str) -> BrokenPart:
    part = FAULTS[name].break_reranker(Lengths())
    part.armed = True
    return part


reranker_faults = pytest.mark.parametrize("name", [fault.name for fault in FAULTS.values() if fault.part == "reranker"])
WRONG = {
    "reranker-constant": [0.5, 0.5, 0.5, 0.5],
    "reranker-idle": [1.0, 1 / 2, 1 / 3, 1 / 4],
    "reranker-fewer": [2.0, 1.0],
    "reranker-some": [np.nan, 1.0, 4.0, np.nan],
    "reranker-order": [4.0, 3.0, 2.0, 1.0],
}


@pytest.mark.parametrize("name", WRONG)
def test_scores_that_mean_nothing_are_called_success(name: str) -> None:
    part = FAULTS[name].break_reranker(Lengths())
    assert score(part) == RIGHT
    part.armed = True
    assert np.array_equal(score(part), WRONG[name], equal_nan=True)
    assert (part.calls, part.failures) == (1, 1)
    part.armed = False
    assert score(part) == RIGHT
    assert (part.calls, part.failures) == (1, 1)


@pytest.mark.parametrize("name", ["reranker-order", "reranker-idle"])
def test_scores_that_are_right_all_the_same_are_no_failure(name: str) -> None:
    part = armed(name)
    texts = ["four", "abc", "bc", "c"] if name == "reranker-order" else ["x"]
    score(part, texts)
    assert (part.calls, part.failures) == (1, 0)


def test_raising_is_a_plain_runtime_error_in_a_sentence() -> None:
    part = armed("reranker-raises")
    with pytest.raises(RuntimeError, match=r"did not answer a request of 4 texts: connection refused") as caught:
        score(part)
    assert type(caught.value) is RuntimeError
    assert (part.calls, part.failures) == (1, 1)


def test_a_held_call_comes_back_right_once_the_fault_ends() -> None:
    part = armed("reranker-hangs")
    answers: list[list[float]] = []
    thread = Thread(target=lambda: answers.append(score(part)), daemon=True)
    thread.start()
    while not part.calls:
        thread.join(0.001)
    assert (part.failures, answers) == (1, [])
    part.armed = False
    assert answers == [RIGHT]
    assert score(part) == RIGHT


@reranker_faults
def test_a_reranker_fault_strikes_reranking_alone_and_breaks_no_embedder(name: str) -> None:
    class Still:
        name, dimension = "still", 1

        def embed(self, texts: Sequence[str], kind: str) -> Vectors:
            return np.ones((len(texts), 1), dtype=np.float32)

    embedder: Embedder = Still()
    assert FAULTS[name].modes == {"rerank"}
    assert cast(Reranker, FAULTS[name].break_reranker(Lengths())).name == "lengths"
    with pytest.raises(TypeError, match="not the embedder still"):
        FAULTS[name].break_embedder(embedder)
