"""What git knows of other commits, read from its objects: no checkout, no hook, nothing written.

Only plumbing commands run, with none of the caller's `GIT_*` variables, so that neither the
work tree nor the index of a repository is ever touched.
"""

from __future__ import annotations

import os
import posixpath
import re
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from gate.errors import NotMeasured
from gate.git import run_git

_SECONDS = 120
_MOST_LINKS = 16
_OBJECT = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_LINK, _FOLDER, _SUBMODULE = "120000", "040000", "160000"


class NoBase(NotMeasured):
    """The base cannot be found or read, so nobody can tell whether the bar was loosened: exit 2."""


class NotHere(NoBase):
    """A commit that a shallow clone lacks, and that a fetch may bring: `sha`."""

    def __init__(self, sha: str, what: str, hint: str) -> None:
        super().__init__("base-not-here", what, hint=hint)
        self.sha = sha


@dataclass(frozen=True, slots=True)
class Entry:
    """A file or folder of a commit: its mode, object and path, after links were followed."""

    mode: str
    oid: str
    path: str

    @property
    def is_folder(self) -> bool:
        return self.mode == _FOLDER


class Repository:
    """The repository that a folder is in. Paths are relative to `root`, with `/`. Raises NoBase."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.root = Path(os.fsdecode(self._git("rev-parse", "--show-toplevel").removesuffix(b"\n"))).resolve()
        self._folder = self.root

    def relative(self, path: Path) -> str | None:
        """A path as the repository names it; None for one outside of it. Links in the path's folder are followed."""
        whole = path.parent.resolve() / path.name
        return whole.relative_to(self.root).as_posix() if whole.is_relative_to(self.root) else None

    def commit(self, ref: str) -> str | None:
        """The commit that a reference names; None where this clone has no such commit.

        The object is found first, and then the commit that it stands for: what follows `:/` is all search text.
        """
        named = self._object(ref)
        return self._object(f"{named}^{{commit}}") if named else None

    def _object(self, ref: str) -> str | None:
        """The one object that a reference names. `^HEAD` names none: it leaves some out."""
        if ref.startswith("-"):
            return None
        found = self._run("rev-parse", "--verify", "--quiet", "--end-of-options", ref)
        name = found.stdout.decode("utf-8", "replace").strip()
        return name if found.returncode == 0 and _OBJECT.fullmatch(name) else None

    def parents(self, commit: str) -> tuple[str, ...]:
        """The parents that a commit names, whether or not a shallow clone has them."""
        head = self._git("cat-file", "commit", commit).decode("utf-8", "replace").partition("\n\n")[0]
        return tuple(line.split()[1] for line in head.split("\n") if line.startswith("parent "))

    def merge_base(self, ours: str, theirs: str) -> str | None:
        """The best common ancestor of two commits; None where this clone has none."""
        found = self._run("merge-base", ours, theirs)
        return found.stdout.decode().split("\n")[0] if found.returncode == 0 else None

    @property
    def shallow(self) -> bool:
        return self._git("rev-parse", "--is-shallow-repository").strip() == b"true"

    def find(self, commit: str, path: str) -> Entry | None:
        """What stands at a path of a commit, links followed; None where nothing does."""
        parts = [part for part in path.split("/") if part not in ("", ".")]
        at, links = "", 0
        entry = Entry(_FOLDER, f"{commit}^{{tree}}", "")
        while parts:
            part = parts.pop(0)
            step = posixpath.normpath(posixpath.join(at, part))
            if step.startswith(".."):
                raise NoBase("base-outside", f"{path} leads out of the repository", where=_short(commit, path))
            if step == ".":
                at, entry = "", Entry(_FOLDER, f"{commit}^{{tree}}", "")
                continue
            listed = self._listed("ls-tree", "-z", "--full-tree", commit, "--", step)
            if not listed:
                return None
            entry = listed[0]
            if entry.mode == _SUBMODULE:
                raise NoBase(
                    "base-submodule",
                    f"{step} is a submodule, and a commit does not hold what is in it",
                    where=_short(commit, path),
                    hint="Keep settings, budgets and baselines in the repository itself.",
                )
            if entry.mode == _LINK:
                links += 1
                if links > _MOST_LINKS:
                    raise NoBase("base-links", f"{path} is a link that leads nowhere", where=_short(commit, path))
                target = os.fsdecode(self.blobs([entry])[0])
                if target.startswith("/"):
                    raise NoBase("base-outside", f"{path} leads out of the repository", where=_short(commit, path))
                parts = [*target.split("/"), *parts]
                continue
            at = step
        return entry

    def files(self, commit: str, path: str) -> list[Entry]:
        """Every file under a folder of a commit, in order; links are left out."""
        place = ["--", path] if path else []
        listed = self._listed("ls-tree", "-r", "-z", "--full-tree", commit, *place)
        return [entry for entry in listed if entry.mode not in (_LINK, _SUBMODULE)]

    def blobs(self, entries: Sequence[Entry]) -> list[bytes]:
        """The bytes of files, in one process."""
        told = self._git("cat-file", "--batch", stdin="".join(f"{entry.oid}\n" for entry in entries).encode())
        found, at = [], 0
        for entry in entries:
            end = told.index(b"\n", at)
            head = told[at:end].split()
            if len(head) != 3:
                raise NoBase(
                    "base-object-missing",
                    f"this clone lacks the bytes of {entry.path}",
                    hint="Clone without a filter, or fetch the commit whole.",
                )
            size = int(head[2])
            found.append(told[end + 1 : end + 1 + size])
            at = end + 2 + size
        return found

    def changed(self, commit: str, path: str) -> list[str]:
        """The files under a path that differ between a commit and the work tree, new ones included."""
        quiet = ("--no-ext-diff", "--no-textconv", "--no-renames")
        differ = self._git("diff", "--name-only", "-z", *quiet, commit, "--", path)
        new = self._git("ls-files", "--others", "--exclude-standard", "-z", "--", path)
        return sorted({os.fsdecode(name) for name in (differ + new).split(b"\0") if name})

    def _listed(self, *arguments: str) -> list[Entry]:
        found = []
        for line in self._git(*arguments).split(b"\0"):
            if line:
                about, _, name = line.partition(b"\t")
                mode, _, oid = about.decode().split()
                found.append(Entry(mode, oid, os.fsdecode(name)))
        return found

    def _git(self, *arguments: str, stdin: bytes = b"") -> bytes:
        done = self._run(*arguments, stdin=stdin)
        if done.returncode:
            raise self._refused(done.stderr.decode("utf-8", "replace"))
        return done.stdout

    def _run(self, *arguments: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
        try:
            return run_git(*arguments, folder=self._folder, seconds=_SECONDS, stdin=stdin)
        except FileNotFoundError:
            if not self._folder.is_dir():
                raise NoBase("base-no-folder", "this folder does not exist", where=str(self._folder)) from None
            raise NoBase("base-no-git", "git is not installed, so no commit can be read", hint="Install git.") from None
        except subprocess.TimeoutExpired:
            raise NoBase("base-git-hung", f"git did not answer within {_SECONDS} s") from None
        except OSError as error:
            raise NoBase("base-no-git", f"git cannot be run: {error.strerror}") from None

    def _refused(self, said: str) -> NoBase:
        where = str(self._folder)
        if "dubious ownership" in said:
            return NoBase(
                "base-not-trusted",
                "git does not read this repository, because it belongs to another user",
                where=where,
                hint=f"git config --global --add safe.directory {where}",
            )
        if "not a git repository" in said or "must be run in a work tree" in said:
            return NoBase("base-no-repository", "this folder is in no git repository", where=where)
        first = next((line for line in said.split("\n") if line.strip()), "no reason given")
        return NoBase("base-git-failed", f"git failed: {first.removeprefix('fatal: ').strip()}", where=where)


def _short(commit: str, path: str) -> str:
    return f"{commit[:10]}:{path}"
