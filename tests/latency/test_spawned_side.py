"""A process that times a tree, seen from the one that started it."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from gate.guard import Stopped
from gate.latency import spawned
from gate.latency.handover import write_documents
from gate.latency.records import Tree
from gate.latency.side import SideFailed
from gate.latency.spawned import Job, Spawned
from gate.records import Corpus, Document
from gate.stop import Stop

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
