"""Golden values: a model that is used otherwise than when it was pinned is caught, and one that is not passes."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tiny_models import CHARACTERS, write_cross_encoder, write_embedder, write_tokenizer

from gate.data import data_path
from gate.errors import NotMeasured
from gate.models import Choice
from gate.models.golden import EMBEDDED, LONG, check
from gate.models.named import models, pinned
from gate.models.opened import golden_values, open_bare, open_model, open_spec
from gate.models.pin import pin_folder
from gate.models.spec import MODEL, TOKENIZER, ModelFile, ModelSpec, hash_of
from gate.protocols import Truncates

PACKAGED = [name for name, spec in models().items() if all(file.package for file in spec.files)]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = write_embedder(tmp_path / "mine")
    pin_folder(folder, {"query_prefix": "query: ", "max_length": 128})
    return folder


def rehashed(spec: ModelSpec, folder: Path) -> ModelSpec:
    """The same model, believed to be whatever stands in the folder now."""
    return replace(spec, files=tuple(ModelFile(file.name, hash_of(folder / file.name)) for file in spec.files))


def opened(folder: Path, **changes: Any) -> str:
    """How far a model is from its pin when its settings are changed, as a fingerprint says it. Raises NotMeasured."""
    spec = rehashed(replace(pinned(folder), **changes), folder)
    return open_spec(spec, folder, "cpu", Choice(), golden_values(folder / "golden.json")).facts["golden"]


def test_the_same_model_is_no_distance_from_its_pin(folder: Path) -> None:
    assert float(opened(folder)) < 1e-9


@pytest.mark.parametrize(
    "changes",
    [
        {"pooling": "cls"},
        {"pooling": "last"},
        {"query_prefix": ""},
        {"query_prefix": "passage: "},
        {"document_prefix": "passage: "},
        {"normalise": False},
        {"max_length": 64},
        {"max_length": 512},
    ],
    ids=str,
)
def test_another_use_of_the_same_files_is_caught(folder: Path, changes: dict[str, Any]) -> None:
    with pytest.raises(NotMeasured, match="pinned"):
        opened(folder, **changes)


def test_another_model_of_the_same_shape_is_caught(folder: Path) -> None:
    write_embedder(folder, other=True)
    with pytest.raises(NotMeasured, match="pinned"):
        opened(folder)


def test_a_model_of_another_dimension_is_caught_with_and_without_golden_values(folder: Path) -> None:
    write_embedder(folder, width=7)
    with pytest.raises(NotMeasured, match="7 numbers, and 4 are expected"):
        opened(folder)
    with pytest.raises(NotMeasured, match="7 numbers; 4 were pinned"):
        opened(folder, dimension=7)


def test_another_tokenizer_is_caught(folder: Path) -> None:
    write_tokenizer(folder / TOKENIZER, CHARACTERS[0] + CHARACTERS[:0:-1])
    with pytest.raises(NotMeasured, match="pinned"):
        opened(folder)


def test_a_changed_file_is_caught_before_anything_is_opened(folder: Path) -> None:
    write_embedder(folder, other=True)
    with pytest.raises(NotMeasured) as raised:
        open_model(str(folder), "embedder", "cpu", Choice())
    assert MODEL in str(raised.value)
    assert "gate models pin" in raised.value.hint


def test_another_cross_encoder_is_caught(tmp_path: Path) -> None:
    folder = write_cross_encoder(tmp_path / "pairs")
    spec = pin_folder(folder, {"kind": "cross-encoder"}).spec
    model, _ = open_bare(spec, folder, "cpu", Choice())
    values = golden_values(folder / "golden.json")
    assert check(model, spec, values) == 0
    moved = [{**values[0], "values": [values[0]["values"][0] + 10.0]}, *values[1:]]
    with pytest.raises(NotMeasured, match="pinned"):
        check(model, spec, moved)


def test_a_late_interaction_of_another_dimension_is_caught(folder: Path) -> None:
    spec = replace(pinned(folder), kind="late-interaction", query_prefix="", dimension=5)
    with pytest.raises(NotMeasured, match="4 numbers, and 5 are expected"):
        open_bare(spec, folder, "cpu", Choice())


class Moved:
    """Vectors at a given cosine from (1, 0), of a given length."""

    def __init__(self, cosine: float, length: float = 1.0) -> None:
        self._row = np.array([[cosine, np.sqrt(1 - cosine**2)]]) * length

    def embed(self, texts: list[str], kind: str) -> np.ndarray:
        return self._row


@pytest.mark.parametrize(
    ("precision", "cosine", "length", "caught"),
    [
        ("float32", 0.9995, 1.0, False),
        ("float32", 0.998, 1.0, True),
        ("int8", 0.995, 1.0, False),
        ("int8", 0.98, 1.0, True),
        ("float32", 1.0, 1.02, False),
        ("float32", 1.0, 1.10, True),
    ],
)
def test_how_far_is_too_far(precision: str, cosine: float, length: float, caught: bool) -> None:
    spec = ModelSpec("moved", "embedder", "onnx", "", "", "", "", precision)
    values = [{"kind": "query", "text": "any", "values": [1.0, 0.0]}]
    if caught:
        with pytest.raises(NotMeasured):
            check(Moved(cosine, length), spec, values)
    else:
        # By hand: (1 + l^2 - 2 l c) / 2 l.
        by_hand = (1 + length**2 - 2 * length * cosine) / (2 * length)
        assert check(Moved(cosine, length), spec, values) == pytest.approx(by_hand)


def test_values_that_are_no_numbers_are_too_far() -> None:
    spec = ModelSpec("moved", "embedder", "onnx", "", "", "", "", "float32")
    with pytest.raises(NotMeasured):
        check(Moved(float("nan")), spec, [{"kind": "query", "text": "any", "values": [1.0, 0.0]}])


def test_golden_texts_have_a_query_chinese_an_identifier_and_one_too_long() -> None:
    assert {kind for kind, _ in EMBEDDED} == {"query", "document"}
    assert any("钥匙" in text for _, text in EMBEDDED)
    assert len(LONG.split()) == len(set(LONG.split())) == 700


@pytest.mark.parametrize("name", PACKAGED)
def test_every_packaged_model_ships_a_pin_of_its_own_files_and_settings(name: str) -> None:
    path = data_path("corpora", "models", f"{name}.golden.json")
    data, spec = json.loads(path.read_text(encoding="utf-8")), models()[name]
    assert data["files"] == {file.name: file.sha256 for file in spec.files}
    told = {**spec.told(), "precision": spec.precision, "dimension": spec.dimension}
    assert {key: data[key] for key in told if key in data} == {key: told[key] for key in told if key in data}
    assert golden_values(path)


@pytest.mark.parametrize("name", PACKAGED)
def test_every_packaged_model_gives_what_it_gave_when_it_was_pinned(name: str) -> None:
    spec = models()[name]
    found = open_model(name, "embedder" if spec.kind == "embedder" else "reranker", "cpu", Choice())
    assert float(found.facts["golden"]) < 1e-2


def test_golden_values_are_checked_on_what_the_model_makes_and_not_on_what_was_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GATE_VECTORS", str(tmp_path / "vectors.sqlite"))
    folder = write_embedder(tmp_path / "mine")
    pin_folder(folder, {"kind": "late-interaction"})
    found = open_model(str(folder), "reranker", "cpu", Choice())
    assert not (tmp_path / "vectors.sqlite").exists()
    found.model.score("key", ["the key"])
    assert (tmp_path / "vectors.sqlite").exists()


def texts_run(folder: Path, monkeypatch: pytest.MonkeyPatch, *queries: str) -> list[str]:
    """The queries that a late-interaction model opened anew runs, of those that it is asked with one text."""
    model = open_model(str(folder), "reranker", "cpu", Choice()).model
    ran: list[str] = []
    vectors = model._vectors

    def noted(texts: list[str]) -> Any:
        ran.extend(texts)
        return vectors(texts)

    monkeypatch.setattr(model, "_vectors", noted)
    for query in queries:
        model.score(query, ["the key"])
    return [text for text in ran if text != "the key"]


def test_with_nothing_kept_no_query_is_remembered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = write_embedder(tmp_path / "mine")
    pin_folder(folder, {"kind": "late-interaction"})
    monkeypatch.setenv("GATE_VECTORS", "off")
    assert not open_model(str(folder), "reranker", "cpu", Choice()).looked_up
    assert texts_run(folder, monkeypatch, "key", "key") == ["key", "key"]


@pytest.mark.parametrize(
    ("moved", "to"),
    [("gate.models.opened.facts_of", lambda _: {"device": "another"}), ("onnxruntime.__version__", "0")],
)
def test_another_device_or_runtime_makes_vectors_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, moved: str, to: Any
) -> None:
    folder = write_embedder(tmp_path / "mine")
    pin_folder(folder, {"kind": "late-interaction"})
    monkeypatch.setenv("GATE_VECTORS", str(tmp_path / "vectors.sqlite"))
    assert texts_run(folder, monkeypatch, "key", "key") == ["key"]
    assert texts_run(folder, monkeypatch, "key") == []
    monkeypatch.setattr(moved, to)
    assert texts_run(folder, monkeypatch, "key") == ["key"]


def test_with_nothing_kept_it_still_tells_what_was_cut(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = write_embedder(tmp_path / "mine")
    pin_folder(folder, {"max_length": 8})
    monkeypatch.setenv("GATE_VECTORS", "off")
    model = open_model(str(folder), "embedder", "cpu", Choice()).model
    model.embed(["a text of more than eight letters", "short"], "document")
    assert isinstance(model, Truncates)
    assert model.truncated == 1
