"""ONNX Runtime for a GPU: what it is asked for, and that loading the libraries of CUDA prints nothing."""

from __future__ import annotations

import pytest
from fake_gpu import CPU, CUDA, cuda_runtime

from gate.errors import NotMeasured
from gate.models.onnx import runtime


def test_libraries_are_loaded_for_a_gpu_without_a_word(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    cuda_runtime(monkeypatch)
    asked: list[str] = []
    module = runtime.load("cuda")

    def preload() -> None:
        asked.append("cuda")
        print("Failed to load libcublasLt.so.13")

    module.preload_dlls = preload
    runtime.load("cuda")
    runtime.load("cpu")
    assert asked == ["cuda"]
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("installed", "hint"),
    [
        ({"onnxruntime": "1.32.0"}, "pip uninstall onnxruntime, then pip install 'retrieval-gate[gpu]'"),
        ({"onnxruntime-gpu": "1.31.1"}, "pip install 'retrieval-gate[gpu]'"),
    ],
)
def test_a_runtime_without_cuda_says_how_to_come_by_it(
    monkeypatch: pytest.MonkeyPatch, installed: dict[str, str], hint: str
) -> None:
    cuda_runtime(monkeypatch, offered=[CPU])
    monkeypatch.setattr(runtime, "installed", lambda: installed)
    with pytest.raises(NotMeasured, match=f"has no {CUDA}, only {CPU}") as raised:
        runtime.load("cuda")
    assert raised.value.hint.startswith(hint)
