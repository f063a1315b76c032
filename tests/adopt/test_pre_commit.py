"""pre-commit itself reads and runs what is written for it, with its files in a folder of the test and no network."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from adopting import BROKEN, CORPUS, ENVIRONMENT, STORE, repository
from commits import Commits
from conftest import ROOT, RunGate

pytest.importorskip("pre_commit", reason="pre-commit is not installed: pip install -e '.[dev]'")

OTHER = """repos:
  # somebody's own
  - repo: local
    hooks:
      - id: other
        name: other
        entry: python -c pass
        language: system
"""


def environment(folder: Path) -> dict[str, str]:
    """With `gate` and `git` on the PATH, and pre-commit's own files in `folder`."""
    binaries = folder / "bin"
    binaries.mkdir(exist_ok=True)
    program = binaries / "gate"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -P -m gate "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "PRE_COMMIT"))}
    found = os.pathsep.join((str(binaries), str(Path(sys.executable).parent), os.environ["PATH"]))
    return {**kept, **ENVIRONMENT, "NO_COLOR": "1", "PATH": found, "PRE_COMMIT_HOME": str(folder / "pre-commit")}


def pre_commit(folder: Path, told: dict[str, str], *arguments: str) -> subprocess.CompletedProcess[str]:
    return called(folder, told, sys.executable, "-m", "pre_commit", *arguments)


def called(folder: Path, told: dict[str, str], *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        arguments, cwd=folder, env=told, capture_output=True, text=True, encoding="utf-8", timeout=120, check=False
    )


def test_the_hook_for_stores_that_are_packages_is_one_that_pre_commit_takes(tmp_path: Path) -> None:
    done = pre_commit(tmp_path, environment(tmp_path), "validate-manifest", str(ROOT / ".pre-commit-hooks.yaml"))
    assert done.returncode == 0, done.stdout + done.stderr
    (tmp_path / "wrong.yaml").write_text("- id: retrieval-gate\n", encoding="utf-8")
    assert pre_commit(tmp_path, environment(tmp_path), "validate-manifest", "wrong.yaml").returncode != 0


@pytest.mark.skipif(os.name == "nt", reason="`gate` on the PATH is a shell script here")
@pytest.mark.parametrize("inside", ["", 'packages/it\'s a "name"'], ids=["at the top", "in a folder"])
def test_pre_commit_stops_a_push_that_breaks_the_tokenizer_and_lets_a_good_one_through(
    run_gate: RunGate, tmp_path: Path, inside: str
) -> None:
    bare = Commits(tmp_path / "bare.git", start=False)
    bare.git("init", "--quiet", "--bare", "-b", "main")
    made = repository(tmp_path / "project", inside=inside)
    made.git("remote", "add", "origin", str(bare.folder))
    made.write({".pre-commit-config.yaml": OTHER})
    at, told = made.folder / inside, environment(tmp_path)
    done = run_gate("init", "--corpus", CORPUS, cwd=at, env=ENVIRONMENT)
    assert done.returncode == 0, done.stderr
    assert "next: pre-commit install --hook-type pre-push" in done.stdout
    valid = pre_commit(made.folder, told, "validate-config")
    assert valid.returncode == 0, valid.stdout + valid.stderr
    assert pre_commit(made.folder, told, "install", "--hook-type", "pre-push").returncode == 0
    good = made.commit()
    went = called(made.folder, told, "git", "push", "--quiet", "origin", "HEAD:main")
    assert went.returncode == 0, went.stdout + went.stderr
    assert "retrieval gate" in went.stdout + went.stderr
    assert bare.git("rev-parse", "main") == good
    (at / "recall.py").write_text(BROKEN, encoding="utf-8")
    made.commit()
    stopped = called(made.folder, told, "git", "push", "--quiet", "origin", "HEAD:main")
    assert stopped.returncode != 0
    assert "REGRESSION" in stopped.stdout + stopped.stderr
    assert bare.git("rev-parse", "main") == good
    # By hand, and on files that are not committed.
    (at / "recall.py").write_text(STORE, encoding="utf-8")
    by_hand = pre_commit(made.folder, told, "run", "--hook-stage", "pre-push", "--all-files", "retrieval-gate")
    assert by_hand.returncode == 0, by_hand.stdout + by_hand.stderr
