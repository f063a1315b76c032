from collections.abc import Sequence
from contextlib import suppress
from threading import Event, Thread
from typing import cast

import numpy as np
import pytest

from gate.faults import FAULTS, BrokenPart, embedder_errors, embedder_time
from gate.protocols import Embedder, Reranker, Vectors

HOLDING = ("embedder-hangs", "embedder-slow")
TEXTS = ("a", "b", "c" * 50)


class Letters:
    """Four dimensions: three letters and the length, so that no two of the texts are alike."""

    name = "letters"
    dimension = 4

    def __init__(self) -> None:
        self.reached = 0

    def embed(self, texts: Sequence[str], kind: str) -> Vectors:
        self.reached += 1
        return np.array([[*(text.count(letter) for letter in "abc"), len(text)] for text in texts], dtype=np.float32)


RIGHT = Letters().embed(TEXTS, "query")


def embed(part: BrokenPart, texts: Sequence[str] = TEXTS, kind: str = "query") -> Vectors:
    return cast(Embedder, part).embed(texts, kind)


def armed(name: str, healthy: Embedder | None = None) -> BrokenPart:
    part = FAULTS[name].break_embedder(healthy or Letters())
    part.armed = True
    return part


embedder_faults = pytest.mark.parametrize("name", [fault.name for fault in FAULTS.values() if fault.part == "embedder"])
at_once = pytest.mark.parametrize(
    "name", [fault.name for fault in FAULTS.values() if fault.part == "embedder" and not fault.holds]
)


@at_once
def test_a_broken_embedder_is_healthy_until_it_is_armed_and_after(name: str) -> None:
    healthy = Letters()
    part = FAULTS[name].break_embedder(healthy)
    assert not part.armed
    assert np.array_equal(embed(part), RIGHT)
    part.armed = True
    with suppress(RuntimeError):
        assert not np.array_equal(embed(part), RIGHT)
    part.armed = False
    assert np.array_equal(embed(part), RIGHT)
    assert (part.calls, part.failures) == (1, 1)


@at_once
def test_calls_are_counted_only_while_armed(name: str) -> None:
    part = FAULTS[name].break_embedder(Letters())
    embed(part)
    assert part.calls == 0
    part.armed = True
    for kind in ("query", "document"):
        with suppress(RuntimeError):
            embed(part, kind=kind)
    assert (part.calls, part.failures) == (2, 2)
    part.armed = False
    embed(part)
    assert (part.calls, part.failures) == (2, 2)


@embedder_faults
def test_a_broken_embedder_keeps_the_name_and_dimension(name: str) -> None:
    part = cast(Embedder, FAULTS[name].break_embedder(Letters()))
    assert (part.name, part.dimension) == ("letters", 4)


@embedder_faults
def test_an_embedder_fault_breaks_no_reranker(name: str) -> None:
    class Still:
        name = "still"

        def score(self, query: str, texts: Sequence[str]) -> Sequence[float]:
            return [0.0] * len(texts)

    reranker: Reranker = Still()
    with pytest.raises(TypeError, match="not the reranker still"):
        FAULTS[name].break_reranker(reranker)


# --- errors ------------------------------------------------------------------------------------


def test_raising_is_a_plain_runtime_error_in_a_sentence() -> None:
    with pytest.raises(RuntimeError, match=r"did not answer a request of 3 texts: connection refused") as caught:
        embed(armed("embedder-raises"))
    assert type(caught.value) is RuntimeError


def test_one_long_text_spoils_its_request_and_no_other() -> None:
    part = armed("embedder-long-text")
    at_the_limit = "c" * embedder_errors.LONG
    assert np.array_equal(embed(part, ["a", at_the_limit]), Letters().embed(["a", at_the_limit], "query"))
    assert (part.calls, part.failures) == (1, 0)
    with pytest.raises(RuntimeError, match="a text of 41 characters: 40 are its limit"):
        embed(part, ["a", at_the_limit + "c"])
    assert (part.calls, part.failures) == (2, 1)


def test_an_embedder_that_recovers_raises_ten_times_and_no_more() -> None:
    part = armed("embedder-recovers")
    for _ in range(10):
        with pytest.raises(RuntimeError, match="try again later"):
            embed(part)
    for _ in range(3):
        assert np.array_equal(embed(part), RIGHT)
    assert (part.calls, part.failures) == (13, 10)


