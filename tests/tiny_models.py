"""Models whose numbers can be worked out by hand: a token a character, a row of a table a token."""

from __future__ import annotations

import string
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Regex, Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Split

from gate.models.spec import MODEL, TOKENIZER

CHARACTERS = "?" + string.ascii_lowercase + string.digits + " :"  # the first stands for all others
WIDTH = 4


def table(width: int = WIDTH, *, other: bool = False) -> NDArray[np.float32]:
    """Small whole numbers, no two rows alike: row `i` is the vector of `CHARACTERS[i]`."""
    at = np.arange(len(CHARACTERS), dtype=np.int64)[:, None]
    column = np.arange(1, width + 1, dtype=np.int64)[None, :]
    return ((at * at * (column + other) + at * column * column) % 13 - 5).astype(np.float32)


def ids(text: str) -> list[int]:
    """The tokens of a text, by hand."""
    return [max(0, CHARACTERS.find(character)) for character in text]


def write_tokenizer(path: Path, characters: str = CHARACTERS) -> None:
    tokenizer = Tokenizer(WordLevel({one: at for at, one in enumerate(characters)}, unk_token=characters[0]))
    tokenizer.pre_tokenizer = Split(Regex("."), "isolated")
    tokenizer.save(str(path))


def write_embedder(
    folder: Path, *, width: int = WIDTH, other: bool = False, external: str = "", kind: Any = np.float32
) -> Path:
    """A folder with an embedder that gives each token its row. With `external`, the table stands in that file."""
    nodes = [helper.make_node("Gather", ["table", "input_ids"], ["rows"])]
    if kind is not np.float32:
        nodes.append(helper.make_node("Cast", ["rows"], ["last_hidden_state"], to=TensorProto.FLOAT))
    else:
        nodes[0].output[0] = "last_hidden_state"
    _write(folder, nodes, {"table": table(width, other=other).astype(kind)}, "last_hidden_state", 3, external)
    return folder


def write_cross_encoder(folder: Path) -> Path:
    """A folder with a cross-encoder that adds up the second column of all rows, the query's included."""
    nodes = [
        helper.make_node("Gather", ["table", "input_ids"], ["rows"]),
        helper.make_node("Cast", ["attention_mask"], ["mask"], to=TensorProto.FLOAT),
        helper.make_node("Mul", ["rows", "mask"], ["own"]),
        helper.make_node("ReduceSum", ["own", "axis"], ["logits"], keepdims=1),
    ]
    _write(folder, nodes, {"table": table()[:, 1].copy(), "axis": np.array([1], dtype=np.int64)}, "logits", 2, "")
    return folder


def _write(
    folder: Path, nodes: list[Any], tables: dict[str, NDArray[Any]], output: str, rank: int, external: str
) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    inputs = [
        helper.make_tensor_value_info(name, TensorProto.INT64, ["texts", "tokens"])
        for name in ("input_ids", "attention_mask")
    ]
    shape = ["texts", "tokens", "width"][:rank]
    outputs = [helper.make_tensor_value_info(output, TensorProto.FLOAT, shape)]
    held = [numpy_helper.from_array(array, name) for name, array in tables.items()]
    graph = helper.make_graph(nodes, "tiny", inputs, outputs, held)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    onnx.save_model(
        model, str(folder / MODEL), save_as_external_data=bool(external), location=external or None, size_threshold=0
    )
    write_tokenizer(folder / TOKENIZER)
