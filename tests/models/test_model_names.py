"""`models.yml`: every problem of a bad one at once, each with its line; and names of models and folders."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from gate.data import data_path
from gate.errors import UsageError
from gate.models import named as named_module
from gate.models.named import is_folder, models, named, pinned
from gate.models.spec import ModelFile
from gate.settings import read_settings

GOOD = """\
schema: 1
models:
  mine:
    kind: embedder
    runtime: onnx
    says: a model
    source: https://example.org/mine
    licence: MIT
    languages: en
    dimension: 4
    precision: float32
    files:
      model.onnx: {url: "https://example.org/mine/model.onnx"}
      tokenizer.json: {}
"""


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A `models.yml` in place of the shipped one, good until somebody changes it."""
    path = tmp_path / "models.yml"
    path.write_text(GOOD, encoding="utf-8")

    def placed(*parts: str) -> Path:
        return path if parts == ("corpora", "models.yml") else data_path(*parts)

    monkeypatch.setattr(named_module, "data_path", placed)
    models.cache_clear()
    yield path
    models.cache_clear()


def problems(path: Path, *changes: tuple[str, str]) -> list[str]:
    """What is wrong with the good file after some replacements: `line: what`."""
    text = GOOD
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    path.write_text(text, encoding="utf-8")
    models.cache_clear()
    with pytest.raises(UsageError) as raised:
        models()
    return [f"{problem.where.rpartition(':')[2]}: {problem.what}" for problem in raised.value.problems]


def test_the_shipped_models_can_be_used() -> None:
    models.cache_clear()
    assert {"minilm-int8", "use-multilingual", "bge-m3"} <= set(models())


def test_a_good_file_gives_what_it_says(file: Path) -> None:
    spec = named("mine")
    assert (spec.kind, spec.dimension, spec.pooling, spec.max_length) == ("embedder", 4, "mean", 512)
    assert spec.files == (
        ModelFile("model.onnx", url="https://example.org/mine/model.onnx"),
        ModelFile("tokenizer.json"),
    )


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (("kind: embedder", "kind: encoder"), "4: 'models.mine.kind' cannot be \"encoder\""),
        (("runtime: onnx", "runtime: torch"), "5: 'models.mine.runtime' cannot be \"torch\""),
        (("    licence: MIT\n", ""), "3: 'models.mine': 'licence' is missing"),
        (("says: a model", "says: ''"), "6: 'models.mine.says' is empty"),
        (("precision: float32", "precision: fp32"), "11: 'models.mine.precision' cannot be \"fp32\""),
        (("dimension: 4", "dimensions: 4"), "10: unknown key 'dimensions'"),
        (("    dimension: 4\n", ""), "3: 'mine' gives vectors, and does not say their dimension"),
        (("      tokenizer.json: {}\n", ""), "3: 'mine' has no tokenizer.json"),
        (("model.onnx: {", "graph.onnx: {"), "3: 'mine' has no model.onnx"),
        (
            ("tokenizer.json: {}", "tokenizer.json: {sha256: abc}"),
            "14: 'models.mine.files.tokenizer.json.sha256' cannot be",
        ),
        (("https://example.org/mine/model", "ftp://example.org/mine/model"), "13: 'models.mine.files.model.onnx.url'"),
        (
            ("tokenizer.json: {}", "tokenizer.json: {package: mine}"),
            "3: 'mine': tokenizer.json is carried by a package",
        ),
        (("tokenizer.json: {}", "tokenizer.json: {package: mine, path: t}"), "3: 'mine': tokenizer.json is carried"),
        (("schema: 1", "schema: 2"), "1: 'schema' cannot be 2"),
    ],
    ids=lambda value: value[1][:30] if isinstance(value, tuple) else "",
)
def test_each_problem_is_told_with_its_line(file: Path, change: tuple[str, str], told: str) -> None:
    found = problems(file, change)
    assert any(one.startswith(told) for one in found), found


def test_all_problems_are_told_at_once(file: Path) -> None:
    found = problems(
        file,
        ("kind: embedder", "kind: encoder"),
        ("languages: en", "language: en"),
        ("precision: float32", "precision: 4"),
    )
    assert [one.split(":")[0] for one in found] == ["3", "4", "9", "11"]


def test_a_name_that_no_path_could_be_is_asked_for(file: Path) -> None:
    for name in ("Mine", "my/model", "mine-"):
        assert problems(file, ("  mine:", f"  {name}:"))


def test_a_cross_encoder_needs_no_dimension(file: Path) -> None:
    file.write_text(GOOD.replace("embedder", "cross-encoder").replace("    dimension: 4\n", ""), encoding="utf-8")
    models.cache_clear()
    assert named("mine").dimension == 0


def test_an_unknown_name_has_the_nearest_and_says_how_a_folder_is_named(file: Path) -> None:
    with pytest.raises(UsageError) as raised:
        named("mina")
    assert "'mine'" in raised.value.hint
    assert raised.value.hint.endswith(" (a folder is named as a path: ./mina)")


def test_settings_say_how_a_folder_is_named(tmp_path: Path) -> None:
    settings = tmp_path / "gate.yml"
    settings.write_text("models: {cpu-onnx: {embedder: mine}}\n", encoding="utf-8")
    with pytest.raises(UsageError) as raised:
        read_settings(settings)
    assert "there is no model 'mine'" in str(raised.value)
    assert "(a folder is named as a path: ./mine)" in str(raised.value)


@pytest.mark.parametrize(
    "name", ["./mine", "/models/mine", "models/mine", "~/mine", "C:\\models", "..", "My-Model", ""]
)
def test_paths_are_folders(name: str) -> None:
    assert is_folder(name)


@pytest.mark.parametrize("name", ["mine", "bge-small-en-v1.5", "a"])
def test_names_are_not(name: str) -> None:
    assert not is_folder(name)


def test_every_shipped_name_is_no_folder() -> None:
    assert not [name for name in models() if is_folder(name)]


def test_a_folder_without_a_pin_is_told_to_be_pinned(tmp_path: Path) -> None:
    with pytest.raises(UsageError) as raised:
        pinned(tmp_path)
    assert f"gate models pin {tmp_path}" in raised.value.hint


def test_each_problem_of_a_pin_is_told_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "golden.json").write_text(
        '{\n"schema": 1,\n"kind": "embedder",\n"precision": "int4",\n"max_length": 2,\n'
        f'"files": {{\n"model.onnx": "{"0" * 64}"\n}},\n"golden": []\n}}\n',
        encoding="utf-8",
    )
    with pytest.raises(UsageError) as raised:
        pinned(tmp_path)
    lines = [re.sub(r".*golden\.json:(\d+)$", r"\1", problem.where) for problem in raised.value.problems]
    assert lines == ["3", "4", "5", "6", "9"]
