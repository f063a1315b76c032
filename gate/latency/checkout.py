"""The tree of a commit in a folder of its own: neither the work tree, its index nor any hook is touched."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from gate.base.repository import NoBase, Repository
from gate.git import run_git

_SECONDS = 600


def check_out(repository: Repository, commit: str, folder: Path) -> Path:
    """All files of a commit below `folder`, which must not exist, as git would check them out; the tree's root.

    Submodules stay empty. Raises NoBase.
    """
    folder.mkdir(parents=True)
    tree = (folder / "tree").resolve()
    tree.mkdir()
    index = {"GIT_INDEX_FILE": str(folder / "index")}
    _git(repository, index, "read-tree", commit)
    # An index of its own, so that git knows nothing of this tree afterwards. Links and filters are as in a checkout.
    _git(repository, index, "checkout-index", "--all", "--force", f"--prefix={tree.as_posix()}/")
    return tree


def counterpart(folder: Path, root: Path, tree: Path) -> Path:
    """The folder of another tree that stands where `folder` stands below `root`. Raises NoBase where it has none."""
    inner = folder.resolve().relative_to(root)
    other = tree / inner
    if not other.is_dir():
        raise NoBase(
            "latency-no-folder",
            f"the base has no folder {inner.as_posix()}, so there is nothing to run it from",
            hint="Run from a folder that both have.",
        )
    return other


def _git(repository: Repository, environment: dict[str, str], *arguments: str) -> None:
    try:
        done = run_git(*arguments, folder=repository.root, seconds=_SECONDS, environment=environment)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise NoBase("latency-checkout", f"git cannot check the base out: {error}") from None
    if done.returncode:
        said = os.fsdecode(done.stderr).strip().split("\n")[-1].removeprefix("fatal: ")
        raise NoBase(
            "latency-checkout",
            f"git cannot check the base out: {said or 'no reason given'}",
            where=str(repository.root),
            hint="Check it out yourself, and name its folder with --base-folder.",
        )
