"""A baseline that says two things at once is compared with nothing, nor is one that nothing reads any more."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import RunGate

SETTINGS = "corpora: [seeded@smoke]\nslices: [zh-Hans]\nmodes: [keyword]\nfail_open: {faults: []}\n"
BASELINE = Path("baselines/reference/seeded@smoke.cpu-hash.jsonl")


def lost_by_hand(row: dict[str, Any]) -> None:
    row["runs"]["keyword/none"] = {"ranks": {}}


def repeated_by_hand(row: dict[str, Any]) -> None:
    row["runs"]["keyword/none"]["repeats"] = [{"ranks": {}}]


@pytest.fixture
def accepted(run_gate: RunGate, tmp_path: Path) -> Path:
    (tmp_path / "gate.yml").write_text(SETTINGS, encoding="utf-8")
    run_gate("run", "-q")
    done = run_gate("accept", "--reason", "first", "--by", "a reader")
    assert done.returncode == 0, done.stdout + done.stderr
    return tmp_path / BASELINE


@pytest.mark.parametrize(
    ("edit", "says"), [(lost_by_hand, "and its ranks give"), (repeated_by_hand, "`noisy` is not declared")]
)
def test_a_baseline_edited_by_hand_is_not_compared_with(
    run_gate: RunGate, accepted: Path, edit: Callable[[dict[str, Any]], None], says: str
) -> None:
    assert run_gate("run", "-q").returncode == 0
    first, *rest = accepted.read_text(encoding="utf-8").removesuffix("\n").split("\n")
    rows = [json.loads(line) for line in rest]
    for row in rows:
        edit(row)
    accepted.write_text("\n".join((first, *map(json.dumps, rows))) + "\n", encoding="utf-8")
    done = run_gate("run", "-q")
    assert done.returncode == 2, done.stdout
    assert says in " ".join(done.stdout.split())


def test_a_baseline_that_nothing_reads_names_what_the_settings_lack(run_gate: RunGate, accepted: Path) -> None:
    for name in ("seeded@smoke.cpu-onnx", "diary@full.cpu-hash"):
        (accepted.parent / f"{name}.jsonl").write_bytes(accepted.read_bytes())
    done = run_gate("run", "-q")
    assert done.returncode == 2, done.stdout
    said = " ".join(done.stdout.split())
    assert "no run of the settings is on cpu-onnx. Add cpu-onnx to `arms`, or delete the file" in said
    assert "no run of the settings is of diary@full. Add it to `corpora`, or delete the file" in said


def test_a_baseline_of_an_arm_that_did_not_open_is_still_read(
    run_gate: RunGate, accepted: Path, tmp_path: Path
) -> None:
    (accepted.parent / "seeded@smoke.cuda-onnx.jsonl").write_bytes(accepted.read_bytes())
    settings = f"{SETTINGS}arms: [cpu-hash, cuda-onnx]\nmodels: {{cuda-onnx: {{embedder: bge-m3}}}}\n"
    (tmp_path / "gate.yml").write_text(settings, encoding="utf-8")
    done = run_gate("run", "-q", env={"GATE_MODELS": str(accepted.parent)})
    assert done.returncode == 2, done.stdout
    said = " ".join(done.stdout.split())
    assert "the store could not be opened" in said
    assert "seeded@smoke.cuda-onnx.jsonl" not in said


def test_models_of_an_arm_that_nothing_runs_on_are_told(run_gate: RunGate, tmp_path: Path) -> None:
    settings = f"{SETTINGS}baseline: optional\nmodels: {{cpu-onnx: {{reranker: none}}}}\n"
    told = "the settings choose models for cpu-onnx, and nothing runs on it: it is not among their `arms`"
    (tmp_path / "gate.yml").write_text(settings, encoding="utf-8")
    assert told in " ".join(run_gate("run", "-q").stdout.split())
    (tmp_path / "gate.yml").write_text(f"{settings}arms: [cpu-hash, cpu-onnx]\n", encoding="utf-8")
    assert told not in " ".join(run_gate("run", "-q", "--arm", "cpu-hash").stdout.split())
