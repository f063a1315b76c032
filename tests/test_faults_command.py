"""`gate run` under every fault, on the embedded store and a small corpus: cells, checks, baselines, narrowed runs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from builders import pinned_beir
from conftest import RunGate

from gate.faults import FAULTS

THINGS = ("ladder", "kettle", "printer", "router", "bicycle", "projector", "stapler", "heater", "lantern", "tripod")
EMBEDDER_FAULTS = [fault for fault in FAULTS.values() if fault.part == "embedder"]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Fifty things in rooms, and a question of each; every fifth question is long."""
    corpus = tmp_path / "notes"
    (corpus / "qrels").mkdir(parents=True)
    named = [(number, f"{THINGS[number % 10]} {number // 10}") for number in range(50)]
    asked = {n: f"where is the {thing}" + " kept that somebody asked for" * (n % 5 == 0) for n, thing in named}
    files = {
        "corpus.jsonl": [json.dumps({"_id": f"d{n}", "text": f"the {thing} is in room{n}"}) for n, thing in named],
        "queries.jsonl": [json.dumps({"_id": f"q{n}", "text": asked[n]}) for n, _ in named],
        "qrels/test.tsv": ["query-id\tcorpus-id\tscore", *(f"q{n}\td{n}\t1" for n, _ in named)],
    }
    for name, lines in files.items():
        (corpus / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    (tmp_path / "gate.yml").write_text(
        f"store: reference\ndepth: 10\nfail_open: {{within: 30}}\n{pinned_beir(corpus)}", encoding="utf-8"
    )
    return tmp_path


def verdict(project: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((project / "gate-results" / "verdict.json").read_text(encoding="utf-8"))
    return found


def test_every_fault_is_measured_accepted_and_measured_again_in_part(run_gate: RunGate, project: Path) -> None:
    done = run_gate("run")
    assert done.returncode == 2, done.stdout + done.stderr
    first = verdict(project)
    wrong = [check["message"] for check in first["checks"] if check["status"] not in ("pass", "waived")]
    assert len(wrong) == 1, "only the baseline is not there"
    assert "no baseline yet" in wrong[0]
    cells = {tuple(cell["id"].split("/")[2:6:3]) for cell in first["cells"]}
    assert {fault for _, fault in cells} == {"none", *(fault.name for fault in EMBEDDER_FAULTS)}
    topics = {cell["id"].split("/")[5]: cell["topics"] for cell in first["cells"] if cell["id"].endswith("/R@5")}
    assert topics == {"none": 50, **{fault.name: fault.topics or 50 for fault in EMBEDDER_FAULTS}}
    assert not any("reranker" in note for note in first["notes"]), "the arm has none that could fail"
    assert run_gate("accept", "--reason", "what it finds").returncode == 0
    for flags in ((), ("--limit", "10"), ("--mode", "vector", "--mode", "keyword")):
        done = run_gate("run", *flags)
        assert done.returncode == 0, done.stdout + done.stderr
        assert {check["source"] for check in verdict(project)["checks"]} >= {"fail-open"}


def test_a_store_that_does_not_take_a_part_of_the_arm_is_told_so(run_gate: RunGate, project: Path) -> None:
    settings = project / "gate.yml"
    settings.write_text(settings.read_text(encoding="utf-8").replace("store: reference", "store: whole-words"))
    run_gate("run")
    notes = verdict(project)["notes"]
    assert [note for note in notes if "so its behaviour when that fails was not tested" in note] == [
        "whole-words does not take the gate's embedder, so its behaviour when that fails was not tested"
    ]


RERANKS = """from gate.stores import whole_words

class Reranks(whole_words.WholeWordsStore):
    name, modes, abilities = "reranks", frozenset({"keyword", "rerank"}), frozenset({"reranker"})

def open_store(path, embedder=None, reranker=None):
    return Reranks()
"""


def test_a_mode_whose_part_the_arm_has_not_is_told(run_gate: RunGate, project: Path) -> None:
    told = "reranks declares the mode rerank, and the arm cpu-hash has no reranker: it is opened with None in its place"
    (project / "reranks.py").write_text(RERANKS, encoding="utf-8")
    run_gate("run", "--store", "reranks:open_store")
    assert told in verdict(project)["notes"]
    (project / "reranks.py").write_text(RERANKS.replace(', "rerank"', ""), encoding="utf-8")
    run_gate("run", "--store", "reranks:open_store")
    assert told not in verdict(project)["notes"]
