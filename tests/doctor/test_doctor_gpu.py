"""What the doctor says of a GPU and of ONNX Runtime on it, with stand-ins of both."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from fake_gpu import CPU, CUDA, a100, cuda_runtime, nvidia_smi, on_path

from gate.doctor import libraries, speed
from gate.doctor.examine import Diagnosis, Line, examine, exit_code
from gate.doctor.look import MISSING, NOTED, OK, SKIPPED
from gate.exit_codes import ExitCode
from gate.models import Choice, arm, device
from gate.models.device import CHOSEN
from gate.models.onnx import runtime
from gate.models.onnx.placement import HEAVY

pytestmark = pytest.mark.skipif(os.name == "nt", reason="the stand-in of nvidia-smi is a shell script")


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(speed, "SECONDS", 0.0)
    monkeypatch.delenv(CHOSEN, raising=False)


def diagnosed(*, asked: bool = False) -> Diagnosis:
    return examine(arm("cuda-onnx"), Choice(), asked=asked, told=lambda _: None)


def seen(found: Diagnosis, look: str) -> Line:
    (line,) = [line for line in found.lines if line.look == look]
    return line


def machine(patch: pytest.MonkeyPatch, folder: Path, *lines: str, **tool: object) -> None:
    patch.setenv("PATH", on_path(nvidia_smi(folder, *(lines or (a100(),)), **tool)))  # type: ignore[arg-type]


def test_a_machine_with_all_that_is_needed_runs_the_arm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    machine(monkeypatch, tmp_path)
    cuda_runtime(monkeypatch)
    found = diagnosed(asked=True)
    assert found.missing == ()
    assert exit_code([found]) == ExitCode.PASS
    said = {line.look: line.seen.says for line in found.lines if line.seen.status == OK}
    assert said["packages"] == "onnxruntime-gpu 1.31.1"
    assert said["providers"] == f"{CUDA}, {CPU}"
    assert said["driver"] == "580.95.05"
    assert said["device"].startswith("NVIDIA A100-SXM4-80GB, GPU-")
    assert said["memory"] == "81920 MiB, 425 MiB in use"
    assert said["busy"] == "idle"
    assert said["clocks"] == "210 MHz now, 1410 MHz at most"
    assert said["compute mode"] == "Default"
    assert said["session"] == f"runs on {CUDA}"
    assert f"on {CUDA} (100.0%)" in said["nodes"]
    assert "texts a second" in said["speed"]


@pytest.mark.parametrize(
    ("changed", "look", "status", "says"),
    [
        ({"utilisation": "87 %"}, "busy", NOTED, "busy: 87 % in use"),
        ({"utilisation": "[N/A]"}, "busy", OK, "not told: [N/A]"),
        ({"memory_used": "60000 MiB"}, "memory", NOTED, "81920 MiB, 60000 MiB in use"),
        ({"memory_used": "[N/A]"}, "memory", OK, "81920 MiB, [N/A] in use"),
        ({"compute_mode": "Prohibited"}, "compute mode", MISSING, "Prohibited: no process may compute on it"),
        ({"compute_mode": "Exclusive_Process"}, "compute mode", NOTED, "Exclusive_Process: one process at a time"),
        ({"persistence": "Disabled"}, "persistence", NOTED, "Disabled"),
    ],
)
def test_the_state_of_a_gpu_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, changed: dict[str, str], look: str, status: str, says: str
) -> None:
    machine(monkeypatch, tmp_path, a100(**changed))
    cuda_runtime(monkeypatch)
    line = seen(diagnosed(), look)
    assert (line.seen.status, line.seen.says) == (status, says)
    assert bool(line.seen.hint) is (status != OK)


def test_an_exclusive_gpu_that_is_taken_cannot_be_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    machine(monkeypatch, tmp_path, a100(compute_mode="Exclusive_Process", utilisation="50 %"))
    cuda_runtime(monkeypatch)
    found = diagnosed()
    assert seen(found, "compute mode").seen.status == MISSING
    assert seen(found, "session").seen.status == SKIPPED
    assert exit_code([Diagnosis(found.arm, True, found.lines)]) == ExitCode.NOT_MEASURED


@pytest.mark.parametrize(
    ("tool", "says"),
    [
        ({"code": 18, "error": "Driver/library version mismatch"}, "ended with 18: Driver/library version mismatch"),
        ({"code": 6}, "ended with 6: it said nothing"),
        ({"hangs": True}, "does not answer"),
    ],
)
def test_a_driver_that_fails_stops_what_rests_on_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tool: dict[str, object], says: str
) -> None:
    monkeypatch.setattr(device, "SECONDS", 0.2)
    monkeypatch.setenv("PATH", on_path(nvidia_smi(tmp_path, **tool)))  # type: ignore[arg-type]
    cuda_runtime(monkeypatch)
    found = diagnosed()
    assert says in seen(found, "driver").seen.says
    assert [line.look for line in found.missing] == ["driver"]
    for look in ("device", "memory", "persistence", "session", "nodes"):
        assert seen(found, look).seen.status == SKIPPED
        assert "driver" in seen(found, look).seen.says


def test_nonsense_of_the_tool_is_quoted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    machine(monkeypatch, tmp_path, "\x1b[31mbang", "::error::bang")
    cuda_runtime(monkeypatch)
    assert "bang" in seen(diagnosed(), "driver").seen.says


def test_several_gpus_are_told_with_the_one_that_is_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    machine(monkeypatch, tmp_path, a100(), a100(index="1", uuid="GPU-second", name="NVIDIA A100-PCIE-40GB"))
    cuda_runtime(monkeypatch)
    assert "The first of 2 is taken" in seen(diagnosed(), "device").seen.hint
    monkeypatch.setenv(CHOSEN, "1")
    line = seen(diagnosed(), "device")
    assert line.seen.says == "NVIDIA A100-PCIE-40GB, GPU-second"
    assert line.seen.status == OK


def test_a_hidden_gpu_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    machine(monkeypatch, tmp_path)
    monkeypatch.setenv(CHOSEN, "-1")
    cuda_runtime(monkeypatch)
    assert "names none of the 1 GPUs here" in seen(diagnosed(), "device").seen.says


def test_a_runtime_without_cuda_names_the_package_to_remove(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    machine(monkeypatch, tmp_path)
    cuda_runtime(monkeypatch, offered=[CPU])
    monkeypatch.setattr(runtime, "installed", lambda: {"onnxruntime": "1.32.0"})
    found = diagnosed()
    line = seen(found, "providers")
    assert line.seen.status == MISSING
    assert f"has no {CUDA}, only {CPU}" in line.seen.says
    assert line.seen.hint.startswith("pip uninstall onnxruntime, then pip install 'retrieval-gate[gpu]'")


def test_both_packages_at_once_are_explained(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    machine(monkeypatch, tmp_path)
    cuda_runtime(monkeypatch)
    monkeypatch.setattr(runtime, "installed", lambda: {"onnxruntime": "1.32.0", "onnxruntime-gpu": "1.31.1"})
    found = diagnosed()
    assert "one has overwritten the other" in seen(found, "packages").seen.says
    assert "pip uninstall onnxruntime onnxruntime-gpu" in seen(found, "packages").seen.hint
    assert seen(found, "providers").seen.status == SKIPPED


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="done on Linux alone")
@pytest.mark.parametrize(
    ("asked", "missing"), [(libraries.DRIVER, libraries.DRIVER), ("", "libcublasLt.so.13"), ("", "")]
)
def test_a_library_that_is_not_found_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, asked: str, missing: str
) -> None:
    machine(monkeypatch, tmp_path)
    provider = tmp_path / "onnxruntime" / "capi" / libraries.PROVIDER
    provider.parent.mkdir(parents=True)
    provider.touch()
    cuda_runtime(monkeypatch, home=tmp_path / "onnxruntime")
    monkeypatch.setattr(libraries, "_not_found", lambda name: missing if name == (asked or str(provider)) else "")
    found = diagnosed()
    line = seen(found, "libraries")
    assert line.seen.status == (MISSING if missing else OK)
    assert line.seen.says.startswith(missing or "all that")
    assert seen(found, "session").seen.status == (SKIPPED if missing else OK)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the words of the loader of Linux")
def test_the_loader_of_this_system_names_what_it_does_not_find() -> None:
    assert libraries._not_found("libthere-is-none.so.1") == "libthere-is-none.so.1"


def test_a_session_that_fell_back_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    machine(monkeypatch, tmp_path)
    cuda_runtime(monkeypatch, live=[CPU])
    found = diagnosed(asked=True)
    line = seen(found, "session")
    assert line.seen.status == MISSING
    assert line.seen.says == f"{CUDA} was asked for, and the session runs on {CPU}"
    assert "another major version" in line.seen.hint
    for look in ("nodes", "golden values", "determinism", "speed"):
        assert seen(found, look).seen.status == SKIPPED
    assert exit_code([found]) == ExitCode.NOT_MEASURED


@pytest.mark.parametrize(
    ("left", "status", "says"),
    [
        (frozenset({"Shape", "Gather"}), OK, "none of the"),
        (frozenset({"MatMul"}), MISSING, f"did not run on {CUDA}"),
        (HEAVY | {"Shape", "Gather"}, MISSING, f"did not run on {CUDA}"),
    ],
)
def test_nodes_left_on_the_cpu_count_where_they_take_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, left: frozenset[str], status: str, says: str
) -> None:
    machine(monkeypatch, tmp_path)
    cuda_runtime(monkeypatch, left=left)
    line = seen(diagnosed(), "nodes")
    assert line.seen.status == status
    assert says in line.seen.says
    share = line.seen.facts["share"]
    assert isinstance(share, float)
    assert 0 < share < 1


def test_every_look_that_is_not_made_says_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    lines: Sequence[Line] = diagnosed(asked=True).lines
    assert all(line.seen.says for line in lines)
    assert {line.seen.status for line in lines} <= {OK, NOTED, MISSING, SKIPPED}
