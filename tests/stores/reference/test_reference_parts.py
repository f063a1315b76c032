"""What looks like an answer of an embedder or a reranker, and is none."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence

import numpy as np
import pytest

from gate.models.hashed import HashedEmbedder
from gate.protocols import Vectors
from gate.stores.reference import parts
from gate.stores.reference.parts import CANARY, HitReranker, QueryEmbedder, _two_twice

HASHED = HashedEmbedder()


class Embedder:
    """Feature hashing, of which `change` makes what it likes."""

    name, dimension = HASHED.name, HASHED.dimension

    def __init__(self) -> None:
        self.asked: list[tuple[str, tuple[str, ...]]] = []
        self.change: Callable[[Vectors], Vectors] = lambda vectors: vectors

    def embed(self, texts: Sequence[str], kind: str) -> Vectors:
        self.asked.append((kind, tuple(texts)))
        return self.change(HASHED.embed(texts, kind))


def other_batch(vectors: Vectors) -> Vectors:
    return vectors * np.float32(1 + 1e-4)


def constant(vectors: Vectors) -> Vectors:
    return np.ones_like(vectors)


def other_model(vectors: Vectors) -> Vectors:
    return np.roll(vectors, 1, axis=1)


@pytest.fixture
def kept() -> list[Vectors]:
    return []


@pytest.fixture
def embedder() -> Embedder:
    return Embedder()


@pytest.fixture
def asked(embedder: Embedder, kept: list[Vectors]) -> QueryEmbedder:
    """One that has made the vectors of a document."""
    made = QueryEmbedder(embedder, None, kept.append)
    assert made.documents(["a document"])[0] is not None
    embedder.asked.clear()
    return made


def test_the_canary_is_kept_when_the_first_vectors_are_made(kept: list[Vectors], asked: QueryEmbedder) -> None:
    asked.documents(["another"])
    assert len(kept) == 1
    assert np.array_equal(kept[0], HASHED.embed([CANARY], "query")[0])


def test_a_query_and_the_canary_are_one_call(embedder: Embedder, asked: QueryEmbedder) -> None:
    vector = asked.query("who moved")
    assert vector is not None
    assert np.array_equal(vector, HASHED.embed(["who moved"], "query")[0])
    assert embedder.asked == [("query", ("who moved", CANARY))]


@pytest.mark.parametrize("change", [constant, other_model])
def test_vectors_that_are_not_those_of_the_model_are_none(
    embedder: Embedder, asked: QueryEmbedder, change: Callable[[Vectors], Vectors]
) -> None:
    embedder.change = change
    assert asked.query("who moved") is None
    assert asked.documents(["one", "two"]) == [None, None]
    embedder.change = lambda vectors: vectors
    assert asked.query("who moved") is not None
    assert all(vector is not None for vector in asked.documents(["one", "two"]))


def test_what_a_model_differs_by_from_batch_to_batch_is_no_failure(embedder: Embedder, asked: QueryEmbedder) -> None:
    embedder.change = other_batch
    assert asked.query("who moved") is not None


def test_the_canary_of_an_embedder_that_fails_is_not_kept(embedder: Embedder, kept: list[Vectors]) -> None:
    made = QueryEmbedder(embedder, None, kept.append)
    embedder.change = np.zeros_like
    assert made.documents(["one"]) == [None]
    assert made.query("who moved") is None
    embedder.change = constant
    made.query("who moved")
    assert kept == [], "a query alone makes nothing known"
    embedder.change = lambda vectors: vectors
    assert made.documents(["one"])[0] is not None
    assert len(kept) == 1


def test_a_canary_that_was_kept_is_what_a_reopened_store_goes_by(embedder: Embedder, kept: list[Vectors]) -> None:
    again = QueryEmbedder(embedder, HASHED.embed([CANARY], "query")[0], kept.append)
    assert again.query("who moved") is not None
    embedder.change = other_model
    assert again.query("who moved") is None
    assert kept == []


def test_an_embedder_that_hangs_is_waited_for_once(
    embedder: Embedder, asked: QueryEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    held = threading.Event()

    def hang(vectors: Vectors) -> Vectors:
        held.wait()
        return vectors

    monkeypatch.setattr(parts, "PATIENCE", 0.02)
    embedder.change = hang
    assert asked.query("one") is None
    monkeypatch.setattr(parts, "PATIENCE", 600.0)
    assert asked.query("two") is None
    assert [texts[0] for _, texts in embedder.asked] == ["one"]
    embedder.change = lambda vectors: vectors
    held.set()
    late = asked._worker._late
    assert late is not None
    assert late.done.acquire(timeout=10)
    late.done.release()
    vector = asked.query("three")
    assert vector is not None
    assert np.array_equal(vector, HASHED.embed(["three"], "query")[0])


# --- reranking ---------------------------------------------------------------------------------


class Lengths:
    """The longest text first; `change` makes of the scores what it likes."""

    name = "lengths"

    def __init__(self, change: Callable[[list[float]], object] = lambda scores: scores) -> None:
        self.change = change

    def score(self, query: str, texts: Sequence[str]) -> Sequence[float]:
        changed: Sequence[float] = self.change([float(len(text)) for text in texts])  # type: ignore[assignment]
        return changed


def turned_by(many: int) -> Callable[[list[float]], object]:
    return lambda scores: scores[many:] + scores[:many]


TEXTS = ["bb", "a", "ffffff", "dddd", "ccc", "eeeee"]
TURNED: dict[str, Callable[[list[float]], object]] = {
    "reversed": lambda scores: scores[::-1],
    "best first": lambda scores: sorted(scores, reverse=True),
    "worst first": sorted,
    **{f"turned by {by}": turned_by(by) for by in range(1, 8)},
    "as they came": lambda scores: [1.0 / rank for rank in range(1, len(scores) + 1)],
    "counting up": lambda scores: list(range(len(scores))),
}
BAD: dict[str, Callable[[list[float]], object]] = {
    **TURNED,
    "all alike": lambda scores: [0.5] * len(scores),
    "fewer": lambda scores: scores[:-1],
    "none for some": lambda scores: [None, *scores[1:]],
    "nan for some": lambda scores: [*scores[:-1], float("nan")],
    "in pairs": lambda scores: [[score, score] for score in scores],
}


def test_each_text_has_its_score_in_the_order_of_texts() -> None:
    assert HitReranker(Lengths()).relevance("q", TEXTS) == [2.0, 1.0, 6.0, 4.0, 3.0, 5.0]
    for many in range(1, 6):
        assert HitReranker(Lengths()).relevance("q", TEXTS[:many]) == [float(len(text)) for text in TEXTS[:many]]


@pytest.mark.parametrize("bad", BAD)
def test_scores_that_are_not_those_of_the_texts_are_none(bad: str) -> None:
    assert HitReranker(Lengths(BAD[bad])).relevance("q", TEXTS) is None


@pytest.mark.parametrize("many", range(1, 60))
def test_the_first_and_the_last_text_stand_twice_and_no_other(many: int) -> None:
    order = _two_twice(many)
    assert set(order) == set(range(many))
    twice = {at for at in order if order.count(at) > 1}
    assert twice == ({0, many - 1} if many > 2 else {0} if many == 2 else set())


@pytest.mark.parametrize("many", range(3, 52))
def test_no_turn_of_distinct_scores_gives_both_of_a_text_the_same(many: int) -> None:
    """Whatever is reversed, sorted or turned is seen, wherever the best text stands."""
    in_order = ["x" * length for length in range(1, many + 1)]
    for texts in (in_order, in_order[::-1], in_order[1::2] + in_order[::2]):
        for turned in (*(TURNED[name] for name in ("reversed", "best first", "worst first")), turned_by(1)):
            assert HitReranker(Lengths(turned)).relevance("q", texts) is None


def test_scores_may_differ_by_what_a_batch_makes_of_them() -> None:
    def jitter(scores: list[float]) -> list[float]:
        return [score * (1 + 1e-5 * number) for number, score in enumerate(scores)]

    assert HitReranker(Lengths(jitter)).relevance("q", TEXTS) is not None
