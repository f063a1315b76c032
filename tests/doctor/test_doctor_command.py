"""`gate doctor` as a user runs it: what it prints, and how it exits."""

from __future__ import annotations

import json
import os
from pathlib import Path

import jsonschema
import pytest
from conftest import RunGate
from fake_gpu import a100, nvidia_smi, on_path

from gate.doctor.examine import Diagnosis, Line, exit_code
from gate.doctor.look import MISSING, NOTED, OK, SKIPPED, Seen
from gate.doctor.views import found_json, found_text
from gate.files import schema_of
from gate.models import arm
from gate.models.onnx.runtime import installed

no_gpu = pytest.mark.skipif("onnxruntime-gpu" in installed(), reason="this machine may have a GPU")


@no_gpu
def test_without_a_gpu_the_arm_names_what_is_missing_and_exits_with_2(run_gate: RunGate, tmp_path: Path) -> None:
    done = run_gate("doctor", "--arm", "cuda-onnx", env={"PATH": str(tmp_path)})
    assert done.returncode == 2, done.stderr
    assert "there is no nvidia-smi on the path" in done.stdout
    assert "has no CUDAExecutionProvider" in done.stdout
    assert "pip install 'retrieval-gate[gpu]'" in done.stdout
    assert done.stdout.endswith("cannot run here: cuda-onnx  (exit 2)\n")
    assert done.stderr == ""


@no_gpu
@pytest.mark.skipif(os.name == "nt", reason="the stand-in of nvidia-smi is a shell script")
def test_a_gpu_without_a_runtime_for_it_is_told_as_far_as_it_goes(run_gate: RunGate, tmp_path: Path) -> None:
    path = on_path(nvidia_smi(tmp_path, a100(name="A100 ::error::\x1b[31m")))
    done = run_gate("doctor", "--arm", "cuda-onnx", "--json", env={"PATH": path})
    assert done.returncode == 2, done.stderr
    data = json.loads(done.stdout)
    jsonschema.validate(data, dict(schema_of("doctor")))
    (only,) = data["arms"]
    looks = {look["look"]: look for look in only["looks"]}
    assert looks["driver"]["facts"] == {"driver": "580.95.05"}
    assert looks["clocks"]["status"] == "ok"
    assert looks["providers"]["status"] == "missing"
    assert looks["session"]["status"] == "not looked at"
    assert "\x1b" not in done.stdout


def test_the_arms_of_the_settings_are_looked_at_and_the_others_in_short(run_gate: RunGate, tmp_path: Path) -> None:
    (tmp_path / "gate.yml").write_text("arms: [cpu-hash]\n", encoding="utf-8")
    done = run_gate("doctor", env={"PATH": str(tmp_path)})
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("cpu-hash: can run here  (")
    assert "  cuda-onnx: cannot run here: " in done.stdout
    assert done.stdout.endswith("all well  (exit 0)\n")


def test_the_models_of_the_settings_are_the_ones_looked_at(run_gate: RunGate, tmp_path: Path) -> None:
    settings = "arms: [cpu-onnx]\nmodels:\n  cpu-onnx: {embedder: bge-m3, reranker: none}\n"
    (tmp_path / "other.yml").write_text(settings, encoding="utf-8")
    done = run_gate("doctor", "--config", "other.yml", "--arm", "cpu-onnx", env={"GATE_MODELS": str(tmp_path)})
    assert done.returncode == 2, done.stderr
    assert "gate models fetch bge-m3" in done.stdout


@pytest.mark.parametrize(
    ("settings", "arguments", "said"),
    [
        ("", ["--arm", "cuda-onx"], "cuda-onnx"),
        ("arms: [nothing]\n", [], "gate.yml:1"),
        ("models: {cpu-onnx: {embedder: ./nowhere}}\n", ["--arm", "cpu-onnx"], "has no pin"),
        ("models: {cpu-onnx: {embedder: minilm-int8-maxsim}}\n", ["--arm", "cpu-onnx"], "stands where embedder should"),
    ],
)
def test_what_cannot_be_looked_at_is_usage(
    run_gate: RunGate, tmp_path: Path, settings: str, arguments: list[str], said: str
) -> None:
    (tmp_path / "gate.yml").write_text(settings, encoding="utf-8")
    done = run_gate("doctor", *arguments)
    assert done.returncode == 3
    assert said in done.stderr
    assert done.stdout == ""


def diagnosis(*statuses: str, asked: bool = True) -> Diagnosis:
    lines = tuple(Line(f"look {at}", "", Seen(status, "seen", "do")) for at, status in enumerate(statuses))
    return Diagnosis(arm("cpu-hash"), asked, lines)


@pytest.mark.parametrize(
    ("found", "code"),
    [
        ([diagnosis(OK, NOTED, SKIPPED)], 0),
        ([diagnosis(OK), diagnosis(OK, MISSING)], 2),
        ([diagnosis(OK), diagnosis(MISSING, asked=False)], 0),
    ],
)
def test_only_what_an_asked_arm_lacks_makes_it_2(found: list[Diagnosis], code: int) -> None:
    assert exit_code(found) == code
    assert f"(exit {code})" in found_text(found)
    jsonschema.validate(found_json(found), dict(schema_of("doctor")))


def test_what_others_say_is_shown_and_never_obeyed() -> None:
    hostile = Seen(MISSING, "one\n::error::two\u202e", "\x1b[2J")
    for asked in (True, False):
        shown = found_text([Diagnosis(arm("cpu-hash"), asked, (Line("driver", "", hostile),))])
        assert "one ::error::two<U+202E>" in shown
        assert "<U+001B>[2J" in shown
        assert "\n::error::" not in shown
