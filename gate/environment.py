"""Where a run ran: the commit, Python, the platform and the packages that results depend on."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import gate

_PACKAGES = ("numpy", "jieba", "PyStemmer", "opencc", "onnxruntime", "onnxruntime-gpu")
# Reading a repository runs nothing of it: neither its hooks nor its file system monitor.
_GIT = ("git", "-c", "core.fsmonitor=false", "-c", f"core.hooksPath={os.devnull}")
_SECONDS = 10


def environment() -> dict[str, Any]:
    """The environment of this process, as a manifest has it. What is not there is None, or not among `packages`."""
    head, dirty = commit()
    return {
        "gate": gate.__version__,
        "commit": head,
        "dirty": dirty,
        "python": platform.python_version(),
        "platform": platform.platform(),
        "processors": os.cpu_count(),
        "packages": dict(_versions()),
        "command": sys.argv[1:],
    }


def commit() -> tuple[str | None, bool | None]:
    """The commit of the current folder's repository, and whether tracked files differ from it; None outside of one."""
    head = _git("rev-parse", "--verify", "HEAD")
    if head is None:
        return None, None
    changed = _git("status", "--porcelain", "--untracked-files=no")
    return head.strip(), None if changed is None else bool(changed.strip())


def _git(*arguments: str) -> str | None:
    """What git says; None where there is no git, no repository, or no answer in time."""
    try:
        done = subprocess.run(
            [*_GIT, *arguments],
            env={**os.environ, "GIT_OPTIONAL_LOCKS": "0"},
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            timeout=_SECONDS,
            check=False,
            stdin=subprocess.DEVNULL,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return None if done.returncode else done.stdout


def _versions() -> Iterator[tuple[str, str]]:
    for name in _PACKAGES:
        try:
            yield name, version(name)
        except PackageNotFoundError:
            continue
