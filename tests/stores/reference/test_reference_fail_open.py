"""A failing embedder or reranker: the store answers, says so, and is well again at the next good call."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gate.models.hashed import HashedEmbedder
from gate.records import Document, SearchResult
from gate.stores.reference import open_store
from gate.stores.reference.store import ReferenceStore

DOCUMENTS = [
    Document("a", "the invoice archive moved"),
    Document("b", "an invoice for the bicycle"),
    Document("c", "archived invoices of the year"),
    Document("d", "lentil soup"),
]
EMBEDDER, RERANKER, HEALTHY = frozenset({"embedder"}), frozenset({"reranker"}), frozenset[str]()


def raising(texts: Sequence[str]) -> Any:
    raise ConnectionError("refused")


BAD_VECTORS: dict[str, Callable[[Sequence[str]], Any]] = {
    "raises": raising,
    "zeros": lambda texts: np.zeros((len(texts), 384), dtype=np.float32),
    "nan": lambda texts: np.full((len(texts), 384), np.nan, dtype=np.float32),
    "infinite": lambda texts: np.full((len(texts), 384), np.inf, dtype=np.float32),
    "too large for float32": lambda texts: np.full((len(texts), 384), 1e300),
    "too short": lambda texts: np.ones((len(texts), 100), dtype=np.float32),
    "flat": lambda texts: np.ones(384, dtype=np.float32),
    "too many": lambda texts: np.ones((len(texts) + 1, 384), dtype=np.float32),
    "empty": lambda texts: [],
    "none": lambda texts: None,
    "text": lambda texts: [["x"] * 384 for _ in texts],
    "ragged": lambda texts: [[1.0] * (at + 3) for at in range(len(texts) + 1)],
}
BAD_SCORES: dict[str, Callable[[Sequence[str]], Any]] = {
    "raises": raising,
    "nan": lambda texts: [float("nan")] * len(texts),
    "one short": lambda texts: [float(at) for at in range(len(texts) - 1)],
    "empty": lambda texts: [],
    "none": lambda texts: None,
    "all alike": lambda texts: [0.5] * len(texts),
}


class SwitchedEmbedder(HashedEmbedder):
    """Answers with `bad` while that is set."""

    def __init__(self) -> None:
        self.bad: Callable[[Sequence[str]], Any] | None = None
        self.calls = 0

    def embed(self, texts: Sequence[str], kind: str) -> Any:
        self.calls += 1
        return super().embed(texts, kind) if self.bad is None else self.bad(texts)


class SwitchedReranker:
    name = "switched"

    def __init__(self) -> None:
        self.bad: Callable[[Sequence[str]], Any] | None = None

    def score(self, query: str, texts: Sequence[str]) -> Any:
        return [float(len(text)) for text in texts] if self.bad is None else self.bad(texts)


@pytest.fixture
def embedder() -> SwitchedEmbedder:
    return SwitchedEmbedder()


@pytest.fixture
def reranker() -> SwitchedReranker:
    return SwitchedReranker()


@pytest.fixture
def store(tmp_path: Path, embedder: SwitchedEmbedder, reranker: SwitchedReranker) -> Iterator[ReferenceStore]:
    opened = open_store(tmp_path, embedder, reranker)
    yield opened
    opened.close()


def order(answer: SearchResult) -> list[str]:
    return [hit.doc_id for hit in answer.hits]


@pytest.mark.parametrize("mode", ["vector", "hybrid"])
@pytest.mark.parametrize("bad", BAD_VECTORS)
def test_without_query_vectors_keyword_search_answers_and_says_so(
    store: ReferenceStore, embedder: SwitchedEmbedder, bad: str, mode: str
) -> None:
    store.add(DOCUMENTS)
    healthy = store.search("invoice archives", 4, mode)
    assert healthy.degraded == HEALTHY
    embedder.bad, before = BAD_VECTORS[bad], embedder.calls
    answer = store.search("invoice archives", 4, mode)
    assert embedder.calls == before + 1
    assert answer.degraded == EMBEDDER
    assert answer.hits == store.search("invoice archives", 4, "keyword").hits != ()
    assert store.search("invoice archives", 4, "keyword").degraded == HEALTHY
    embedder.bad = None
    assert store.search("invoice archives", 4, mode) == healthy


@pytest.mark.parametrize("bad", BAD_VECTORS)
def test_reranking_goes_on_without_the_embedder(store: ReferenceStore, embedder: SwitchedEmbedder, bad: str) -> None:
    store.add(DOCUMENTS)
    embedder.bad = BAD_VECTORS[bad]
    answer = store.search("invoice", 3, "rerank")
    assert answer.degraded == EMBEDDER
    assert order(answer) == ["c", "b", "a"]


@pytest.mark.parametrize("bad", BAD_SCORES)
def test_without_reranker_the_hybrid_order_answers_and_says_so(
    store: ReferenceStore, reranker: SwitchedReranker, bad: str
) -> None:
    store.add(DOCUMENTS)
    healthy = store.search("invoice archives", 4, "rerank")
    reranker.bad = BAD_SCORES[bad]
    answer = store.search("invoice archives", 4, "rerank")
    assert answer.degraded == RERANKER
    assert answer.hits == store.search("invoice archives", 4, "hybrid").hits
    assert store.search("invoice archives", 4, "hybrid").degraded == HEALTHY
    reranker.bad = None
    assert store.search("invoice archives", 4, "rerank") == healthy
    assert healthy.degraded == HEALTHY


def test_both_parts_can_fail_at_once(
    store: ReferenceStore, embedder: SwitchedEmbedder, reranker: SwitchedReranker
) -> None:
    store.add(DOCUMENTS)
    embedder.bad, reranker.bad = raising, raising
    answer = store.search("invoice", 4, "rerank")
    assert answer.degraded == EMBEDDER | RERANKER
    assert answer.hits == store.search("invoice", 4, "keyword").hits


@pytest.mark.parametrize("bad", BAD_VECTORS)
def test_documents_added_without_vectors_are_found_and_made_up_for(
    store: ReferenceStore, embedder: SwitchedEmbedder, tmp_path: Path, bad: str
) -> None:
    store.add(DOCUMENTS[:2])
    embedder.bad = BAD_VECTORS[bad]
    store.add(DOCUMENTS[2:])
    assert store.count() == 4
    assert order(store.search("lentils", 1, "keyword")) == ["d"]
    assert store.search("lentils", 1, "vector").degraded == EMBEDDER
    embedder.bad = None
    healed = store.search("lentil", 4, "vector")
    assert healed.degraded == HEALTHY
    (tmp_path / "well").mkdir()
    well = open_store(tmp_path / "well", HashedEmbedder())
    well.add(DOCUMENTS)
    assert healed.hits == well.search("lentil", 4, "vector").hits
    well.close()


def test_one_text_that_cannot_be_embedded_does_not_cost_the_others_their_vectors(
    store: ReferenceStore, embedder: SwitchedEmbedder
) -> None:
    def too_long(texts: Sequence[str]) -> Any:
        if any("soup" in text for text in texts):
            raise ValueError("too long")
        return HashedEmbedder().embed(texts, "document")

    embedder.bad = too_long
    store.add(DOCUMENTS)
    answer = store.search("invoice archives", 4, "vector")
    assert answer.degraded == EMBEDDER
    assert set(order(answer)) == {"a", "b", "c"}
    assert "d" in order(store.search("lentil", 4, "vector"))


def test_a_dead_embedder_is_called_once_a_batch_and_no_more(store: ReferenceStore, embedder: SwitchedEmbedder) -> None:
    embedder.bad = raising
    store.add([Document(f"d{number}", "invoice") for number in range(200)])
    assert embedder.calls == 1


def test_missing_vectors_are_made_up_for_when_reopened(tmp_path: Path) -> None:
    dead = SwitchedEmbedder()
    dead.bad = raising
    store = open_store(tmp_path, dead)
    store.add(DOCUMENTS)
    store.close()
    well = SwitchedEmbedder()
    store = open_store(tmp_path, well)
    assert well.calls == 2, "once to see that it works, once for all documents"
    answer = store.search("lentil", 1, "vector")
    assert (order(answer), answer.degraded) == (["d"], HEALTHY)
    store.close()
    store = open_store(tmp_path, dead)
    assert store._without_vector == set()
    store.close()


def test_missing_vectors_are_made_up_for_at_the_next_good_add(
    store: ReferenceStore, embedder: SwitchedEmbedder, tmp_path: Path
) -> None:
    embedder.bad = raising
    store.add(DOCUMENTS[:3])
    embedder.bad = None
    store.add(DOCUMENTS[3:])
    embedder.bad = raising
    store.close()
    calls = embedder.calls
    again = open_store(tmp_path, embedder)
    assert embedder.calls == calls, "nothing was missing any more"
    again.close()


def test_blank_documents_need_no_vector(store: ReferenceStore) -> None:
    store.add([*DOCUMENTS, Document("blank", "  ")])
    answer = store.search("lentil", 9, "vector")
    assert answer.degraded == HEALTHY
    assert "blank" not in order(answer)
    assert store.count() == 5
