"""Models and pins that nobody could use: refused before anything is written, or with the line that is wrong."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tiny_models import write_cross_encoder, write_embedder
from tiny_onnx import write_vectors

from gate.errors import NotMeasured, UsageError
from gate.models import Choice
from gate.models.named import PIN, pinned
from gate.models.onnx.weights import weights_of
from gate.models.opened import open_model
from gate.models.pin import pin_folder
from gate.models.spec import MODEL


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_embedder(tmp_path / "mine")


def changed(folder: Path, change: Any) -> Path:
    """The folder, its pin changed."""
    data = json.loads((folder / PIN).read_text(encoding="utf-8"))
    change(data)
    (folder / PIN).write_text(json.dumps(data), encoding="utf-8")
    return folder


@pytest.mark.parametrize("prefix", ["\x1b[31m", "half of a pair: \ud800"])
def test_a_pin_that_nobody_could_read_is_not_written(folder: Path, prefix: str) -> None:
    with pytest.raises(UsageError, match="U\\+"):
        pin_folder(folder, {"query_prefix": prefix})
    assert not (folder / PIN).exists()


def test_weights_are_never_written_over_by_a_pin(tmp_path: Path) -> None:
    folder = write_embedder(tmp_path / "mine", external=PIN)
    before = (folder / PIN).read_bytes()
    with pytest.raises(UsageError, match=PIN):
        pin_folder(folder, {}, replace_it=True)
    assert (folder / PIN).read_bytes() == before


def test_a_score_without_its_query_is_an_error_of_the_pin(tmp_path: Path) -> None:
    folder = write_cross_encoder(tmp_path / "pairs")
    pin_folder(folder, {"kind": "cross-encoder"})
    changed(folder, lambda data: data["golden"][1].pop("query"))
    with pytest.raises(UsageError, match="query"):
        pinned(folder)


def test_a_golden_vector_too_large_to_be_compared_is_no_match_wherever_it_stands(folder: Path) -> None:
    pin_folder(folder, {})
    changed(folder, lambda data: data["golden"][-1].update(values=[1e200] * 4))
    with np.errstate(all="ignore"), pytest.raises(NotMeasured, match="pinned"):
        open_model(str(folder), "embedder", "cpu", Choice())


@pytest.mark.parametrize("values", [np.full((50, 4), 3e38), np.zeros((50, 0))])
def test_vectors_that_cannot_be_compared_are_refused(folder: Path, values: Any) -> None:
    write_vectors(folder, values.astype(np.float32))
    with np.errstate(all="ignore"), pytest.raises(NotMeasured, match="numbers"):
        pin_folder(folder, {})


@pytest.mark.parametrize("length", [10**30, 2**63])
def test_a_length_beyond_all_models_beside_a_model_is_not_taken(folder: Path, length: int) -> None:
    (folder / "sentence_bert_config.json").write_text(json.dumps({"max_seq_length": length}), encoding="utf-8")
    assert pin_folder(folder, {}).spec.max_length == 512


def test_zeros_are_no_model(folder: Path) -> None:
    (folder / MODEL).write_bytes(bytes(4096))
    with pytest.raises(UsageError, match="no ONNX model"):
        weights_of(folder / MODEL)


def with_tokenizer(folder: Path, **changes: Any) -> Path:
    path = folder / "tokenizer.json"
    data = json.loads(path.read_text(encoding="utf-8"))
    for key, value in changes.items():
        data[key] = {**data[key], **value}
    path.write_text(json.dumps(data), encoding="utf-8")
    return folder


@pytest.mark.parametrize(
    "changes",
    [
        {"model": {"unk_token": "[not there]"}},
        # Too many ways to match: the library gives up with a panic, which is no Exception.
        {"pre_tokenizer": {"pattern": {"Regex": "(a|a|\\\\d|\\\\s)*$|(.*)*x"}}},
    ],
)
def test_a_tokenizer_that_fails_on_a_text_is_said(folder: Path, changes: dict[str, Any]) -> None:
    with pytest.raises(NotMeasured, match="the tokenizer failed on a text"):
        pin_folder(with_tokenizer(folder, **changes), {})


@pytest.mark.parametrize("package", ["onnxruntime", "tokenizers"])
@pytest.mark.parametrize("code", ["", "1 / 0"])
def test_a_package_half_gone_is_missing(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, package: str, code: str
) -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == package]:
        monkeypatch.delitem(sys.modules, name)
    (tmp_path / "first" / package).mkdir(parents=True)
    (tmp_path / "first" / package / "__init__.py").write_text(code, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path / "first")
    try:
        with pytest.raises(NotMeasured, match="cannot be imported"):
            pin_folder(folder, {})
    finally:
        sys.modules.pop(package, None)
