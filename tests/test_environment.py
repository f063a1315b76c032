from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from commits import Commits

import gate
from gate.environment import commit, environment


def git(*arguments: str) -> None:
    identity = ("-c", "user.name=tester", "-c", "user.email=tester@example.org")
    subprocess.run(["git", *identity, *arguments], check=True, capture_output=True)


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_text("x", encoding="utf-8")
    git("init", "-q")
    git("add", "file")
    git("commit", "-q", "-m", "first")
    return tmp_path


def test_the_commit_says_whether_files_differ_from_it(repository: Path) -> None:
    head, dirty = commit()
    assert (len(head or ""), dirty) == (40, False)
    (repository / "file").write_text("y", encoding="utf-8")
    assert commit() == (head, True)


def test_files_that_git_does_not_know_make_nothing_dirty(repository: Path) -> None:
    (repository / "gate-results").mkdir()
    (repository / "gate-results" / "verdict.json").write_text("{}", encoding="utf-8")
    assert commit()[1] is False


def test_outside_of_a_repository_there_is_no_commit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    assert commit() == (None, None)


def test_a_repository_without_a_commit_has_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    git("init", "-q")
    assert commit() == (None, None)


def test_without_git_there_is_no_commit(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(repository))
    assert commit() == (None, None)


def test_reading_a_repository_runs_nothing_of_it_and_writes_nothing(repository: Path) -> None:
    trap = repository / "trap.sh"
    trap.write_text(f"#!/bin/sh\ntouch {repository}/sprung\n", encoding="utf-8")
    trap.chmod(0o755)
    git("config", "core.fsmonitor", str(trap))
    git("config", "core.hooksPath", str(repository))
    (repository / "post-index-change").write_text(trap.read_text(encoding="utf-8"), encoding="utf-8")
    (repository / "post-index-change").chmod(0o755)
    (repository / "file").touch()
    index = (repository / ".git" / "index").read_bytes()
    (repository / "sprung").unlink(missing_ok=True)
    assert commit()[1] is False
    assert not (repository / "sprung").exists()
    assert (repository / ".git" / "index").read_bytes() == index
    subprocess.run(["git", "status"], check=False, capture_output=True)
    assert (repository / "sprung").exists(), "the trap does spring where nobody takes care"


def test_packages_that_results_depend_on_are_told_with_their_versions() -> None:
    found = environment()
    assert found["gate"] == gate.__version__
    assert found["packages"]["numpy"]
    assert all(found["packages"].values())


def test_variables_that_a_hook_has_do_not_point_at_another_work_tree(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    commits = Commits(tmp_path / "project")
    head = commits.commit({"file.txt": "here\n"})
    (commits.folder / "sub").mkdir()
    monkeypatch.chdir(commits.folder / "sub")
    monkeypatch.setenv("GIT_DIR", str(commits.folder / ".git"))
    assert commit() == (head, False)
