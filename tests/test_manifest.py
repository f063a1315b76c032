"""The manifest of a run says how its numbers were made, in words that a schema holds it to."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from conftest import RunGate
from jsonschema import Draft202012Validator

from gate.baselines import read_baseline
from gate.corpus.recipe import load_recipe
from gate.files import schema_of
from gate.manifest import _versions
from gate.measures import MEASURES, version_of
from gate.methodology import methodology_hash

VALIDATOR = Draft202012Validator(schema_of("manifest"))


def manifest_in(folder: Path) -> dict[str, Any]:
    made: dict[str, Any] = json.loads((folder / "gate-results" / "manifest.json").read_text(encoding="utf-8"))
    return made


@pytest.fixture(scope="module")
def settings() -> str:
    return "corpora: [seeded@smoke]\nslices: [zh-Hans]\nmodes: [keyword]\nbaseline: optional\nfail_open: {faults: []}\n"


def test_the_manifest_holds_to_its_schema_and_names_what_was_asked(
    run_gate: RunGate, tmp_path: Path, settings: str
) -> None:
    (tmp_path / "gate.yml").write_text(settings, encoding="utf-8")
    assert run_gate("run", "-q").returncode == 0
    made = manifest_in(tmp_path)
    VALIDATOR.validate(made)
    (trial,) = made["trials"]
    seed = load_recipe("seeded").seed
    assert trial["dataset"]["name"] == "seeded"
    assert trial["dataset"]["pinned"] is True
    assert trial["dataset"]["licence"]
    assert trial["protocol"] == {
        "granularity": "turn",
        "depth": 100,
        "dedup": False,
        "repeats": 1,
        "seeds": {"corpus": seed},
    }
    assert (trial["system"]["store"], trial["system"]["modes"]) == ("reference", ["keyword"])
    assert trial["system"]["environment"]["keyword"].startswith("bm25")
    assert trial["scoring"]["measures"]["nDCG@10"] == 1
    assert trial["scoring"]["judged"] == "turn"
    assert made["environment"]["command"] == ["run", "-q"]
    assert trial["comparability"]["hash"] == methodology_hash(trial["methodology"])
    baseline = read_baseline(next((tmp_path / "gate-results" / "baseline").rglob("*.jsonl")))
    assert baseline.header["methodology_hash"] == trial["comparability"]["hash"]


@pytest.mark.parametrize("break_it", ["protocol", "comparability", "environment"])
def test_the_schema_misses_what_is_not_there(run_gate: RunGate, tmp_path: Path, settings: str, break_it: str) -> None:
    (tmp_path / "gate.yml").write_text(settings, encoding="utf-8")
    run_gate("run", "-q", "--mode", "keyword")
    made = manifest_in(tmp_path)
    (made if break_it in made else made["trials"][0]).pop(break_it)
    assert not VALIDATOR.is_valid(made)


def test_a_trial_that_was_not_stored_has_a_manifest_too(run_gate: RunGate, tmp_path: Path) -> None:
    (tmp_path / "broken.py").write_text(
        "class Broken:\n"
        "    name, modes, abilities = 'broken', frozenset({'keyword'}), frozenset()\n"
        "    def __init__(self, path, embedder=None, reranker=None): pass\n"
        "    def add(self, documents): raise RuntimeError('full')\n"
        "    def count(self): return 0\n"
        "    def environment(self): return {}\n"
        "    def search(self, query, k, mode, scope=frozenset()): raise RuntimeError('none')\n"
        "    def close(self): pass\n"
    )
    (tmp_path / "gate.yml").write_text("store: broken:Broken\nslices: [zh-Hans]\n", encoding="utf-8")
    assert run_gate("run", "-q").returncode == 2
    made = manifest_in(tmp_path)
    VALIDATOR.validate(made)
    assert "full" in made["trials"][0]["ingest"]["failure"]


def test_units_are_named_in_protocol_scoring_and_methodology(run_gate: RunGate, tmp_path: Path, settings: str) -> None:
    (tmp_path / "gate.yml").write_text(f"{settings}granularity: chunk\ndedup: true\n", encoding="utf-8")
    assert run_gate("run", "-q").returncode == 0
    made = manifest_in(tmp_path)
    VALIDATOR.validate(made)
    (trial,) = made["trials"]
    assert (trial["protocol"]["granularity"], trial["protocol"]["dedup"]) == ("chunk", True)
    assert trial["scoring"]["judged"] == "session"
    assert trial["methodology"]["granularity"] == "chunk-300-50-6000"
    assert trial["methodology"]["dedup"] == "first of a session"


def test_results_of_another_methodology_are_not_compared_and_the_first_field_that_differs_is_named(
    run_gate: RunGate, tmp_path: Path, settings: str
) -> None:
    (tmp_path / "gate.yml").write_text(settings, encoding="utf-8")
    assert run_gate("run", "-q").returncode == 0
    assert run_gate("accept", "--reason", "first").returncode == 0
    (tmp_path / "gate.yml").write_text(f"{settings}granularity: session\ndedup: true\n", encoding="utf-8")
    done = run_gate("run", "-q")
    assert done.returncode == 2
    said = " ".join(done.stdout.split())
    assert "it cannot be compared with its baseline: granularity is session here and document in the baseline" in said
    assert run_gate("accept", "--reason", "sessions from now on").returncode == 0
    assert run_gate("run", "-q").returncode == 0
    narrowed = run_gate("run", "-q", "--no-dedup")
    assert narrowed.returncode == 2
    assert "dedup is first here and first of a session in the baseline" in " ".join(narrowed.stdout.split())
    assert "narrowed by --no-dedup" in " ".join(narrowed.stdout.split())
    assert run_gate("accept", "--reason", "x").returncode == 3


def test_a_measure_whose_definition_changed_has_its_version_beside_the_scores(monkeypatch: pytest.MonkeyPatch) -> None:
    assert _versions(["nDCG@10", "R@5"]) == {}
    monkeypatch.setattr(type(MEASURES["nDCG"]), "version", 2, raising=False)
    assert version_of("nDCG@10") == 2
    assert _versions(["nDCG@10", "R@5", "nDCG@10"]) == {"versions": {"nDCG@10": 2}}
