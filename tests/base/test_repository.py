from __future__ import annotations

import os
from pathlib import Path

import pytest
from commits import Commits

from gate.base.repository import NoBase, Repository


@pytest.fixture
def commits(tmp_path: Path) -> Commits:
    made = Commits(tmp_path / "project")
    made.commit({"gate.yml": "schema: 1\n", "baselines/a/x.jsonl": "one\n", "baselines/b/ü.jsonl": "two\n"})
    return made


def test_files_of_a_commit_are_read_whatever_the_work_tree_holds(commits: Commits) -> None:
    commits.write({"gate.yml": "depth: 5\n"})
    (commits.folder / "baselines" / "a" / "x.jsonl").unlink()
    repository = Repository(commits.folder / "baselines")
    head = repository.commit("HEAD")
    assert head is not None
    entry = repository.find(head, "gate.yml")
    assert entry is not None
    assert repository.blobs([entry]) == [b"schema: 1\n"]
    files = repository.files(head, "baselines")
    assert [file.path for file in files] == ["baselines/a/x.jsonl", "baselines/b/ü.jsonl"]
    assert repository.blobs(files) == [b"one\n", b"two\n"]
    assert repository.find(head, "nothing/here") is None


def test_nothing_of_the_repository_is_touched(commits: Commits) -> None:
    commits.write({"gate.yml": "depth: 5\n"})
    before = {path: path.stat().st_mtime_ns for path in commits.folder.rglob("*") if path.is_file()}
    repository = Repository(commits.folder)
    assert repository.changed("HEAD", "gate.yml") == ["gate.yml"]
    head = repository.commit("HEAD")
    assert head is not None
    repository.find(head, "gate.yml")
    assert {path: path.stat().st_mtime_ns for path in commits.folder.rglob("*") if path.is_file()} == before


def test_a_reference_that_does_not_exist_is_none_and_an_option_is_no_reference(commits: Commits) -> None:
    repository = Repository(commits.folder)
    assert repository.commit("no-such-branch") is None
    assert repository.commit("--all") is None
    assert repository.commit("HEAD") == commits.git("rev-parse", "HEAD")


def test_the_object_is_found_before_the_commit_that_it_stands_for(commits: Commits) -> None:
    first = commits.git("rev-parse", "HEAD")
    commits.git("commit", "--quiet", "--allow-empty", "-m", "one more")
    commits.git("tag", "-a", "-m", "marked", "marked", first)
    repository = Repository(commits.folder)
    assert repository.commit(":/one") == commits.git("rev-parse", "HEAD")
    assert repository.commit("HEAD^{/a change}") == first
    assert repository.commit("marked") == first
    assert repository.commit("HEAD^") == first
    for ref in ("^HEAD", "HEAD^..HEAD", "HEAD^!", "HEAD^@", "HEAD:gate.yml", ":/never said", "a" * 40, "", " "):
        assert repository.commit(ref) is None, ref


def test_links_are_followed_as_the_commit_has_them(commits: Commits) -> None:
    (commits.folder / "link.yml").symlink_to("gate.yml")
    (commits.folder / "accepted").symlink_to("baselines")
    (commits.folder / "out.yml").symlink_to("../elsewhere.yml")
    (commits.folder / "round.yml").symlink_to("round.yml")
    head = commits.commit()
    repository = Repository(commits.folder)
    entry = repository.find(head, "link.yml")
    assert entry is not None
    assert entry.path == "gate.yml"
    folder = repository.find(head, "accepted/a")
    assert folder is not None
    assert (folder.path, folder.is_folder) == ("baselines/a", True)
    for name, says in (("out.yml", "leads out of the repository"), ("round.yml", "leads nowhere")):
        with pytest.raises(NoBase, match=says):
            repository.find(head, name)


def test_a_submodule_holds_nothing_that_could_be_read(commits: Commits, tmp_path: Path) -> None:
    other = Commits(tmp_path / "other")
    other.commit({"budgets.yml": "schema: 1\n"})
    commits.git("submodule", "--quiet", "add", str(other.folder), "shared")
    head = commits.commit()
    with pytest.raises(NoBase, match="submodule"):
        Repository(commits.folder).find(head, "shared/budgets.yml")


def test_a_folder_outside_of_any_repository_is_told(tmp_path: Path) -> None:
    with pytest.raises(NoBase, match="no git repository") as caught:
        Repository(tmp_path)
    assert caught.value.slug == "base-no-repository"


def test_a_missing_git_is_told(commits: Commits, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(NoBase, match="git is not installed"):
        Repository(commits.folder)


def test_a_repository_of_another_user_is_told_with_the_command(
    commits: Commits, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = "fatal: detected dubious ownership in repository at '/w'\nTo add an exception for this directory, call:"
    error = Repository(commits.folder)._refused(said)
    assert "another user" in error.what
    assert error.hint.startswith("git config --global --add safe.directory ")


def test_variables_of_the_caller_do_not_point_git_elsewhere(
    commits: Commits, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = Commits(tmp_path / "other")
    other.commit({"gate.yml": "depth: 9\n"})
    monkeypatch.setenv("GIT_DIR", str(other.folder / ".git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(other.folder))
    assert Repository(commits.folder).root == commits.folder.resolve()


def test_no_program_of_the_repository_runs(commits: Commits, tmp_path: Path) -> None:
    trap = tmp_path / "trap.sh"
    trap.write_text(f"#!/bin/sh\ntouch {tmp_path}/sprung\n")
    trap.chmod(0o755)
    for name in ("core.fsmonitor", "diff.external", "core.pager"):
        commits.git("config", name, str(trap))
    commits.write({"gate.yml": "depth: 5\n"})
    assert Repository(commits.folder).changed("HEAD", "gate.yml") == ["gate.yml"]
    assert not (tmp_path / "sprung").exists()


def test_parents_are_known_in_a_shallow_clone_that_lacks_them(commits: Commits, tmp_path: Path) -> None:
    first = commits.git("rev-parse", "HEAD")
    commits.commit({"new": ""})
    commits.git("clone", "--quiet", "--depth=1", f"file://{commits.folder}", str(tmp_path / "clone"))
    repository = Repository(tmp_path / "clone")
    head = repository.commit("HEAD")
    assert head is not None
    assert repository.parents(head) == (first,)
    assert repository.shallow
    assert repository.commit(first) is None
    assert not Repository(commits.folder).shallow


def test_paths_are_those_of_the_repository(commits: Commits, tmp_path: Path) -> None:
    repository = Repository(commits.folder)
    assert repository.relative(commits.folder / "ci" / ".." / "gate.yml") == "gate.yml"
    assert repository.relative(tmp_path / "gate.yml") is None
    assert os.sep not in (repository.relative(commits.folder / "a" / "b") or "").replace("/", "")
