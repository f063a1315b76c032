"""A process that times a tree, seen from the one that started it."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest

from gate.guard import Stopped
from gate.latency import spawned
from gate.latency.handover import write_documents
from gate.latency.records import Tree
from gate.latency.side import SideFailed
from gate.latency.spawned import Job, Spawned
from gate.models import NONE, Choice
from gate.records import Corpus, Document
from gate.stop import Stop

# It writes down which model it was given, and how often that was run for two searches of one query.
EMBEDDING = """
from pathlib import Path

from gate.records import SearchResult


class Recall:
    name, modes, abilities = "recall", frozenset({"vector"}), frozenset({"embedder"})

    def __init__(self, path, embedder=None, reranker=None):
        self.embedder, self.stored, self.runs = embedder, 0, 0
        embed = embedder.embedder.embed

        def counted(texts, kind):
            self.runs += kind == "query"
            return embed(texts, kind)

        embedder.embedder.embed = counted

    def environment(self):
        return {}

    def add(self, documents):
        self.stored += len(documents)

    def count(self):
        return self.stored

    def search(self, query, k, mode, scope=frozenset()):
        self.embedder.embed([query], "query")
        Path("told.txt").write_text(f"{self.embedder.name.rpartition('-')[0]} {self.runs}")
        return SearchResult(())

    def close(self):
        pass
"""
SILENT = "import threading\nprint('waiting')\nthreading.Event().wait()\n"


@pytest.fixture
def tree(tmp_path: Path) -> Tree:
    folder = tmp_path / "tree"
    folder.mkdir()
    return Tree("head", "the work tree", folder, folder, (folder,))


def job(folder: Path) -> Job:
    corpus = Corpus("notes", "read", lambda: iter([Document("d1", "one")]), (), {}, {}, ())
    write_documents(corpus, folder / "documents.jsonl")
    return Job("silent:open_store", "cpu-hash", "notes@read", folder / "documents.jsonl", 0.5, 10)


def test_a_process_that_says_nothing_in_time_has_failed_and_is_ended(
    tree: Tree, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spawned, "GRACE_SECONDS", 0.0)
    (tree.root / "silent.py").write_text(SILENT, encoding="utf-8")
    side = Spawned(tree, tree, job(tmp_path), tmp_path / "store", tmp_path / "log", 0)
    with pytest.raises(SideFailed, match=r"the process of the head gave no answer to 'open' within 0\.5 s"):
        _ = side.opened
    side.kill()
    assert side._process.poll() is not None


def test_a_wish_to_stop_ends_the_wait(tree: Tree, tmp_path: Path) -> None:
    (tree.root / "silent.py").write_text(SILENT, encoding="utf-8")
    stop = Stop()
    side = Spawned(tree, tree, job(tmp_path), tmp_path / "store", tmp_path / "log", 0, stop)
    stop.signal = "SIGINT"
    with pytest.raises(Stopped):
        _ = side.opened
    side.close()
    assert side._process.poll() is not None


def test_what_a_process_said_last_is_told_with_its_end(tree: Tree, tmp_path: Path) -> None:
    (tree.root / "silent.py").write_text("import os\nprint('out of memory')\nos._exit(3)\n", encoding="utf-8")
    side = Spawned(tree, tree, job(tmp_path), tmp_path / "store", tmp_path / "log", 0)
    with pytest.raises(SideFailed, match="ended at 'open' with exit code 3") as failed:
        _ = side.opened
    side.kill()
    assert failed.value.hint == ("It said last: out of memory" if sys.platform != "win32" else failed.value.hint)


def test_the_model_that_settings_choose_makes_the_vector_of_each_search(
    tree: Tree, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("onnxruntime", reason="ONNX Runtime is not installed: pip install -e '.[dev]'")
    monkeypatch.setenv("GATE_VECTORS", str(tmp_path / "vectors.sqlite"))
    from tiny_models import write_embedder

    from gate.models.pin import pin_folder

    pin_folder(write_embedder(tmp_path / "mine"), {})
    (tree.root / "recall.py").write_text(EMBEDDING, encoding="utf-8")
    chosen = Choice(embedder=str(tmp_path / "mine"), reranker=NONE)
    work = replace(job(tmp_path), spec="recall:Recall", arm="cpu-onnx", timeout=60.0, models=chosen)
    side = Spawned(tree, tree, work, tmp_path / "store", tmp_path / "log", 0)
    assert side.opened.modes == {"vector"}
    side.ask({"do": "ask", "mode": "vector", "questions": [["one", []]]})
    assert "seconds" in side.ask({"do": "time", "mode": "vector", "at": [0, 0]})
    side.close()
    assert (tree.root / "told.txt").read_text(encoding="utf-8") == "mine 2"


@pytest.mark.skipif(sys.platform == "win32", reason="processes have no groups there")
def test_a_process_that_was_ended_is_not_ended_again(
    tree: Tree, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tree.root / "silent.py").write_text(SILENT, encoding="utf-8")
    side = Spawned(tree, tree, job(tmp_path), tmp_path / "store", tmp_path / "log", 0)
    side.close()
    ended: list[int] = []
    monkeypatch.setattr("os.killpg", lambda group, _: ended.append(group))
    side.kill()
    assert ended == []
