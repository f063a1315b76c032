"""Where a run ran: the commit, Python, the platform and the packages that results depend on."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import gate
from gate.git import ask_git

_PACKAGES = ("numpy", "jieba", "PyStemmer", "opencc", "onnxruntime", "onnxruntime-gpu")


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
    here = Path.cwd()
    head = ask_git("rev-parse", "--verify", "HEAD", folder=here)
    if head is None:
        return None, None
    changed = ask_git("status", "--porcelain", "--untracked-files=no", folder=here)
    return head.strip(), None if changed is None else bool(changed.strip())


def _versions() -> Iterator[tuple[str, str]]:
    for name in _PACKAGES:
        try:
            yield name, version(name)
        except PackageNotFoundError:
            continue
