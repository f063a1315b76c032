"""The script of the workflow that proposes baselines, with a `gh` that only tells what it was given."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from commits import Commits
from conftest import ROOT
from user_project import STORE, user_project

pytestmark = pytest.mark.skipif(os.name == "nt", reason="what is tested is a shell script")
WHY = "ties go to the newer note <!-- `x` @all"


@pytest.fixture
def project(tmp_path: Path) -> Commits:
    made = user_project(tmp_path / "project")
    made.git("init", "--quiet", "--bare", str(tmp_path / "origin"))
    made.git("remote", "add", "origin", str(tmp_path / "origin"))
    return made


def propose(project: Commits, folder: Path) -> subprocess.CompletedProcess[str]:
    binaries = folder / "bin"
    binaries.mkdir()
    gh = binaries / "gh"
    gh.write_text('#!/bin/sh\nprintf "%s\\n" "$@" > "$TOLD"; cat "$8" > "$TOLD.md"\n', encoding="utf-8")
    gh.chmod(0o755)
    environment = {
        **os.environ,
        "PATH": f"{binaries}:{Path(sys.executable).parent}:{os.environ['PATH']}",
        "TOLD": str(folder / "told"),
        "REASON": WHY,
        "ACTOR": "maintainer",
        "GH_TOKEN": "a-token",
        "GITHUB_RUN_ID": "123",
        "GITHUB_REPOSITORY": "acme/recall",
        "GITHUB_SERVER_URL": "https://github.example",
        "GITHUB_STEP_SUMMARY": str(folder / "summary"),
    }
    return subprocess.run(
        [ROOT / ".ci" / "propose-baselines"],
        cwd=project.folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


def test_changed_results_are_proposed_with_why_and_what_changes(project: Commits, tmp_path: Path) -> None:
    reversed_ties = STORE.replace("(-hit.score, hit.doc_id)", "(hit.score, hit.doc_id)")
    project.commit({"recall.py": reversed_ties})
    done = propose(project, tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    told = (tmp_path / "told").read_text(encoding="utf-8").splitlines()
    assert told[:4] == ["pr", "create", "--head", "baselines/run-123"]
    body = (tmp_path / "told.md").read_text(encoding="utf-8")
    assert f"    {WHY}\n" in body
    assert "recall/notes" in body
    assert (tmp_path / "summary").read_text(encoding="utf-8") == body
    pushed = Commits(tmp_path / "origin", start=False)
    assert pushed.git("show", "--no-patch", "--format=%s", "baselines/run-123") == (f"Accept baselines: {WHY}")
    changed = pushed.git("show", "--name-only", "--format=", "baselines/run-123").splitlines()
    assert changed == ["baselines/recall/notes@full.cpu-hash.jsonl"]


def test_a_store_that_is_down_proposes_nothing(project: Commits, tmp_path: Path) -> None:
    project.commit({"recall.py": STORE.replace("self.words = {}", 'raise ConnectionError("down")')})
    done = propose(project, tmp_path)
    assert done.returncode == 2
    assert not (tmp_path / "told").exists()


def test_results_that_are_the_baseline_propose_nothing(project: Commits, tmp_path: Path) -> None:
    done = propose(project, tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "nothing to propose" in (tmp_path / "summary").read_text(encoding="utf-8")
    assert not (tmp_path / "told").exists()
