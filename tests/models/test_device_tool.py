"""What nvidia-smi tells, by a stand-in on the path: GPUs, errors, silence, nonsense."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from fake_gpu import A100, a100, nvidia_smi, on_path

from gate.errors import NotMeasured
from gate.models import device
from gate.models.device import CHOSEN, facts_of, first_of, gpus, gpus_in, seen_by_cuda

pytestmark = pytest.mark.skipif(os.name == "nt", reason="the stand-in is a shell script")
TWO = [a100(), a100(index="1", uuid="GPU-b0000000-0000-0000-0000-000000000000")]


@pytest.fixture(autouse=True)
def all_visible(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(CHOSEN, raising=False)


def test_an_a100_is_told_as_the_tool_has_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", on_path(nvidia_smi(tmp_path, a100())))
    (found,) = gpus()
    assert found.told == A100
    assert not found.busy
    assert facts_of("cuda") == {"device": A100["name"], "driver": "580.95.05", "memory": "81920 MiB"}


@pytest.mark.parametrize(("told", "busy"), [("0 %", False), ("1 %", True), ("[N/A]", False), ("", False)])
def test_busy_is_what_computes_now(told: str, busy: bool) -> None:
    (found,) = gpus_in([a100(utilisation=told)])
    assert found.busy is busy


def test_without_a_tool_the_driver_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(NotMeasured, match="no nvidia-smi on the path") as raised:
        gpus()
    assert raised.value.slug == "driver-missing"


def test_a_driver_of_another_version_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said = "Failed to initialize NVML: Driver/library version mismatch"
    monkeypatch.setenv("PATH", on_path(nvidia_smi(tmp_path, code=18, error=said)))
    with pytest.raises(NotMeasured, match=f"ended with 18: {said}") as raised:
        gpus()
    assert raised.value.slug == "driver-failed"


def test_a_tool_that_hangs_is_not_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(device, "SECONDS", 0.2)
    monkeypatch.setenv("PATH", on_path(nvidia_smi(tmp_path, hangs=True)))
    with pytest.raises(NotMeasured, match="does not answer") as raised:
        gpus()
    assert raised.value.slug == "driver-silent"


@pytest.mark.parametrize("line", ["No devices were found", 'Field "persistence" is not a valid field', "a, b, c"])
def test_an_answer_of_another_kind_is_no_gpu(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: str) -> None:
    monkeypatch.setenv("PATH", on_path(nvidia_smi(tmp_path, a100(), line)))
    with pytest.raises(NotMeasured) as raised:
        gpus()
    assert raised.value.slug == "driver-garbled"
    assert line.split(",")[0].split('"')[0] in raised.value.what


def test_bytes_that_are_no_text_are_no_gpu_either(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    binaries = nvidia_smi(tmp_path)
    (binaries / "said").write_bytes(b'\xff\xfe\x00"' * 100_000)
    monkeypatch.setenv("PATH", on_path(binaries))
    with pytest.raises(NotMeasured, match="gave 1 values where 11"):
        gpus()


@pytest.mark.parametrize(
    ("said", "seen"),
    [
        (None, ["0", "1"]),
        ("1", ["1"]),
        ("1,0", ["1", "0"]),
        (" 1 , 0 ", ["1", "0"]),
        ("GPU-b0000000", ["1"]),
        ("1,7,0", ["1"]),
        ("", []),
        ("-1", []),
        ("MIG-7c1e", ["0", "1"]),
    ],
)
def test_cuda_sees_what_its_variable_names(said: str | None, seen: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    if said is not None:
        monkeypatch.setenv(CHOSEN, said)
    assert [gpu.told["index"] for gpu in seen_by_cuda(gpus_in(TWO))] == seen


def test_the_first_gpu_is_the_one_that_cuda_sees_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(CHOSEN, "1")
    assert first_of(gpus_in(TWO)).told["index"] == "1"


def test_a_hidden_gpu_is_told_from_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(CHOSEN, "")
    with pytest.raises(NotMeasured, match="which names none of the 2 GPUs here"):
        first_of(gpus_in(TWO))
    with pytest.raises(NotMeasured, match="the driver shows no GPU"):
        first_of([])
