"""The embedder over ONNX Runtime: pooling, prefixes and lengths worked out by hand; whatever is wrong is said."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tiny_onnx as tiny

from gate.errors import NotMeasured
from gate.models.onnx.embedder import OnnxEmbedder
from gate.models.onnx.encoder import BATCH, TOKENS_AT_ONCE, batches
from gate.models.onnx.session import OutOfMemory, Session
from gate.models.spec import MODEL, TOKENIZER


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    tiny.write_vectors(tmp_path)
    tiny.write_tokenizer(tmp_path)
    return tmp_path


def opened(folder: Path, **changes: Any) -> OnnxEmbedder:
    return OnnxEmbedder("tiny", tiny.spec(folder, **changes), tiny.files(folder), "cpu")


# [CLS] key door [SEP] is (1, 0), (3, 4), (4, 3), (0, 1); their sum is (8, 8).
@pytest.mark.parametrize(("pooling", "expected"), [("cls", (1, 0)), ("mean", (2, 2)), ("last", (0, 1))])
def test_pooling_is_that_of_the_tokens_and_never_of_the_padding(
    folder: Path, pooling: str, expected: tuple[float, float]
) -> None:
    found = opened(folder, pooling=pooling).embed(["key door", "key door blue lamp find note"], "document")
    assert found[0].tolist() == list(expected)


def test_normalised_vectors_have_length_one(folder: Path) -> None:
    found = opened(folder, pooling="mean", normalise=True).embed(["key door"], "document")
    np.testing.assert_allclose(found[0], [0.5**0.5, 0.5**0.5], rtol=1e-6)


def test_each_side_has_its_own_prefix(folder: Path) -> None:
    embedder = opened(folder, query_prefix="find ", document_prefix="note ")
    # (1,0) + the word + (4,3) + (0,1), over 4: find is (1,1), note is (2,2).
    assert embedder.embed(["door"], "query")[0].tolist() == [6 / 4, 5 / 4]
    assert embedder.embed(["door"], "document")[0].tolist() == [7 / 4, 6 / 4]


def test_texts_come_back_in_their_order_whatever_their_length(folder: Path) -> None:
    texts = ["key " * (1 + at % 7) for at in range(3 * BATCH)]
    found = opened(folder).embed(texts, "document")
    for text, row in zip(texts, found, strict=True):
        words = text.count("key")
        np.testing.assert_allclose(row, [(3 * words + 1) / (words + 2), (4 * words + 1) / (words + 2)], rtol=1e-6)


def test_what_is_cut_is_known(folder: Path) -> None:
    embedder = opened(folder, max_length=4)
    assert embedder.cuts(["key door", "key door blue"], "document") == [False, True]
    assert embedder.embed(["key door blue"], "document")[0].tolist() == [2, 2]


def test_a_prefix_counts_towards_the_length(folder: Path) -> None:
    assert opened(folder, max_length=4, document_prefix="note ").cuts(["key door"], "document") == [True]


def test_no_texts_give_no_rows(folder: Path) -> None:
    assert opened(folder).embed([], "document").shape == (0, 2)


@pytest.mark.parametrize("text", ["", "   ", "\ud800", "\x00", "大学"])
def test_texts_without_a_known_word_still_have_a_vector(folder: Path, text: str) -> None:
    assert np.isfinite(opened(folder).embed([text], "query")).all()


def test_another_dimension_than_expected_is_refused(folder: Path) -> None:
    with pytest.raises(NotMeasured, match="2 numbers, and 3 are expected"):
        opened(folder, dimension=3)


def test_a_model_cut_short_is_refused(folder: Path) -> None:
    model = folder / MODEL
    model.write_bytes(model.read_bytes()[:-40])
    with pytest.raises(NotMeasured, match="cannot be opened"):
        opened(folder)


def test_a_file_that_is_no_tokenizer_is_refused(folder: Path) -> None:
    (folder / TOKENIZER).write_text('{"version": "1.0"}', encoding="utf-8")
    with pytest.raises(NotMeasured, match="tokenizer cannot be opened"):
        opened(folder)


def test_a_tokenizer_of_another_model_is_refused_where_it_names_tokens_that_are_not_there(folder: Path) -> None:
    tiny.write_tokenizer(folder, (*tiny.WORDS, *(f"more{number}" for number in range(9))))
    with pytest.raises(NotMeasured, match="the model failed"):
        opened(folder).embed(["more8"], "document")


def test_an_output_that_does_not_exist_is_refused_with_those_that_do(folder: Path) -> None:
    with pytest.raises(NotMeasured, match="no output 'pooled', only last_hidden_state"):
        opened(folder, output="pooled")


def test_values_that_are_no_numbers_are_refused(tmp_path: Path) -> None:
    table = tiny.TABLE.copy()
    table[5] = np.nan
    tiny.write_vectors(tmp_path, table)
    tiny.write_tokenizer(tmp_path)
    embedder = opened(tmp_path)
    assert np.isfinite(embedder.embed(["key"], "query")).all()
    with pytest.raises(NotMeasured, match="no numbers"):
        embedder.embed(["door"], "query")


def test_a_batch_that_does_not_fit_is_halved_and_nothing_is_lost(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    embedder = opened(folder)
    texts = ["key " * (1 + at % 3) for at in range(20)]
    expected = embedder.embed(texts, "document")
    whole, sizes = Session.run, []

    def tight(session: Session, feeds: dict[str, np.ndarray], output: str) -> object:
        sizes.append(len(feeds["input_ids"]))
        if sizes[-1] > 3:
            raise OutOfMemory("failed to allocate memory")
        return whole(session, feeds, output)

    monkeypatch.setattr(Session, "run", tight)
    assert embedder.embed(texts, "document").tolist() == expected.tolist()
    assert max(sizes) > 3 >= min(sizes)


def test_one_text_that_does_not_fit_is_told_with_its_length(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    embedder = opened(folder)

    def full(*_: object) -> object:
        raise OutOfMemory("CUDA failure 2: out of memory")

    monkeypatch.setattr(Session, "run", full)
    with pytest.raises(NotMeasured, match="one text of 3 tokens does not fit into memory"):
        embedder.embed(["key", "door"], "document")


def test_running_out_of_memory_is_told_from_other_failures(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    session = Session(folder / MODEL, "cpu")

    class Broken:
        def __init__(self, says: str) -> None:
            self.says = says

        def run(self, *_: object) -> object:
            raise RuntimeError(self.says)

    for says, expected in (
        ("[E] BFCArena: Failed to allocate memory for requested buffer of size 9", OutOfMemory),
        ("CUDA failure 2: out of memory ; GPU=0", OutOfMemory),
        ("Non-zero status code while running Gather node", NotMeasured),
    ):
        monkeypatch.setattr(session, "_session", Broken(says))
        with pytest.raises(expected):
            session.run({}, "last_hidden_state")


def test_batches_hold_texts_of_like_length_and_no_more_than_fit() -> None:
    lengths = [3, 900, 4, 9000, 5, 900] + [7] * 80
    made = list(batches(lengths))
    assert sorted(at for batch in made for at in batch) == list(range(len(lengths)))
    for batch in made:
        own = [lengths[at] for at in batch]
        assert own == sorted(own)
        assert len(batch) == 1 or (len(batch) <= BATCH and len(batch) * max(own) <= TOKENS_AT_ONCE)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no forks on this system")
def test_a_session_still_works_in_a_forked_process(folder: Path) -> None:
    embedder = opened(folder)
    expected = embedder.embed(["key door"], "document").tolist()
    child = os.fork()
    if not child:
        os._exit(0 if embedder.embed(["key door"], "document").tolist() == expected else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
