"""Where the gate is adopted: the folder, the repository around it, and what stands there already."""

from __future__ import annotations

import os
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

from gate.errors import UsageError
from gate.report.escape import UNSAFE

_SECONDS = 30
# What tells git where to look, as a hook that started us may have it. Where its configuration is, stays the caller's.
_ELSEWHERE = frozenset(
    {"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR", "GIT_PREFIX", "GIT_OBJECT_DIRECTORY"}
)
_PLAIN_BRANCH = re.compile(r"[A-Za-z0-9][A-Za-z0-9._/-]*")
_GITHUB = re.compile(r"(?:^|[/@.])github\.com[:/]", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Place:
    """A folder that adopts the gate.

    `root` is the top of the work tree, None outside of one: `no_git` then says why. `hooks` is the
    folder that git takes hooks from, and `own_hooks` whether it lies in the repository's git folder
    and so belongs to this clone alone. `branch` is the default branch, as far as it is known here.
    """

    folder: Path
    root: Path | None = None
    no_git: str = ""
    hooks: Path | None = None
    own_hooks: bool = True
    github: bool = False
    branch: str = "main"

    @property
    def top(self) -> Path:
        """The folder that nothing is written outside of."""
        return self.root or self.folder

    @property
    def prefix(self) -> str:
        """The folder as seen from the top of the work tree, with slashes; empty where it is the top."""
        inside = self.folder.relative_to(self.top).as_posix()
        return "" if inside == "." else inside


def look(folder: Path) -> Place:
    """What is known of a folder. Raises UsageError where its name is no text, so that no file could hold it."""
    folder = folder.resolve()
    if UNSAFE.search(str(folder)):
        raise UsageError(
            "init-folder-name",
            "the name of this folder, or of one around it, holds characters that no file of ours can hold",
            where=str(folder),
            hint="Rename the folder.",
        )
    top, said = _git(folder, "rev-parse", "--show-toplevel")
    if not top:
        return Place(folder, no_git=said)
    root = Path(top).resolve()
    if not folder.is_relative_to(root):
        return Place(folder, no_git="the work tree of git is another folder")
    common, _ = _git(folder, "rev-parse", "--git-common-dir")
    own = (folder / common).resolve() / "hooks"
    named, _ = _git(folder, "config", "--type=path", "--get", "core.hooksPath")
    hooks = (root / named).resolve() if named else own
    remotes, _ = _git(folder, "remote", "-v")
    return Place(
        folder,
        root,
        hooks=hooks,
        own_hooks=hooks.is_relative_to(own.parent),
        github=(root / ".github").is_dir() or bool(_GITHUB.search(remotes.replace("\t", "/"))),
        branch=_default_branch(folder),
    )


def ignores(place: Place, name: str) -> bool:
    """Whether git ignores a file of this name in the folder."""
    done = _run(place.folder, "check-ignore", "--quiet", "--no-index", "--", name)
    return done is not None and done.returncode == 0


def python_files(place: Place) -> list[Path]:
    """The repository's own Python files, from the folder, sorted; those that git ignores are none of them."""
    done = None
    if place.root is not None:
        done = _run(place.folder, "ls-files", "--cached", "--others", "--exclude-standard", "-z", "--", "*.py")
    if done is not None and done.returncode == 0:
        return sorted(Path(os.fsdecode(name)) for name in set(done.stdout.split(b"\0")) if name)
    found = []
    for at, folders, files in os.walk(place.folder):
        inner = Path(at)
        folders[:] = sorted(one for one in folders if not _is_foreign(inner / one))
        found += [(inner / name).relative_to(place.folder) for name in files if name.endswith(".py")]
    return sorted(found)


def _is_foreign(folder: Path) -> bool:
    """Whether a folder holds what others wrote: an environment, packages, a build, anything hidden."""
    return (
        folder.name.startswith(".")
        or folder.name in ("__pycache__", "node_modules", "site-packages", "build", "dist")
        or (folder / "pyvenv.cfg").is_file()
    )


def _default_branch(folder: Path) -> str:
    remote, _ = _git(folder, "symbolic-ref", "--quiet", "--short", "refs/remotes/origin/HEAD")
    here, _ = _git(folder, "symbolic-ref", "--quiet", "--short", "HEAD")
    name = remote.removeprefix("origin/") or here
    # A workflow reads the name as a glob: one with other characters would mean something else there.
    return name if _PLAIN_BRANCH.fullmatch(name) else "main"


def _git(folder: Path, *arguments: str) -> tuple[str, str]:
    """What git says, and why it says nothing; the first is empty where it failed."""
    done = _run(folder, *arguments)
    if done is None:
        return "", "git cannot be run here"
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace")
        if "dubious ownership" in said:
            return "", "git does not read this repository, because it belongs to another user"
        return "", "not in the work tree of a git repository"
    return os.fsdecode(done.stdout).removesuffix("\n"), ""


def _run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[bytes] | None:
    kept = {name: value for name, value in os.environ.items() if name not in _ELSEWHERE}
    try:
        return subprocess.run(
            ["git", "--no-pager", "-c", "core.fsmonitor=false", *arguments],
            cwd=folder,
            env={**kept, "GIT_OPTIONAL_LOCKS": "0", "LC_ALL": "C"},
            capture_output=True,
            stdin=subprocess.DEVNULL,
            timeout=_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
