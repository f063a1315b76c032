"""Stores that broke in ways that look well, each through the whole command: green before, red after.

The store keeps a hundred notes of where things are, and is asked for each of them by words and by vectors.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from builders import pinned_beir
from commits import Commits
from conftest import RunGate

STORE = """import numpy as np
from gate.records import ScoredDoc, SearchResult

EMBEDDER = frozenset({"embedder"})


def words(text):
    return set(text.lower().split())


class Recall:
    name, modes, abilities = "recall", frozenset({"keyword", "vector"}), EMBEDDER

    def __init__(self, path, embedder=None, reranker=None):
        self.embedder, self.texts, self.vectors = embedder, {}, {}

    def environment(self):
        return {}

    def add(self, documents):
        rows = self.embedder.embed([document.text for document in documents], "document")
        for document, row in zip(documents, rows):
            self.texts[document.doc_id], self.vectors[document.doc_id] = words(document.text), row

    def count(self):
        return len(self.texts)

    def search(self, query, k, mode, scope=frozenset()):
        if mode == "keyword":
            return SearchResult(self.keyword(query, k))
        asked = self.embedded(query)
        if asked is None:
            return SearchResult(self.fallback(query, k), degraded=EMBEDDER)
        near = {name: float(row @ asked / np.linalg.norm(row)) for name, row in self.vectors.items()}
        return SearchResult(best(near, k))

    def embedded(self, query):
        try:
            row = self.embedder.embed([query], "query")[0]
        except Exception:
            return None
        return row if np.isfinite(row).all() and row.any() else None

    def keyword(self, query, k):
        shared = {name: float(len(words(query) & own)) for name, own in self.texts.items()}
        return best({name: score for name, score in shared.items() if score}, k)

    def fallback(self, query, k):
        return self.keyword(query, k)

    def close(self):
        pass


def best(scores, k):
    return tuple(ScoredDoc(name, scores[name]) for name in sorted(scores, key=lambda name: (-scores[name], name))[:k])
