"""Paths that lead nowhere, never end or cannot be: an error in words, and never a wait or a bug."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from tiny_models import write_embedder

from gate.errors import GateError, NotMeasured, UsageError
from gate.models import cache, place
from gate.models.cache import cache_file
from gate.models.download import check_url
from gate.models.fetch import fetch
from gate.models.listing import look_at
from gate.models.named import PIN, pinned
from gate.models.opened import find
from gate.models.pin import pin_folder
from gate.models.place import fetched_folder
from gate.models.spec import MODEL, TOKENIZER
from gate.settings import read_settings

NOBODY, LONG, HEX = "~nobody-of-that-name/mine", "a" * 300, "0" * 64


class Quiet:
    def begin(self, name: str, size: int | None) -> None: ...

    def more(self, size: int) -> None: ...

    def wait(self, what: str) -> None: ...


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = write_embedder(tmp_path / "mine")
    pin_folder(folder, {})
    return folder


def with_file(folder: Path, name: str) -> Path:
    """The folder, its pin with one more file."""
    text = (folder / PIN).read_text(encoding="utf-8").replace('"files": {', f'"files": {{"{name}": "{HEX}",')
    (folder / PIN).write_text(text, encoding="utf-8")
    return folder


@pytest.mark.parametrize("name", [NOBODY, f"./{LONG}"])
def test_a_model_at_a_path_that_cannot_be_is_an_error_with_the_path(name: str) -> None:
    for looks in (find, look_at_it, lambda name: pin_folder(Path(name), {})):
        with pytest.raises(UsageError) as caught:
            looks(name)
        assert name.removeprefix("./") in str(caught.value)


def look_at_it(name: str) -> object:
    return look_at(name, verify=True)


def test_settings_name_no_home_that_nobody_has(tmp_path: Path) -> None:
    path = tmp_path / "gate.yml"
    path.write_text(f"models: {{cpu-onnx: {{embedder: {NOBODY}}}}}\n", encoding="utf-8")
    with pytest.raises(UsageError, match="nobody"):
        read_settings(path)


@pytest.mark.parametrize(("variable", "asked"), [(place.FOLDER, fetched_folder), (cache.FILE, cache_file)])
def test_a_variable_that_names_no_home_is_named(monkeypatch: pytest.MonkeyPatch, variable: str, asked: object) -> None:
    assert callable(asked)
    monkeypatch.setenv(variable, NOBODY)
    with pytest.raises(UsageError, match=variable):
        asked()


@pytest.mark.parametrize("source", [NOBODY, f"/{LONG}", "http://[::1", "http://127.0.0.1:99999", "https://"])
def test_nothing_is_fetched_from_what_cannot_be(source: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(place.FOLDER, str(tmp_path))
    with pytest.raises(UsageError):
        fetch("bge-m3", dict.fromkeys((MODEL, "model.onnx_data", TOKENIZER), HEX), source, Quiet())
    assert list(tmp_path.iterdir()) == []


def test_an_address_with_a_port_is_one() -> None:
    check_url("http://127.0.0.1:8000/models")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="a system without pipes in folders")
def test_pipes_are_neither_waited_for_nor_read(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    os.mkfifo(folder / "pipe")
    (problem,) = look_at(str(with_file(folder, "pipe")), verify=True).problems
    assert "a pipe" in str(problem)
    (folder / MODEL).unlink()
    os.mkfifo(folder / MODEL)
    monkeypatch.setenv(place.FOLDER, str(tmp_path / "fetched"))
    with pytest.raises(NotMeasured, match="a pipe"):
        fetch("bge-small-en-v1.5", {MODEL: HEX, TOKENIZER: HEX}, str(folder), Quiet())


@pytest.mark.parametrize("name", [LONG, "a\\u0000b"])
def test_a_pinned_file_with_a_name_that_no_file_can_have_is_an_error(folder: Path, name: str) -> None:
    spec = pinned(with_file(folder, name))
    with pytest.raises(GateError):
        place.files_of(spec, folder)
