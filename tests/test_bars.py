"""What the embedded store has to reach, through the command and, where it can be, judged by another implementation."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import pytrec_eval
from conftest import ROOT, RunGate

from gate.engines import installed

# R@5 of keyword search, tier 1k, each slice for itself.
NINETY = """
    zh-Hans zh-Hant ja ja-halfwidth ko ko-nfd th vi accents width mixed astral short identifiers long hostile
    morphology-de morphology-fr morphology-es morphology-it morphology-pt morphology-ru morphology-tr morphology-fi
"""
BARS = {**dict.fromkeys(NINETY.split(), 0.90), "morphology-en": 0.95}


def cells(folder: Path) -> dict[str, float]:
    verdict: dict[str, Any] = json.loads((folder / "verdict.json").read_text(encoding="utf-8"))
    return {cell["id"]: cell["value"] for cell in verdict["cells"]}


def columns(path: Path) -> list[list[str]]:
    return [line.split() for line in path.read_text(encoding="utf-8").splitlines()]


def judged_by_trec_eval(folder: Path, name: str, qrels_name: str, measures: set[str]) -> dict[str, float]:
    """The means by trec_eval's own code over every judged topic, from the exported files alone."""
    qrels: dict[str, dict[str, int]] = {}
    for topic, _, doc, grade in columns(folder / "qrels" / qrels_name):
        qrels.setdefault(topic, {})[doc] = int(grade)
    run: dict[str, dict[str, float]] = {}
    for topic, _, doc, _, value, _ in columns(folder / "runs" / name):
        run.setdefault(topic, {})[doc] = float(value)
    found = pytrec_eval.RelevanceEvaluator(qrels, measures).evaluate(run)
    keys = {measure.replace(".", "_") for measure in measures}
    return {key: sum(found.get(topic, {}).get(key, 0.0) for topic in qrels) / len(qrels) for key in keys}


def test_tier_1k_is_green_and_reaches_its_bars(run_gate: RunGate, tmp_path: Path) -> None:
    done = run_gate("run", "--tier", "1k", "-q", "--config", str(ROOT / "gate.yml"))
    assert done.returncode == 0, done.stdout + done.stderr
    found = cells(tmp_path / "gate-results")

    def recall(slice_name: str, mode: str, fault: str = "none", store: str = "reference") -> float:
        return found[f"{store}/seeded@1k/{slice_name}/cpu-hash/{mode}/{fault}/R@5"]

    for slice_name, bar in BARS.items():
        assert recall(slice_name, "keyword") >= bar, slice_name
    if installed("opencc"):
        assert recall("hans-hant", "keyword") >= 0.80
    assert found["reference/seeded@1k/duplicates-known/cpu-hash/keyword/none/Hit@5"] >= 0.90
    assert recall("zh-Hans", "keyword", store="whole-words") < 0.3
    assert recall("morphology-en", "keyword", store="whole-words") < 0.2
    assert recall("memory", "hybrid") >= max(0.95, recall("memory", "vector") - 0.02)
    for fault in ("embedder-raises", "embedder-zeros", "embedder-nan"):
        assert recall("memory", "vector") - recall("memory", "vector", fault) >= 0.15
        assert recall("memory", "vector", fault) >= 0.30
    exported = judged_by_trec_eval(
        tmp_path / "gate-results",
        "reference.seeded.1k.cpu-hash.hybrid.none.run",
        "seeded.1k.qrels",
        {"recall.5", "ndcg_cut.10"},
    )
    # The qrels hold every topic with judgements; topics without relevant documents have none.
    assert exported["recall_5"] == pytest.approx(recall("all", "hybrid"), abs=1e-12)
    assert exported["ndcg_cut_10"] == pytest.approx(
        found["reference/seeded@1k/all/cpu-hash/hybrid/none/nDCG@10"], abs=1e-12
    )


def test_keyword_search_on_cranfield_reaches_its_bars(run_gate: RunGate, tmp_path: Path, public_data: Path) -> None:
    done = run_gate("run", "--corpus", f"beir:{public_data / 'cranfield'}", "--mode", "keyword", "-q")
    assert done.returncode == 2, "there is no baseline of Cranfield"
    found = judged_by_trec_eval(
        tmp_path / "gate-results",
        "reference.cranfield.full.cpu-hash.keyword.none.run",
        "cranfield.full.qrels",
        {"ndcg_cut.10", "map_cut.100"},
    )
    assert found["ndcg_cut_10"] >= 0.37
    assert found["map_cut_100"] >= 0.28


@pytest.mark.parametrize("dose", ["", "=0.2"])
@pytest.mark.parametrize("plant", ["ascii-only", "reversed", "k-capped"])
def test_a_planted_defect_is_caught(run_gate: RunGate, plant: str, dose: str) -> None:
    done = run_gate("run", "--tier", "smoke", "-q", "--plant", plant + dose, "--config", str(ROOT / "gate.yml"))
    assert done.returncode == 1, done.stdout + done.stderr
    assert done.stdout.startswith(f"A DEFECT WAS PLANTED: {plant}{dose}")


def test_coverage_tells_what_has_an_answer_from_what_has_none(run_gate: RunGate, tmp_path: Path) -> None:
    done = run_gate("run", "--tier", "smoke", "-q", "--mode", "keyword", "--config", str(ROOT / "gate.yml"))
    assert done.returncode == 0, done.stdout + done.stderr
    found = cells(tmp_path / "gate-results")

    def coverage(slice_name: str) -> float:
        return found[f"reference/seeded@smoke/{slice_name}/cpu-hash/keyword/none/Coverage"]

    assert coverage("unanswerable-unknown") < coverage("unanswerable-known") < coverage("lifecycle")
    assert not [cell for cell in found if cell.endswith("/Coverage") and not cell.startswith("reference/")]
