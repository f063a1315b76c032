"""The base through the command: what a person sees, and the exit code that CI sees."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from builders import pinned_beir
from commits import Commits
from conftest import RunGate

STORE = """from gate.records import ScoredDoc, SearchResult

class Words:
    name, modes, abilities = "words", frozenset({"keyword"}), frozenset()

    def __init__(self, path, embedder=None, reranker=None):
        self.words = {}

    def environment(self):
        return {}

    def add(self, documents):
        self.words |= {d.doc_id: set(d.text.split()) for d in documents}

    def count(self):
        return len(self.words)

    def search(self, query, k, mode, scope=frozenset()):
        words = set(query.split())
        hits = [ScoredDoc(i, float(len(words & w))) for i, w in self.words.items() if words & w]
        hits.sort(key=lambda hit: (-hit.score, hit.doc_id))
        return SearchResult(tuple(hits[:k]))

    def close(self):
        pass
"""
SUBJECTS = ("ladder", "kettle", "printer", "router", "bicycle")
SETTINGS = "store: mystore:Words\nbudgets: budgets.yml\nbaseline: optional\n"
BUDGETS = 'schema: 1\nbudgets:\n  - cell: "words/*/all/*/keyword/none/R@5"\n    min: 0.9\n'


@pytest.fixture
def project(tmp_path: Path) -> Commits:
    """A committed project with a store, a corpus, settings and a budget."""
    commits = Commits(tmp_path)
    documents = [{"_id": f"d{n}", "text": f"the {word} is in room {n}"} for n, word in enumerate(SUBJECTS)]
    topics = [{"_id": f"q{n}", "text": f"where is the {word}"} for n, word in enumerate(SUBJECTS)]
    commits.write(
        {
            "budgets.yml": BUDGETS,
            "mystore.py": STORE,
            ".gitignore": "gate-results/\n__pycache__/\nevent.json\n",
            "notes/corpus.jsonl": "".join(json.dumps(one) + "\n" for one in documents),
            "notes/queries.jsonl": "".join(json.dumps(one) + "\n" for one in topics),
            "notes/qrels/test.tsv": "query-id\tcorpus-id\tscore\n"
            + "".join(f"q{n}\td{n}\t1\n" for n in range(len(SUBJECTS))),
        }
    )
    commits.commit({"gate.yml": settings_of(commits)})
    return commits


def settings_of(project: Commits) -> str:
    return SETTINGS + pinned_beir(project.folder / "notes")


def verdict_of(project: Commits) -> dict[str, Any]:
    text = (project.folder / "gate-results" / "verdict.json").read_text(encoding="utf-8")
    verdict: dict[str, Any] = json.loads(text)
    return verdict


def test_a_lowered_budget_fails_first_and_is_accepted_by_the_flag(run_gate: RunGate, project: Commits) -> None:
    project.write({"budgets.yml": BUDGETS.replace("0.9", "0.2")})
    done = run_gate("run", "--base", "HEAD")
    assert done.returncode == 1, done.stdout + done.stderr
    assert "loosened: the floor was 0.900 and is 0.200" in done.stdout
    assert "in budgets.yml:3" in done.stdout
    assert "--accept-loosened" in done.stdout
    verdict = verdict_of(project)
    assert (verdict["verdict"], verdict["checks"][0]["source"]) == ("REGRESSION", "base")
    report = (project.folder / "gate-results" / "report.md").read_text(encoding="utf-8")
    assert "loosened: the floor was 0.900 and is 0.200" in report
    done = run_gate("run", "--base", "HEAD", "--accept-loosened")
    assert done.returncode == 0, done.stdout
    said = " ".join(done.stdout.split())
    assert "note: loosened, and accepted by --accept-loosened: the floor was 0.900 and is 0.200" in said
    assert verdict_of(project)["checks"][0]["status"] == "waived"
    assert run_gate("run").returncode == 0, "without a base nothing is loosened"


def test_a_raised_budget_passes_and_the_base_is_named(run_gate: RunGate, project: Commits) -> None:
    project.write({"budgets.yml": BUDGETS.replace("0.9", "0.95")})
    done = run_gate("run", "--base", "main")
    assert done.returncode == 0, done.stdout
    assert f"note: base: {project.git('rev-parse', '--short=10', 'main')}, main" in done.stdout
    assert verdict_of(project)["checks"][0]["id"] == "base"


def test_what_is_out_of_scope_of_a_narrowed_run_is_still_compared(run_gate: RunGate, project: Commits) -> None:
    project.write({"gate.yml": f"{settings_of(project)}depth: 20\n"})
    assert run_gate("run", "--base", "HEAD", "--k", "5").returncode == 1


def test_a_reference_that_does_not_exist_is_3_and_touches_no_results(run_gate: RunGate, project: Commits) -> None:
    assert run_gate("run").returncode == 0
    runs = project.folder / "gate-results" / "runs"
    before = {path.name: path.read_bytes() for path in runs.iterdir()}
    done = run_gate("run", "--base", "no-such-branch")
    assert done.returncode == 3
    assert "--base no-such-branch: there is no such commit" in done.stderr
    assert "Traceback" not in done.stderr
    assert {path.name: path.read_bytes() for path in runs.iterdir()} == before


def test_a_reference_that_leaves_a_commit_out_names_none(run_gate: RunGate, project: Commits) -> None:
    done = run_gate("run", "--base", "^HEAD")
    assert done.returncode == 3
    assert "--base ^HEAD: there is no such commit" in done.stderr
    assert not (project.folder / "gate-results" / "verdict.json").exists()


def test_an_empty_base_is_refused_and_not_taken_for_none(run_gate: RunGate, project: Commits) -> None:
    """What `--base "$BASE"` says where nobody set the variable."""
    done = run_gate("run", "--base", "")
    assert done.returncode == 3
    assert "--base names no commit: its value is empty" in done.stderr
    assert "--base none" in done.stderr
    assert not (project.folder / "gate-results").exists()


def test_a_corpus_that_git_ignores_fails_with_a_new_pin(run_gate: RunGate, project: Commits) -> None:
    """Its easiest question alone is left, and the pin is that of what is left."""
    project.git("rm", "--quiet", "-r", "--cached", "notes")
    project.commit({".gitignore": "gate-results/\n__pycache__/\nnotes/\n"})
    assert run_gate("run", "--base", "HEAD").returncode == 0
    pin = settings_of(project)
    project.write({"notes/qrels/test.tsv": "query-id\tcorpus-id\tscore\nq0\td0\t1\n"})
    project.write({"gate.yml": settings_of(project)})
    assert settings_of(project) != pin
    done = run_gate("run", "--base", "HEAD")
    assert done.returncode == 1, done.stdout
    said = " ".join(done.stdout.split())
    assert "loosened: the corpus notes@full changed: its digest was" in said
    assert "in gate.yml:4" in said
    project.write({"gate.yml": f'{SETTINGS}corpora: ["beir:notes"]\n'})
    done = run_gate("run", "--base", "HEAD")
    assert done.returncode == 2, "without a pin nothing is measured, which counts for more"
    assert "loosened: the corpus notes@full was pinned to" in " ".join(done.stdout.split())


def test_a_base_that_cannot_be_read_is_2_with_a_verdict(run_gate: RunGate, project: Commits) -> None:
    project.commit({"gate.yml": "dept: 5\n"})
    project.write({"gate.yml": settings_of(project)})
    done = run_gate("run", "--base", "HEAD")
    assert done.returncode == 2
    assert "it cannot be told whether the bar was loosened" in done.stdout
    assert verdict_of(project)["verdict"] == "NOT_MEASURED"
    assert run_gate("run", "--base", "HEAD", "--not-measured", "allow").returncode == 0


def test_a_push_is_held_against_what_was_before_unless_switched_off(run_gate: RunGate, project: Commits) -> None:
    before = project.git("rev-parse", "HEAD")
    project.commit({"budgets.yml": BUDGETS.replace("0.9", "0.2")})
    project.write({"event.json": json.dumps({"before": before})})
    event = {"GITHUB_EVENT_NAME": "push", "GITHUB_EVENT_PATH": str(project.folder / "event.json")}
    assert run_gate("run", env=event).returncode == 1
    done = run_gate("run", "--base", "none", env=event)
    assert done.returncode == 0
    assert "was not looked at: --base none" in done.stdout
