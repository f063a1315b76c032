"""A user's repository: a store of their own in Python, a corpus, settings, a budget and a baseline, all committed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from builders import pinned_beir
from commits import Commits

REPOSITORY = "acme/recall"
STORE = """from gate.records import ScoredDoc, SearchResult


def tokens(text):
    return set(text.lower().split())


class Recall:
    name, modes, abilities = "recall", frozenset({"keyword"}), frozenset()

    def __init__(self, path, embedder=None, reranker=None):
        self.words = {}

    def environment(self):
        return {}

    def add(self, documents):
        self.words |= {document.doc_id: tokens(document.text) for document in documents}

    def count(self):
        return len(self.words)

    def search(self, query, k, mode, scope=frozenset()):
        hits = [ScoredDoc(i, float(len(tokens(query) & words))) for i, words in self.words.items()]
        found = sorted((hit for hit in hits if hit.score), key=lambda hit: (-hit.score, hit.doc_id))
        return SearchResult(tuple(found[:k]))

    def close(self):
        pass
"""
# A tokenizer that loses every word of six letters or more: all documents look alike, and the first ones win.
BROKEN = STORE.replace("set(text.lower().split())", "{word for word in text.lower().split() if len(word) < 6}")
DOWN = STORE.replace("self.words = {}", 'raise ConnectionError("the index is down")')
BUDGETS = 'schema: 1\nbudgets:\n  - cell: "recall/*/all/*/keyword/none/R@5"\n    min: 0.9\n'
SUBJECTS = (
    *("ladder", "kettle", "printer", "router", "bicycle", "projector", "stapler", "heater"),
    *("blanket", "hammer", "lantern", "scanner", "tripod", "umbrella", "whiteboard", "extension"),
)
# The first that the broken tokenizer loses: five documents stand before its own.
QUERY = "Where is the projector kept"


def user_project(folder: Path) -> Commits:
    """The repository on its main branch, with the results of its store accepted."""
    project = Commits(folder)
    documents = [{"_id": f"d{n:02}", "text": f"The {one} is kept in room {n}"} for n, one in enumerate(SUBJECTS)]
    topics = [{"_id": f"q{n:02}", "text": f"Where is the {one} kept"} for n, one in enumerate(SUBJECTS)]
    lines = "".join(f"q{n:02}\td{n:02}\t1\n" for n in range(len(SUBJECTS)))
    project.write(
        {
            "recall.py": STORE,
            "budgets.yml": BUDGETS,
            ".gitignore": "gate-results/\n__pycache__/\n",
            "notes/corpus.jsonl": "".join(json.dumps(one) + "\n" for one in documents),
            "notes/queries.jsonl": "".join(json.dumps(one) + "\n" for one in topics),
            "notes/qrels/test.tsv": f"query-id\tcorpus-id\tscore\n{lines}",
        }
    )
    # What is accepted here breaks the store, which probes would go on saying.
    settings = f"store: recall:Recall\nbudgets: budgets.yml\nprobes: off\n{pinned_beir(folder / 'notes')}"
    project.write({"gate.yml": settings})
    accept(project, 2)
    project.commit()
    return project


def accept(project: Commits, code: int) -> None:
    """Makes what the store finds now the baseline."""
    gate(project, code, "run", "--quiet")
    gate(project, 0, "accept", "--reason", "what it finds")


def gate(project: Commits, code: int, *arguments: str) -> None:
    done = subprocess.run(
        [sys.executable, "-P", "-m", "gate", *arguments],
        cwd=project.folder,
        env={**os.environ, "NO_COLOR": "1"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == code, done.stdout + done.stderr


def pull_request(project: Commits, *labels: str, fork: bool = False) -> dict[str, Any]:
    """The event of a pull request of what is checked out, into main."""
    return {
        "action": "synchronize",
        "pull_request": {
            "number": 7,
            "head": {
                "sha": project.git("rev-parse", "HEAD"),
                "ref": "change",
                "repo": {"full_name": "someone/recall" if fork else REPOSITORY},
            },
            "base": {"sha": project.git("rev-parse", "main"), "ref": "main", "repo": {"full_name": REPOSITORY}},
            "labels": [{"name": label} for label in labels],
        },
    }
