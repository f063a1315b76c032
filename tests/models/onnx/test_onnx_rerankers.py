"""Rerankers over ONNX Runtime: scores worked out by hand, one a text, in the order of the texts."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tiny_onnx as tiny

from gate.errors import NotMeasured
from gate.models.onnx.cross_encoder import CrossEncoder
from gate.models.onnx.embedder import OnnxEmbedder
from gate.models.onnx.late_interaction import WIDEST, LateInteraction, Matrix, maxsim
from gate.models.spec import CROSS_ENCODER, LATE_INTERACTION

# [PAD] [UNK] [CLS] [SEP] key door blue lamp find note
WEIGHTS = [[100.0], [0.0], [0.5], [0.25], [1.0], [2.0], [-3.0], [4.0], [0.0], [8.0]]


def cross_encoder(folder: Path, weights: list[list[float]], **changes: Any) -> CrossEncoder:
    tiny.write_scores(folder, weights)
    tiny.write_tokenizer(folder)
    spec = tiny.spec(folder, CROSS_ENCODER, **changes)
    return CrossEncoder("tiny", spec, tiny.files(folder), "cpu")


def test_a_pair_is_scored_together(tmp_path: Path) -> None:
    found = cross_encoder(tmp_path, WEIGHTS).score("key", ["door", "blue lamp note", ""])
    # [CLS] key [SEP] ... [SEP] weighs 0.5 + 1 + 0.25 + 0.25; then 2, then -3 + 4 + 8, then nothing.
    assert found == [4.0, 11.0, 2.0]


def test_scores_stand_in_the_order_of_texts_of_any_number_and_length(tmp_path: Path) -> None:
    texts = ["door " * (at % 5) for at in range(75)]
    found = cross_encoder(tmp_path, WEIGHTS).score("key", texts)
    assert found == [2.0 + 2.0 * (at % 5) for at in range(75)]


def test_of_two_classes_the_second_is_relevance(tmp_path: Path) -> None:
    weights = [[0.0, 0.0] for _ in WEIGHTS]
    weights[5], weights[7] = [1.0, 4.0], [3.0, 1.0]
    assert cross_encoder(tmp_path, weights).score("key", ["door", "lamp"]) == [3.0, -2.0]


def test_more_classes_than_two_are_no_relevance(tmp_path: Path) -> None:
    with pytest.raises(NotMeasured, match="3 numbers a pair"):
        cross_encoder(tmp_path, [[0.0] * 3 for _ in WEIGHTS]).score("key", ["door"])


def test_a_pair_that_is_too_long_is_cut_and_still_scored(tmp_path: Path) -> None:
    found = cross_encoder(tmp_path, WEIGHTS, max_length=6).score("key", ["door " * 50])
    # Room for [CLS] key [SEP] door door [SEP].
    assert found == [6.0]


def test_nothing_to_score_gives_nothing(tmp_path: Path) -> None:
    assert cross_encoder(tmp_path, WEIGHTS).score("key", []) == []


def test_maxsim_is_the_mean_of_the_best_products() -> None:
    one = np.array([[WIDEST, 0], [0, WIDEST]], dtype=np.int8)
    text = np.array([[0, WIDEST], [0, 64]], dtype=np.int8)
    other = np.array([[WIDEST, 0], [0, WIDEST], [64, 64]], dtype=np.int8)
    # The first token of the query finds 0 and the second 1; in the other text both find 1.
    assert maxsim(one, [text, other]) == [0.5, 1.0]


def test_maxsim_does_not_depend_on_what_else_is_scored() -> None:
    drawn = np.random.default_rng(7)
    query = drawn.integers(-WIDEST, WIDEST, (9, 384)).astype(np.int8)
    texts = [drawn.integers(-WIDEST, WIDEST, (length, 384)).astype(np.int8) for length in (3, 40, 1, 200)]
    together = maxsim(query, texts)
    assert together == [maxsim(query, [text])[0] for text in texts]
    exact = [(query.astype(np.int64) @ text.astype(np.int64).T).max(axis=1).mean() / WIDEST**2 for text in texts]
    np.testing.assert_allclose(together, exact, rtol=1e-12)


def test_maxsim_of_a_text_without_tokens_is_an_error() -> None:
    with pytest.raises(ValueError, match="without tokens"):
        maxsim(np.ones((1, 2), dtype=np.int8), [np.ones((0, 2), dtype=np.int8)])


class Kept:
    """Token vectors in a dict, and what was asked for."""

    def __init__(self) -> None:
        self.known: dict[str, Matrix] = {}

    def get(self, texts: Sequence[str]) -> dict[str, Matrix]:
        return {text: self.known[text] for text in texts if text in self.known}

    def put(self, made: dict[str, Matrix]) -> None:
        self.known.update(made)


def late_interaction(folder: Path, kept: Kept | None = None, *, live: bool = False) -> LateInteraction:
    tiny.write_vectors(folder)
    tiny.write_tokenizer(folder)
    return LateInteraction("tiny", tiny.spec(folder, LATE_INTERACTION), tiny.files(folder), "cpu", kept=kept, live=live)


def test_token_vectors_are_compared_by_their_direction(tmp_path: Path) -> None:
    found = late_interaction(tmp_path).score("lamp", ["lamp", "blue"])
    # [CLS] (1,0), lamp (1,0), [SEP] (0,1) as directions. 'lamp' holds all three; 'blue' is (0,1) beside the marks.
    assert found == [1.0, 1.0]
    found = late_interaction(tmp_path).score("key", ["key", "lamp"])
    # key is (0.6, 0.8): itself in the first; in the second the better of [CLS] and [SEP], which is 0.8.
    key = [round(0.6 * WIDEST), round(0.8 * WIDEST)]
    itself, other = (key[0] ** 2 + key[1] ** 2) / WIDEST**2, key[1] / WIDEST
    np.testing.assert_allclose(found, [(2 + itself) / 3, (2 + other) / 3], rtol=1e-12)


def test_token_vectors_are_made_once(tmp_path: Path) -> None:
    kept = Kept()
    reranker = late_interaction(tmp_path, kept)
    first = reranker.score("key", ["key door", "blue", "key door"])
    assert set(kept.known) == {"key", "key door", "blue"}
    kept.known["blue"] = np.zeros((2, 2), dtype=np.int8)
    again = reranker.score("key", ["blue", "key door"])
    assert again == [0.0, first[0]]


def test_documents_that_were_embedded_are_not_run_again(tmp_path: Path) -> None:
    kept = Kept()
    reranker = late_interaction(tmp_path, kept)
    embedder = OnnxEmbedder("tiny", tiny.spec(tmp_path), tiny.files(tmp_path), "cpu")
    embedder.also = reranker.index
    embedder.embed(["key door", "blue"], "document")
    embedder.embed(["lamp"], "query")
    assert set(kept.known) == {"key door", "blue"}
    by_itself = late_interaction(tmp_path, Kept())
    by_itself.score("key", ["key door", "blue"])
    shared = reranker.score("key", ["key door", "blue"])
    assert shared == by_itself.score("key", ["key door", "blue"])


def test_a_live_query_is_never_looked_up(tmp_path: Path) -> None:
    kept = Kept()
    reranker = late_interaction(tmp_path, kept, live=True)
    reranker.score("key", ["door"])
    assert set(kept.known) == {"door"}