"""
COLOURS = ("red", "blue", "green", "yellow", "purple", "orange", "white", "black", "silver", "brown")
THINGS = ("ladder", "kettle", "printer", "router", "bicycle", "projector", "stapler", "heater", "blanket", "hammer")
NAMES = [f"{colour} {thing}" for colour in COLOURS for thing in THINGS]
SETTINGS = (
    "store: recall:Recall\nbudgets: budgets.yml\nbaseline: optional\nmeasures: [R@5, nDCG@10]\n"
    "fail_open: {faults: [embedder-raises, embedder-zeros]}\n"
)
BUDGETS = (
    'schema: 1\nbudgets:\n  - cell: "recall/*/all/*/keyword/none/R@5"\n    min: 0.9\n'
    '  - cell: "recall/*/all/*/vector/none/R@5"\n    min: 0.9\n'
)
NO_BUDGETS = "schema: 1\nbudgets: []\n"


def broken(before: str, after: str) -> str:
    assert STORE.count(before) == 1
    return STORE.replace(before, after)


@pytest.fixture
def project(tmp_path: Path) -> Commits:
    """The store with its corpus, settings and budgets, committed."""
    made = Commits(tmp_path / "recall")
    documents = [{"_id": f"d{n:02}", "text": f"The {name} stands in room {n}"} for n, name in enumerate(NAMES)]
    topics = [{"_id": f"q{n:02}", "text": f"Where is the {name} now"} for n, name in enumerate(NAMES)]
    made.write(
        {
            "recall.py": STORE,
            "budgets.yml": BUDGETS,
            ".gitignore": "gate-results/\n__pycache__/\n",
            "notes/corpus.jsonl": "".join(f"{json.dumps(one)}\n" for one in documents),
            "notes/queries.jsonl": "".join(f"{json.dumps(one)}\n" for one in topics),
            "notes/qrels/test.tsv": "query-id\tcorpus-id\tscore\n"
            + "".join(f"q{n:02}\td{n:02}\t1\n" for n in range(len(NAMES))),
        }
    )
    made.write({"gate.yml": SETTINGS + pinned_beir(made.folder / "notes")})
    made.commit()
    return made


@pytest.fixture
def gate(run_gate: RunGate, project: Commits) -> Any:
    """Runs the gate in the project with some files changed: the exit code, and what is not a pass by its check's id."""

    def run(files: Mapping[str, str], *arguments: str) -> tuple[int, dict[str, str]]:
        project.write(files)
        # Bytecode of the store before would stand in for it where both were written in one second.
        environment = {"PYTHONDONTWRITEBYTECODE": "1", "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
        done = run_gate(*(arguments or ("run", "--quiet")), cwd=project.folder, env=environment)
        verdict = json.loads((project.folder / "gate-results/verdict.json").read_text(encoding="utf-8"))
        return done.returncode, {
            check["id"]: check["message"] for check in verdict["checks"] if check["status"] not in ("pass", "waived")
        }

    return run


def test_zero_vectors_that_are_called_a_success_are_red_and_it_says_why(gate: Any) -> None:
    assert gate({}) == (0, {})
    zeros = broken(
        "            return None\n        return row if", "            row = np.zeros(384)\n        return row if"
    )
    zeros = zeros.replace("return row if np.isfinite(row).all() and row.any() else None", "return row")
    code, found = gate({"recall.py": zeros})
    assert code == 1
    for fault in ("embedder-raises", "embedder-zeros"):
        run = f"fail-open recall/notes@full/cpu-hash/vector/{fault}"
        said = found[f"{run} declared"]
        assert said.startswith("100 of 100 answers did not say that they went without the embedder")
        assert "the fallback's R@5 over the topics asked is 0.050" in found[f"{run} floor"]
        assert f"{run} agreement" in found


def test_a_documented_fallback_that_finds_nothing_for_nearly_all_questions_is_red(gate: Any) -> None:
    kept = "        return self.keyword(query, k)\n\n    def close"
    lost = kept.replace("query, k)", 'query, k) if "red ladder" in query else ()')
    code, found = gate({"recall.py": broken(kept, lost)})
    run = "fail-open recall/notes@full/cpu-hash/vector/embedder-raises"
    assert code == 1
    assert "the fallback's R@5 over the topics asked is 0.010" in found[f"{run} floor"]
    assert "the fallback returns 0.010 of keyword search's first five" in found[f"{run} agreement"]
    assert f"{run} declared" not in found, "it says that it is degraded, as documented"


def test_the_weakest_of_the_strong_hits_first_is_red(gate: Any, run_gate: RunGate, project: Commits) -> None:
    assert gate({}) == (0, {})
    accepted = run_gate("accept", "--reason", "what it finds", cwd=project.folder)
    assert accepted.returncode == 0, accepted.stdout + accepted.stderr
    weakest = broken(
        "return SearchResult(best(near, k))",
        "return SearchResult(tuple(ScoredDoc(hit.doc_id, 1 - hit.score) for hit in best(near, k)[::-1]))",
    )
    code, found = gate({"recall.py": weakest})
    cell = "recall/notes@full/all/cpu-hash/vector/none"
    assert code == 1
    assert f"budget {cell}/R@5 >= 0.9" in found
    assert found[f"baseline {cell}/R@5"].startswith("worse: 1.000 -> 0.")
    assert not [name for name in found if "/keyword/" in name]


def test_a_mode_under_a_new_name_leaves_its_budget_without_a_cell_and_is_not_green(gate: Any) -> None:
    assert gate({}) == (0, {})
    code, found = gate({"recall.py": broken('frozenset({"keyword", "vector"})', 'frozenset({"keyword", "hybrid"})')})
    assert code == 2
    (said,) = found.values()
    assert "this budget matches no cell of the plan: recall/*/all/*/vector/none/R@5" in said
    assert "no cell has the mode 'vector'" in said


def test_a_baseline_regenerated_by_the_change_that_broke_the_store_is_not_green(
    gate: Any, run_gate: RunGate, project: Commits
) -> None:
    # Without budgets, so that nothing but the baseline knows what the store once found.
    assert gate({"budgets.yml": NO_BUDGETS}) == (0, {})
    assert run_gate("accept", "--reason", "what it finds", cwd=project.folder).returncode == 0
    project.commit()
    project.git("checkout", "--quiet", "-b", "change")
    lossy = broken("return set(text.lower().split())", "return set(text.lower().split()) - {'red', 'blue', 'green'}")
    code, found = gate({"recall.py": lossy})
    assert code == 1
    assert run_gate("accept", "--reason", "what it finds now", cwd=project.folder).returncode == 0
    project.commit()
    assert gate({}, "run", "--quiet", "--base", "none")[0] == 0, "its own baseline alone would let it pass"
    code, found = gate({}, "run", "--quiet", "--base", "main")
    cell = "recall/notes@full/all/cpu-hash/keyword/none/nDCG@10"
    assert code == 1
    assert found[f"base baseline {cell}"].startswith("loosened: the baseline accepts 0.")
    assert all(name.startswith("base ") for name in found)
