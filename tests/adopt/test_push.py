"""The hook that `gate init` writes, run by git itself on a push to a repository beside it."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from adopting import BROKEN, CORPUS, ENVIRONMENT, STORE, repository
from commits import Commits
from conftest import RunGate


def pushed(made: Commits) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    return subprocess.run(
        ["git", "push", "--quiet", "origin", "HEAD:main"],
        cwd=made.folder,
        env={**environment, **ENVIRONMENT, "NO_COLOR": "1"},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


def with_remote(folder: Path, inside: str = "") -> tuple[Commits, Commits]:
    """A project, and a bare repository beside it that it pushes to."""
    bare = Commits(folder / "bare.git", start=False)
    bare.git("init", "--quiet", "--bare", "-b", "main")
    made = repository(folder / "project", inside=inside)
    made.git("remote", "add", "origin", str(bare.folder))
    return made, bare


@pytest.mark.parametrize("inside", ["", 'packages/it\'s $(touch x) a "name"'], ids=["at the top", "in a folder"])
def test_a_push_that_breaks_the_tokenizer_is_stopped_and_a_good_one_goes_through(
    run_gate: RunGate, tmp_path: Path, inside: str
) -> None:
    made, bare = with_remote(tmp_path, inside)
    at = made.folder / inside
    done = run_gate("init", "--corpus", CORPUS, cwd=at, env=ENVIRONMENT)
    assert done.returncode == 0, done.stderr
    good = made.commit()
    went = pushed(made)
    assert went.returncode == 0, went.stdout + went.stderr
    assert bare.git("rev-parse", "main") == good
    (at / "recall.py").write_text(BROKEN, encoding="utf-8")
    made.commit()
    stopped = pushed(made)
    assert stopped.returncode != 0
    assert "REGRESSION" in stopped.stdout + stopped.stderr or "NOT_MEASURED" in stopped.stdout + stopped.stderr
    assert bare.git("rev-parse", "main") == good
    (at / "recall.py").write_text(STORE + "# mended\n", encoding="utf-8")
    mended = made.commit()
    assert pushed(made).returncode == 0
    assert bare.git("rev-parse", "main") == mended
    assert not list(made.folder.rglob("x"))


def test_two_topics_of_twenty_are_stopped_by_their_budget_where_one_is_not(run_gate: RunGate, tmp_path: Path) -> None:
    made, bare = with_remote(tmp_path)
    assert run_gate("init", "--corpus", CORPUS, cwd=made.folder, env=ENVIRONMENT).returncode == 0
    for lost, passes in ((("Basil",), True), (("Basil", "River"), False)):
        here = made.commit({"recall.py": STORE.replace("return set(", f"return set() if text in {lost} else set(", 1)})
        went = pushed(made)
        assert (went.returncode == 0) == passes, went.stdout + went.stderr
        assert (bare.git("rev-parse", "main") == here) == passes


def test_a_hook_in_place_is_left_and_the_lines_to_add_are_shown(run_gate: RunGate, tmp_path: Path) -> None:
    made = repository(tmp_path / "project")
    hook = made.folder / ".git/hooks/pre-push"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\nexit 0\n", encoding="utf-8")
    for force in ((), ("--force",)):
        done = run_gate("init", "--corpus", CORPUS, *force, cwd=made.folder, env=ENVIRONMENT)
        assert done.returncode == 0, done.stderr
        assert "left       .git/hooks/pre-push  (there is a hook already; add this to it)" in done.stdout
        assert " -P -m gate run --quiet || exit $?" in done.stdout
        assert hook.read_text(encoding="utf-8") == "#!/bin/sh\nexit 0\n"


def test_a_shared_folder_of_hooks_finds_its_own_gate(run_gate: RunGate, tmp_path: Path) -> None:
    made = repository(tmp_path / "project")
    made.git("config", "core.hooksPath", ".githooks")
    done = run_gate("init", "--corpus", CORPUS, cwd=made.folder, env=ENVIRONMENT)
    assert "written    .githooks/pre-push" in done.stdout
    hook = made.folder / ".githooks/pre-push"
    assert os.access(hook, os.X_OK)
    assert "\ngate run --quiet || exit $?\n" in hook.read_text(encoding="utf-8")


def test_a_folder_of_hooks_that_other_repositories_use_is_not_touched(run_gate: RunGate, tmp_path: Path) -> None:
    made = repository(tmp_path / "project")
    (tmp_path / "everywhere").mkdir()
    made.git("config", "core.hooksPath", str(tmp_path / "everywhere"))
    done = run_gate("init", "--corpus", CORPUS, cwd=made.folder, env=ENVIRONMENT)
    assert done.returncode == 0, done.stderr
    assert "core.hooksPath leads to a folder that other repositories use too" in done.stdout
    assert not list((tmp_path / "everywhere").iterdir())


def test_in_a_linked_work_tree_the_hook_is_that_of_the_repository(run_gate: RunGate, tmp_path: Path) -> None:
    made = repository(tmp_path / "project")
    made.git("worktree", "add", "--quiet", str(tmp_path / "other"))
    done = run_gate("init", "--corpus", CORPUS, cwd=tmp_path / "other", env=ENVIRONMENT)
    assert done.returncode == 0, done.stderr
    assert "written    ../project/.git/hooks/pre-push" in done.stdout
    assert os.access(made.folder / ".git/hooks/pre-push", os.X_OK)