# --- vectors that mean nothing -----------------------------------------------------------------


@pytest.mark.parametrize(("name", "value"), [("embedder-zeros", 0.0), ("embedder-nan", np.nan)])
def test_bad_vectors_have_the_right_shape_and_type(name: str, value: float) -> None:
    vectors = embed(armed(name))
    assert vectors.dtype == np.float32
    assert np.array_equal(vectors, np.full((3, 4), value), equal_nan=True)


def test_a_constant_vector_is_a_good_one_and_the_same_for_all_texts_of_all_calls() -> None:
    part = armed("embedder-constant")
    vectors, again = embed(part), embed(part, ["other"])
    assert vectors.shape == (3, 4)
    assert vectors[0].any()
    assert {row.tobytes() for row in (*vectors, *again)} == {vectors[0].tobytes()}


def test_a_vector_of_another_length_has_half_the_dimensions() -> None:
    assert np.array_equal(embed(armed("embedder-length")), RIGHT[:, :2])


def test_of_one_dimension_another_length_is_two() -> None:
    class One(Letters):
        dimension = 1

        def embed(self, texts: Sequence[str], kind: str) -> Vectors:
            return np.ones((len(texts), 1), dtype=np.float32)

    assert embed(armed("embedder-length", One())).shape == (3, 2)


def test_vectors_of_another_model_are_as_far_apart_as_the_right_ones() -> None:
    vectors = embed(armed("embedder-other-model"))
    # Worked by hand: the four dimensions of "a" are 1 0 0 1, in the opposite order with every second sign changed.
    assert vectors[0].tolist() == [1.0, 0.0, 0.0, -1.0]
    assert np.array_equal(vectors @ vectors.T, RIGHT @ RIGHT.T)


def test_an_empty_answer_has_no_row() -> None:
    assert embed(armed("embedder-empty")).shape == (0, 4)


def test_an_answer_that_happens_to_be_right_is_no_failure() -> None:
    class Ones(Letters):
        def embed(self, texts: Sequence[str], kind: str) -> Vectors:
            return np.ones((len(texts), 4), dtype=np.float32)

    part = armed("embedder-constant", Ones())
    embed(part)
    assert (part.calls, part.failures) == (1, 0)


# --- time --------------------------------------------------------------------------------------


class Held:
    """A call in a thread of its own."""

    def __init__(self, part: BrokenPart) -> None:
        self.answer: Vectors | None = None
        self.began = Event()
        self.thread = Thread(target=self._ask, args=(part,), daemon=True)
        self.thread.start()
        assert self.began.wait(10)

    def _ask(self, part: BrokenPart) -> None:
        self.began.set()
        self.answer = embed(part)

    def arrived(self, part: BrokenPart) -> None:
        while not part.calls:
            self.thread.join(0.001)


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is slow is so for as long as anybody waits here."""
    monkeypatch.setattr(embedder_time, "DELAY", 600.0)


@pytest.mark.usefixtures("slow")
@pytest.mark.parametrize("name", HOLDING)
def test_a_held_call_comes_back_right_once_the_fault_ends(name: str) -> None:
    part = armed(name)
    held = Held(part)
    held.arrived(part)
    held.thread.join(0.02)
    assert held.thread.is_alive()
    part.armed = False
    assert held.answer is not None, "it has returned when the switch comes back"
    assert np.array_equal(held.answer, RIGHT)
    assert np.array_equal(embed(part), RIGHT)
    assert part.calls == 1


@pytest.mark.usefixtures("slow")
def test_a_call_that_hangs_has_failed_and_one_that_is_late_has_not() -> None:
    for name, failures in (("embedder-hangs", 1), ("embedder-slow", 0)):
        part = armed(name)
        Held(part).arrived(part)
        part.armed = False
        assert part.failures == failures


def test_a_slow_call_is_answered_right_while_the_fault_lasts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedder_time, "DELAY", 0.01)
    part = armed("embedder-slow")
    assert np.array_equal(embed(part), RIGHT)


@pytest.mark.usefixtures("slow")
def test_what_hangs_can_be_armed_again() -> None:
    part = armed("embedder-hangs")
    part.armed = False
    part.armed = True
    held = Held(part)
    held.arrived(part)
    assert held.thread.is_alive()
    part.armed = False
    assert held.answer is not None
