"""Models of a few numbers, whose outputs can be worked out by hand, and the tokenizer that goes with them.

Each word of `WORDS` is one token, and its vector stands in `TABLE`. A text is read as
`[CLS] words [SEP]`, a pair as `[CLS] query [SEP] text [SEP]`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace
from tokenizers.processors import TemplateProcessing

from gate.models.spec import EMBEDDER, MODEL, TOKENIZER, ModelFile, ModelSpec, hash_of

SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]")
WORDS = ("key", "door", "blue", "lamp", "find", "note")
TABLE = np.array(
    [[9, 9], [0, 0], [1, 0], [0, 1], [3, 4], [4, 3], [0, 5], [5, 0], [1, 1], [2, 2]], dtype=np.float32
)  # [PAD] is far from all, so that one that is counted shows


def write_tokenizer(folder: Path, words: Sequence[str] = WORDS) -> Path:
    """`tokenizer.json` over those words."""
    known = {token: at for at, token in enumerate((*SPECIAL, *words))}
    tokenizer = Tokenizer(WordLevel(known, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = Whitespace()
    tokenizer.post_processor = TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", known["[CLS]"]), ("[SEP]", known["[SEP]"])],
    )
    path = folder / TOKENIZER
    tokenizer.save(str(path))
    return path


def write_vectors(folder: Path, table: np.ndarray = TABLE) -> Path:
    """A model that gives each token its row of a table: `last_hidden_state`, [texts, tokens, width]."""
    nodes = [helper.make_node("Gather", ["table", "input_ids"], ["last_hidden_state"], axis=0)]
    return _write(folder, nodes, {"table": table}, "last_hidden_state", ["texts", "tokens", table.shape[1]])


def write_scores(folder: Path, weights: Sequence[Sequence[float]]) -> Path:
    """A cross-encoder: `logits`, [pairs, classes], the sum of the weights of all tokens that are no padding."""
    nodes = [
        helper.make_node("Gather", ["weights", "input_ids"], ["each"], axis=0),
        helper.make_node("Cast", ["attention_mask"], ["mask"], to=TensorProto.FLOAT),
        helper.make_node("Unsqueeze", ["mask", "last"], ["wide"]),
        helper.make_node("Mul", ["each", "wide"], ["own"]),
        helper.make_node("ReduceSum", ["own", "middle"], ["logits"], keepdims=0),
    ]
    tables: dict[str, np.ndarray] = {
        "weights": np.array(weights, dtype=np.float32),
        "last": np.array([2], dtype=np.int64),
        "middle": np.array([1], dtype=np.int64),
    }
    return _write(folder, nodes, tables, "logits", ["texts", len(weights[0])])


def spec(folder: Path, kind: str = EMBEDDER, **changes: Any) -> ModelSpec:
    """A model in a folder, with its files and their hashes."""
    files = tuple(ModelFile(name, sha256=hash_of(folder / name)) for name in (MODEL, TOKENIZER))
    plain = ModelSpec(
        "tiny", kind, "onnx", "tiny", "here", "MIT", "en", "float32", dimension=2, normalise=False, files=files
    )
    return replace(plain, **changes)


def files(folder: Path) -> dict[str, Path]:
    """The two files, by name."""
    return {name: folder / name for name in (MODEL, TOKENIZER)}


def _write(
    folder: Path,
    nodes: Sequence[onnx.NodeProto],
    tables: dict[str, np.ndarray],
    output: str,
    shape: Sequence[str | int | None],
) -> Path:
    inputs = [
        helper.make_tensor_value_info(name, TensorProto.INT64, ["texts", "tokens"])
        for name in ("input_ids", "attention_mask")
    ]
    graph = helper.make_graph(
        list(nodes),
        "tiny",
        inputs,
        [helper.make_tensor_value_info(output, TensorProto.FLOAT, shape)],
        [numpy_helper.from_array(table, name) for name, table in tables.items()],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    path = folder / MODEL
    onnx.save(model, str(path))
    return path
