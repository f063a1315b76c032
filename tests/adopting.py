"""Repositories that adopt the gate: a store of twenty documents, and a corpus that asks for each."""

from __future__ import annotations

import json
import os
from pathlib import Path

from commits import Commits

# Nothing of the machine's own git configuration, and none of its bytecode in a repository that is compared.
ENVIRONMENT = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", "PYTHONDONTWRITEBYTECODE": "1"}
TOPICS = 20
WORDS = (
    "anchor", "basil", "copper", "dahlia", "ember", "falcon", "garnet", "hazel", "indigo", "jasmine",
    "kettle", "lantern", "marble", "nutmeg", "orchard", "pepper", "quarry", "river", "saffron", "timber",
)  # fmt: skip
STORE = '''"""A store of words."""

from gate.records import ScoredDoc, SearchResult


def words(text):
    return set(text.casefold().split())


class Recall:
    name = "recall"
    modes = frozenset({"keyword"})
    abilities = frozenset()

    def __init__(self, path, embedder=None, reranker=None):
        self.documents = {}

    def environment(self):
        return {}

    def add(self, documents):
        for document in documents:
            self.documents[document.doc_id] = words(document.text)

    def count(self):
        return len(self.documents)

    def search(self, query, k, mode, scope=frozenset()):
        found = [ScoredDoc(i, len(w & words(query))) for i, w in self.documents.items() if w & words(query)]
        return SearchResult(tuple(sorted(found, key=lambda hit: (-hit.score, hit.doc_id))[:k]))

    def close(self):
        pass
'''
BROKEN = STORE.replace("set(text.casefold().split())", "set()")
CORPUS = "beir:data"


def corpus_files(folder: str = "data") -> dict[str, str]:
    """A corpus in BEIR's layout, where each of twenty topics is answered by one document."""
    documents = [{"_id": f"d{n}", "title": "", "text": f"notes about {word} and more"} for n, word in enumerate(WORDS)]
    queries = [{"_id": f"q{n}", "text": word.title()} for n, word in enumerate(WORDS)]
    judged = [f"q{n}\td{n}\t1" for n in range(TOPICS)]
    return {
        f"{folder}/corpus.jsonl": "".join(f"{json.dumps(one)}\n" for one in documents),
        f"{folder}/queries.jsonl": "".join(f"{json.dumps(one)}\n" for one in queries),
        f"{folder}/qrels/test.tsv": "\n".join(("query-id\tcorpus-id\tscore", *judged)) + "\n",
    }


def repository(folder: Path, *, start: bool = True, store: str = STORE, inside: str = "") -> Commits:
    """A project with a store and a corpus, all of it committed where it is a repository."""
    made = Commits(folder, start=start)
    at = f"{inside}/" if inside else ""
    files = {f"{at}{name}": text for name, text in {"recall.py": store, **corpus_files()}.items()}
    made.write(files)
    if start:
        made.commit()
    return made


def contents(folder: Path) -> dict[str, tuple[bytes, int]]:
    """Bytes and time of every file below a folder, of the results and of git's own none but the hooks."""
    return {
        path.relative_to(folder).as_posix(): (path.read_bytes(), path.stat().st_mtime_ns)
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not {"gate-results", "__pycache__"} & set(path.relative_to(folder).parts)
        if ".git" not in path.relative_to(folder).parts or path.parent.name == "hooks"
    }
