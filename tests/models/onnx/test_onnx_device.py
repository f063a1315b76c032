"""Where a model runs: a provider that is not there, a session that fell back, nodes left on the CPU are refused."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError
from pathlib import Path
from typing import Any

import pytest
import tiny_onnx as tiny

from gate.errors import NotMeasured
from gate.models.onnx import placement, runtime, session
from gate.models.onnx.placement import Placement, placement_of, profiled, refuse_elsewhere
from gate.models.onnx.runtime import CPU, CUDA


class FakeSession:
    """A session whose live providers are given."""

    def __init__(self, live: Sequence[str]) -> None:
        self._live = live

    def get_providers(self) -> list[str]:
        return list(self._live)

    def get_inputs(self) -> list[Any]:
        return []

    get_outputs = get_inputs


class FakeRuntime:
    """ONNX Runtime that offers some providers, and opens sessions on others."""

    __version__ = "1.0"

    def __init__(self, offered: Sequence[str], live: Sequence[str] = ()) -> None:
        self._offered, self._live, self.asked = offered, live, list[list[str]]()

    def get_available_providers(self) -> list[str]:
        return list(self._offered)

    def set_default_logger_severity(self, level: int) -> None: ...

    class SessionOptions:
        intra_op_num_threads = 0

        def add_session_config_entry(self, key: str, value: str) -> None: ...

    def InferenceSession(self, path: str, options: object, providers: list[str]) -> FakeSession:  # noqa: N802
        self.asked.append(providers)
        return FakeSession(self._live)


def versions(monkeypatch: pytest.MonkeyPatch, **known: str) -> None:
    def version(name: str) -> str:
        if name.replace("-", "_") not in known:
            raise PackageNotFoundError(name)
        return known[name.replace("-", "_")]

    monkeypatch.setattr(runtime, "version", version)


def test_both_packages_at_once_are_refused_with_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    versions(monkeypatch, onnxruntime="1.20.0", onnxruntime_gpu="1.19.2")
    with pytest.raises(NotMeasured, match=r"onnxruntime 1\.20\.0 and onnxruntime-gpu 1\.19\.2 are both") as raised:
        runtime.load("cpu")
    assert "pip uninstall" in raised.value.hint


def test_one_package_alone_is_well(monkeypatch: pytest.MonkeyPatch) -> None:
    versions(monkeypatch, onnxruntime="1.20.0")
    assert runtime.both_installed() == ""


def test_a_provider_that_is_not_offered_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "onnxruntime", FakeRuntime([CPU]))
    with pytest.raises(NotMeasured, match=f"has no {CUDA}, only {CPU}"):
        runtime.load("cuda")


def test_a_missing_runtime_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "onnxruntime", None)
    with pytest.raises(NotMeasured) as raised:
        runtime.load("cuda")
    assert "retrieval-gate[gpu]" in raised.value.hint


def test_a_session_that_fell_back_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    fake = FakeRuntime([CUDA, CPU], live=[CPU])
    monkeypatch.setattr(session, "load", lambda device: fake)
    with pytest.raises(NotMeasured, match=f"{CUDA} was asked for, and the session runs on {CPU}"):
        session.Session(tmp_path / "model.onnx", "cuda")
    # Nothing to fall back to was ever offered.
    assert fake.asked == [[CUDA]]


def test_a_session_where_it_should_be_is_well(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    # ONNX Runtime lists the CPU behind every other provider.
    monkeypatch.setattr(session, "load", lambda device: FakeRuntime([CUDA, CPU], live=[CUDA, CPU]))
    assert session.Session(tmp_path / "model.onnx", "cuda").providers == (CUDA, CPU)


def event(name: str, operator: str, provider: str) -> dict[str, object]:
    return {"cat": "Node", "name": f"{name}_kernel_time", "args": {"op_name": operator, "provider": provider}}


def test_nodes_are_counted_once_by_where_they_ran() -> None:
    events = [
        {"cat": "Session", "name": "model_run", "args": {}},
        event("/a/MatMul", "MatMul", CUDA),
        event("/a/MatMul", "MatMul", CUDA),
        event("/a/Shape", "Shape", CPU),
        {"cat": "Node", "name": "/a/MatMul_fence_before", "args": {"op_name": "MatMul"}},
    ]
    found = placement_of(events)
    assert (found.nodes, found.heavy) == ({CUDA: 1, CPU: 1}, {CUDA: 1})
    assert found.away_from(CUDA) == 1
    assert found.share(CUDA) == 0.5


def test_shapes_may_stay_on_the_cpu() -> None:
    refuse_elsewhere(Placement({CUDA: 90, CPU: 10}, {CUDA: 40}), "cuda", "tiny")


@pytest.mark.parametrize(
    "found",
    [Placement({CUDA: 90, CPU: 10}, {CUDA: 39, CPU: 1}), Placement({CPU: 9}, {}), Placement({}, {})],
    ids=["a matrix product elsewhere", "nothing on it", "nothing at all"],
)
def test_nodes_elsewhere_are_refused(found: Placement) -> None:
    with pytest.raises(NotMeasured, match=f"on {CUDA}"):
        refuse_elsewhere(found, "cuda", "tiny")


def test_a_real_profile_is_read(tmp_path: Path) -> None:
    tiny.write_vectors(tmp_path)
    tiny.write_tokenizer(tmp_path)
    from gate.models.onnx.encoder import Encoder

    files = tiny.files(tmp_path)
    found = Encoder(files["model.onnx"], files["tokenizer.json"], "cpu", 16).placed()
    assert found.nodes == {CPU: 1}
    refuse_elsewhere(found, "cpu", "tiny")


def test_a_profile_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    with pytest.raises(NotMeasured, match="profile could not be made"):
        profiled(tmp_path / "nothing.onnx", "cpu", {})


def test_the_operators_that_count_are_those_of_transformers() -> None:
    assert {"MatMul", "Gemm", "Attention", "MatMulInteger"} <= placement.HEAVY
    assert not {"Shape", "Gather", "Cast"} & placement.HEAVY


@pytest.mark.parametrize(
    "operator", ["GroupQueryAttention", "RotaryEmbedding", "SimplifiedLayerNormalization", "QGemm"]
)
def test_operators_of_newer_transformers_are_refused_on_the_cpu(operator: str) -> None:
    events = [event("/a/MatMul", "MatMul", CUDA), event("/a/other", operator, CPU)]
    with pytest.raises(NotMeasured, match=f"1 on {CPU}"):
        refuse_elsewhere(placement_of(events), "cuda", "tiny")
