from collections.abc import Sequence

import numpy as np
import pytest
from fakes import LetterEmbedder
from shelf import Shelf, found, planted, stored

from gate.defects import DEFECTS
from gate.defects.vectors import PREFIX
from gate.protocols import Embedder, Vectors
from gate.records import Document


def altered(name: str, dose: float = 1.0, inner: Embedder | None = None) -> Embedder:
    return DEFECTS[name].plant_embedder(LetterEmbedder() if inner is None else inner, dose)


class Listening:
    """Writes down what it is asked to embed."""

    name = "listening"
    dimension = 1

    def __init__(self) -> None:
        self.asked: list[tuple[str, list[str]]] = []

    def embed(self, texts: Sequence[str], kind: str) -> Vectors:
        self.asked.append((kind, list(texts)))
        return np.ones((len(texts), 1), dtype=np.float32)


def test_saturated_leaves_no_difference_between_little_and_much() -> None:
    few, many = altered("saturated").embed(["abc", "aaaabbbc"], "document")
    assert few.tolist() == many.tolist() == [1.0] * 26


def test_saturated_leaves_the_sign() -> None:
    class Signed(Listening):
        dimension = 3

        def embed(self, texts: Sequence[str], kind: str) -> Vectors:
            return np.array([[-3.0, 0.0, 0.5]] * len(texts), dtype=np.float32)

    assert altered("saturated", inner=Signed()).embed(["a"], "query").tolist() == [[0.0, 1.0, 1.0]]


def test_dimensions_cut_leaves_the_first_eighth() -> None:
    # Of 26 letters the first three.
    row = altered("dimensions-cut").embed(["abcd zz"], "query")[0]
    assert row.tolist() == [1.0] * 3 + [0.0] * 23


def test_dimensions_cut_leaves_no_text_without_a_vector() -> None:
    row = altered("dimensions-cut").embed(["xzz"], "query")[0]
    assert row.tolist() == [0.0] * 25 + [2.0]
    assert not altered("dimensions-cut").embed([""], "query").any()


def test_mixed_models_puts_half_of_the_documents_into_another_space() -> None:
    texts = [f"a{number}" for number in range(400)]
    rows = altered("mixed-models").embed(texts, "document")
    other = sum(row[13] == -1.0 and row[0] == 0.0 for row in rows)
    assert 140 < other < 260
    assert other + sum(row[0] == 1.0 for row in rows) == 400


def test_mixed_models_leaves_queries_in_one_space() -> None:
    texts = [f"a{number}" for number in range(400)]
    assert (altered("mixed-models").embed(texts, "query") == LetterEmbedder().embed(texts, "query")).all()


def test_prefix_one_side_is_put_before_queries_alone() -> None:
    inner = Listening()
    embedder = altered("prefix-one-side", inner=inner)
    embedder.embed(["who?"], "query")
    embedder.embed(["Ravi"], "document")
    assert inner.asked == [("query", [f"{PREFIX}who?"]), ("document", ["Ravi"])]


@pytest.mark.parametrize("name", ["saturated", "dimensions-cut", "mixed-models", "prefix-one-side"])
def test_an_embedder_stays_what_it_was_to_the_store(name: str) -> None:
    embedder = altered(name)
    assert (embedder.name, embedder.dimension) == (LetterEmbedder.name, LetterEmbedder.dimension)
    for kind in ("query", "document"):
        rows = embedder.embed(["one", "two", ""], kind)
        assert rows.shape == (3, 26)
        assert rows.dtype == np.float32
        assert embedder.embed([], kind).shape[0] == 0


@pytest.mark.parametrize(("name", "kind"), [("saturated", "query"), ("dimensions-cut", "document")])
def test_a_dose_alters_a_share_of_the_texts_the_same_ones_whatever_the_batch(name: str, kind: str) -> None:
    texts = [f"zz aa {number}" for number in range(400)]
    together = altered(name, 0.5).embed(texts, kind)
    alone = np.concatenate([altered(name, 0.5).embed([text], kind) for text in texts])
    assert (together == alone).all()
    healthy = LetterEmbedder().embed(texts, kind)
    assert 140 < int((together != healthy).any(axis=1).sum()) < 260


def test_a_healthy_vector_is_not_written_over() -> None:
    class Keeping(LetterEmbedder):
        kept = np.full((1, 26), 5.0, dtype=np.float32)

        def embed(self, texts: Sequence[str], kind: str) -> Vectors:
            return self.kept

    altered("saturated", inner=Keeping()).embed(["a"], "query")
    assert (Keeping.kept == 5.0).all()


def test_not_normalised_prefers_long_documents() -> None:
    texts = ["blue vase", f"blue chair {'and so on ' * 50}", "nothing of it: vase"]
    store, inner = stored(planted("not-normalised"), *texts), stored(Shelf(), *texts)
    for mode in ("vector", "hybrid", "rerank"):
        assert found(inner, "blue vase", mode=mode)[0] == "d0"
    texts = ["blue vase", f"blue vase and {'so on ' * 50}", "a vase", "blue"]
    store, inner = stored(planted("not-normalised"), *texts), stored(Shelf(), *texts)
    assert found(inner, "blue vase", mode="vector")[:2] == ["d0", "d1"]
    assert found(store, "blue vase", mode="vector")[:2] == ["d1", "d0"]
    assert found(store, "blue vase", mode="keyword") == found(inner, "blue vase", mode="keyword")


def test_not_normalised_looks_deeper_than_k() -> None:
    texts = [*["blue vase"] * 20, f"blue vase {'so ' * 200}", "vase"]
    assert found(stored(planted("not-normalised"), *texts), "blue vase", 1, "vector") == ["d20"]


def test_not_normalised_touches_a_share_of_the_documents() -> None:
    store = planted("not-normalised", 0.5)
    store.add([Document(f"d{at:03}", f"blue vase {'so ' * 99}") for at in range(200)])
    store.add([Document("weak", "vase")])
    scores = [hit.score for hit in store.search("blue vase", 201, "vector").hits]
    longer = sum(score > 1 for score in scores)
    assert 70 < longer < 130
