"""The tree of a commit beside the work tree."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from commits import Commits

from gate.base.repository import NoBase, Repository
from gate.latency.checkout import check_out, counterpart


@pytest.fixture
def project(tmp_path: Path) -> Commits:
    project = Commits(tmp_path / "project")
    if os.name == "posix":
        project.folder.joinpath("link.py").symlink_to("recall.py")
    project.commit({"recall.py": "speed = 1\n", "src/engine/__init__.py": "", "data/ä.txt": "ä"})
    return project


def test_the_tree_is_that_of_the_commit_and_nothing_else_is_touched(project: Commits, tmp_path: Path) -> None:
    commit = project.git("rev-parse", "HEAD")
    project.write({"recall.py": "speed = 2\n", "new.py": ""})
    before = project.git("status", "--porcelain=v2"), project.git("worktree", "list")
    tree = check_out(Repository(project.folder), commit, tmp_path / "base")
    assert (tree / "recall.py").read_text(encoding="utf-8") == "speed = 1\n"
    assert (tree / "data" / "ä.txt").read_text(encoding="utf-8") == "ä"
    assert not (tree / "new.py").exists()
    if os.name == "posix":
        assert os.readlink(tree / "link.py") == "recall.py"
    assert (project.folder / "recall.py").read_text(encoding="utf-8") == "speed = 2\n"
    assert (project.git("status", "--porcelain=v2"), project.git("worktree", "list")) == before


def test_no_hook_runs(project: Commits, tmp_path: Path) -> None:
    hook = project.folder / ".git" / "hooks" / "post-checkout"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f"#!/bin/sh\ntouch '{tmp_path}/ran'\n", encoding="utf-8")
    hook.chmod(0o755)
    check_out(Repository(project.folder), project.git("rev-parse", "HEAD"), tmp_path / "base")
    assert not (tmp_path / "ran").exists()


def test_a_commit_that_cannot_be_checked_out_is_a_sentence(project: Commits, tmp_path: Path) -> None:
    with pytest.raises(NoBase, match="git cannot check the base out"):
        check_out(Repository(project.folder), "0" * 40, tmp_path / "base")


def test_the_counterpart_of_a_folder_stands_at_the_same_place(project: Commits, tmp_path: Path) -> None:
    repository = Repository(project.folder)
    tree = check_out(repository, project.git("rev-parse", "HEAD"), tmp_path / "base")
    assert counterpart(project.folder / "src", repository.root, tree) == tree / "src"
    (project.folder / "later").mkdir()
    with pytest.raises(NoBase, match="no folder later"):
        counterpart(project.folder / "later", repository.root, tree)
