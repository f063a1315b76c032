"""`gate init` on a terminal: it asks which store is meant, and before it measures."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest
from adopting import CORPUS, ENVIRONMENT, contents, repository

pty = pytest.importorskip("pty", reason="Windows has no pseudo-terminals of this kind")


def answered(folder: Path, answers: str, *arguments: str) -> tuple[int, str]:
    """The exit code, and what the terminal showed, where somebody types these lines."""
    ours, theirs = pty.openpty()
    try:
        os.set_blocking(ours, False)
        os.write(ours, answers.encode())
        process = subprocess.Popen(
            [sys.executable, "-P", "-m", "gate", "init", "--corpus", CORPUS, *arguments],
            cwd=folder,
            env={**os.environ, **ENVIRONMENT, "NO_COLOR": "1"},
            stdin=theirs,
            stdout=theirs,
            stderr=subprocess.PIPE,
        )
        _, errors = process.communicate(timeout=120)
        with suppress(BlockingIOError):
            errors += os.read(ours, 1 << 16)
        return process.returncode, errors.decode()
    finally:
        os.close(ours)
        os.close(theirs)


def test_one_of_several_is_chosen_by_its_number(tmp_path: Path) -> None:
    made = repository(tmp_path / "project")
    made.write({"other.py": "def open_store(path, embedder=None, reranker=None): ...\n"})
    code, shown = answered(made.folder, "2\ny\n")
    assert code == 0, shown
    assert "  1  other:open_store  (other.py:1)" in shown
    assert "store: recall:Recall" in (made.folder / "gate.yml").read_text(encoding="utf-8")


def test_a_path_has_a_driver_written(tmp_path: Path) -> None:
    made = repository(tmp_path / "project", store="")
    code, shown = answered(made.folder, "recall_driver.py\ny\n")
    assert code == 0, shown
    assert "store: recall_driver:open_store" in (made.folder / "gate.yml").read_text(encoding="utf-8")


def test_who_says_no_has_nothing_written_not_even_the_driver(tmp_path: Path) -> None:
    made = repository(tmp_path / "project", store="")
    before = contents(made.folder)
    code, shown = answered(made.folder, "n\n", "--driver", "recall_driver.py")
    assert code == 130, shown
    assert contents(made.folder) == before


def test_told_to_ask_nothing_it_says_what_to_give(tmp_path: Path) -> None:
    made = repository(tmp_path / "project", store="")
    code, shown = answered(made.folder, "", "--yes")
    assert code == 3
    assert "init-no-store" in shown
