"""What is read from an ONNX file without ONNX Runtime, held against what the package onnx wrote."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper
from tiny_models import CHARACTERS, WIDTH, write_embedder

from gate.errors import UsageError
from gate.models.onnx.weights import weights_of
from gate.models.spec import MODEL


def test_types_and_numbers_of_weights_are_counted(tmp_path: Path) -> None:
    weights = weights_of(write_embedder(tmp_path, width=3) / MODEL)
    assert weights.numbers == {TensorProto.FLOAT: len(CHARACTERS) * 3}
    assert weights.files == ()


@pytest.mark.parametrize(
    ("kind", "precision"),
    [(np.float32, "float32"), (np.float16, "float16"), (np.int8, "int8"), (np.uint8, "int8"), (np.float64, "")],
)
def test_the_precision_is_that_of_most_weights(tmp_path: Path, kind: type, precision: str) -> None:
    assert weights_of(write_embedder(tmp_path, kind=kind) / MODEL).precision == precision


@pytest.mark.parametrize("file", ["weights.bin", "model.onnx_data"])
def test_files_beside_the_model_are_named_and_their_weights_counted(tmp_path: Path, file: str) -> None:
    weights = weights_of(write_embedder(tmp_path, external=file) / MODEL)
    assert weights.files == (file,)
    assert weights.numbers == {TensorProto.FLOAT: len(CHARACTERS) * WIDTH}


def test_weights_inside_of_constants_and_branches_are_found(tmp_path: Path) -> None:
    def branch(name: str, size: int) -> onnx.GraphProto:
        held = numpy_helper.from_array(np.zeros(size, dtype=np.int8), f"{name}-held")
        node = helper.make_node("Identity", [f"{name}-held"], [name])
        return helper.make_graph(
            [node], name, [], [helper.make_tensor_value_info(name, TensorProto.INT8, [size])], [held]
        )

    constant = numpy_helper.from_array(np.zeros((2, 5), dtype=np.float16), "constant")
    nodes = [
        helper.make_node("Constant", [], ["half"], value=constant),
        helper.make_node("If", ["which"], ["out"], then_branch=branch("then", 3), else_branch=branch("else", 4)),
    ]
    which = helper.make_tensor_value_info("which", TensorProto.BOOL, [])
    out = helper.make_tensor_value_info("out", TensorProto.INT8, None)
    onnx.save_model(helper.make_model(helper.make_graph(nodes, "both", [which], [out])), str(tmp_path / MODEL))
    assert weights_of(tmp_path / MODEL).numbers == {TensorProto.FLOAT16: 10, TensorProto.INT8: 7}


@pytest.mark.parametrize(
    "raw",
    [b"", b"version https://git-lfs.github.com/spec/v1\noid sha256:00\n", b"<!DOCTYPE html>", b"{}", b"\xff" * 40],
)
def test_what_is_no_model_is_a_plain_error(tmp_path: Path, raw: bytes) -> None:
    (tmp_path / MODEL).write_bytes(raw)
    with pytest.raises(UsageError, match="no ONNX model"):
        weights_of(tmp_path / MODEL)


def test_every_way_to_cut_a_model_off_is_an_error_or_a_shorter_list_and_never_a_traceback(tmp_path: Path) -> None:
    whole = (write_embedder(tmp_path / "whole", width=1) / MODEL).read_bytes()
    errors = 0
    for end in range(1, len(whole)):
        (tmp_path / MODEL).write_bytes(whole[:end])
        try:
            weights_of(tmp_path / MODEL)
        except UsageError:
            errors += 1
    assert errors > 0.9 * len(whole)
