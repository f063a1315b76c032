"""Pins: what stands in `golden.json`, where its settings are from, and when it is not written over."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tiny_models import WIDTH, ids, table, write_cross_encoder, write_embedder

from gate.errors import NotMeasured, UsageError
from gate.files import read_yaml
from gate.models.named import PIN, pinned
from gate.models.pin import pin_folder
from gate.models.spec import MODEL, TOKENIZER, hash_of


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_embedder(tmp_path / "mine")


def pin_in(folder: Path) -> dict[str, Any]:
    data: dict[str, Any] = json.loads((folder / PIN).read_text(encoding="utf-8"))
    return data


def test_a_pin_holds_hashes_settings_and_vectors_worked_out_by_hand(folder: Path) -> None:
    made = pin_folder(folder, {"query_prefix": "ask: ", "normalise": False})
    data = pin_in(folder)
    assert data["files"] == {name: hash_of(folder / name) for name in (MODEL, TOKENIZER)}
    assert (data["kind"], data["pooling"], data["dimension"], data["max_length"]) == ("embedder", "mean", WIDTH, 512)
    assert (data["precision"], data["normalise"], data["query_prefix"]) == ("float32", False, "ask: ")
    query = next(one for one in data["golden"] if one["kind"] == "query")
    assert query["values"] == pytest.approx(table()[ids("ask: " + query["text"])].mean(axis=0).tolist(), rel=1e-5)
    assert made.path == folder / PIN
    assert read_yaml(made.path, "pin", "model-pin").data == data


def test_vectors_are_normalised_unless_somebody_says_otherwise(folder: Path) -> None:
    pin_folder(folder, {})
    for one in pin_in(folder)["golden"]:
        assert np.linalg.norm(one["values"]) == pytest.approx(1.0, abs=1e-5)


def test_a_pinned_folder_reads_back_as_the_model_that_was_pinned(folder: Path) -> None:
    made = pin_folder(folder, {"pooling": "last", "max_length": 64})
    assert pinned(folder).told() == made.spec.told()
    assert pinned(folder).files == made.spec.files


def test_the_scores_of_a_cross_encoder_are_pinned(tmp_path: Path) -> None:
    folder = write_cross_encoder(tmp_path / "pairs")
    pin_folder(folder, {"kind": "cross-encoder"})
    data = pin_in(folder)
    assert "dimension" not in data
    assert "pooling" not in data
    for one in data["golden"]:
        assert one["values"] == [float(table()[ids(one["query"] + one["text"]), 1].sum())]


def test_a_late_interaction_pin_has_the_dimension_that_the_model_gives(folder: Path) -> None:
    assert pin_folder(folder, {"kind": "late-interaction"}).spec.dimension == WIDTH
    assert [one["kind"] for one in pin_in(folder)["golden"]] == ["pair"] * 3


def test_the_precision_is_read_from_the_weights_unless_it_is_told(tmp_path: Path) -> None:
    half = write_embedder(tmp_path / "half", kind=np.float16)
    assert pin_folder(half, {}).spec.precision == "float16"
    assert pin_folder(half, {"precision": "float32"}, replace_it=True).spec.precision == "float32"


def test_files_of_weights_beside_the_model_are_pinned_too(tmp_path: Path) -> None:
    folder = write_embedder(tmp_path / "large", external="weights.bin")
    pin_folder(folder, {})
    assert pin_in(folder)["files"]["weights.bin"] == hash_of(folder / "weights.bin")


def test_a_missing_file_of_weights_is_named(tmp_path: Path) -> None:
    folder = write_embedder(tmp_path / "large", external="weights.bin")
    (folder / "weights.bin").unlink()
    with pytest.raises(UsageError, match=r'no "weights\.bin"'):
        pin_folder(folder, {})
    assert not (folder / PIN).exists()


@pytest.mark.parametrize("file", [MODEL, TOKENIZER])
def test_a_folder_that_is_no_model_is_told_what_it_lacks(folder: Path, file: str) -> None:
    (folder / file).unlink()
    with pytest.raises(UsageError, match=file):
        pin_folder(folder, {})


def test_no_folder_is_a_plain_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no such folder"):
        pin_folder(tmp_path / "nowhere", {})


def test_a_model_cut_off_is_a_plain_error_and_leaves_no_pin(folder: Path) -> None:
    whole = (folder / MODEL).read_bytes()
    (folder / MODEL).write_bytes(whole[: len(whole) // 2])
    with pytest.raises(UsageError, match="not the whole"):
        pin_folder(folder, {})
    assert not (folder / PIN).exists()


def test_an_output_that_does_not_exist_names_those_that_do(folder: Path) -> None:
    with pytest.raises(NotMeasured, match="last_hidden_state"):
        pin_folder(folder, {"output": "pooled"})
    assert not (folder / PIN).exists()


def test_a_setting_that_the_kind_does_not_have_is_refused(folder: Path) -> None:
    with pytest.raises(UsageError, match="has no pooling"):
        pin_folder(folder, {"kind": "late-interaction", "pooling": "cls"})


def test_pinning_again_changes_nothing(folder: Path) -> None:
    pin_folder(folder, {})
    before = (folder / PIN).stat().st_mtime_ns, (folder / PIN).read_bytes()
    assert pin_folder(folder, {}).unchanged
    assert ((folder / PIN).stat().st_mtime_ns, (folder / PIN).read_bytes()) == before


def test_the_same_model_gives_the_same_bytes(folder: Path) -> None:
    first = pin_folder(folder, {}).path.read_bytes()
    assert pin_folder(folder, {}, replace_it=True).path.read_bytes() == first


def test_a_pin_that_says_otherwise_stays_unless_it_is_to_be_replaced(folder: Path) -> None:
    pin_folder(folder, {"pooling": "mean"})
    before = (folder / PIN).read_bytes()
    with pytest.raises(UsageError) as raised:
        pin_folder(folder, {"pooling": "cls"})
    assert any("pooling" in problem.what for problem in raised.value.problems)
    assert (folder / PIN).read_bytes() == before
    assert pin_folder(folder, {"pooling": "cls"}, replace_it=True).spec.pooling == "cls"
    assert pin_in(folder)["pooling"] == "cls"


def test_a_changed_file_is_another_pin(folder: Path) -> None:
    pin_folder(folder, {})
    write_embedder(folder, other=True)
    with pytest.raises(UsageError) as raised:
        pin_folder(folder, {})
    assert any(MODEL in problem.what for problem in raised.value.problems)


def test_a_pin_that_cannot_be_read_is_not_written_over(folder: Path) -> None:
    (folder / PIN).write_text("by hand\n", encoding="utf-8")
    with pytest.raises(UsageError, match="says otherwise"):
        pin_folder(folder, {})
    assert (folder / PIN).read_text(encoding="utf-8") == "by hand\n"


def test_a_pin_of_a_file_outside_of_the_folder_is_refused(folder: Path) -> None:
    pin_folder(folder, {})
    data = pin_in(folder)
    for name in ("../outside", "/outside", "a/../../outside", "a\\outside"):
        changed = {**data, "files": {**data["files"], name: "0" * 64}}
        (folder / PIN).write_text(json.dumps(changed), encoding="utf-8")
        with pytest.raises(UsageError) as raised:
            pinned(folder)
        assert raised.value.problems
    (folder / PIN).write_text(
        json.dumps({**data, "files": {**data["files"], "onnx/model..data": "0" * 64}}), encoding="utf-8"
    )
    assert pinned(folder)
