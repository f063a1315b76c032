"""Running git to read a repository: nothing of it is run, nothing is written, nobody is asked anything."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

# Neither hooks nor a file system monitor, which are programs that a repository's configuration may name.
_QUIET = ("--no-pager", "--no-replace-objects", "-c", "core.fsmonitor=false", "-c", f"core.hooksPath={os.devnull}")


def run_git(
    *arguments: str, folder: Path, seconds: float, stdin: bytes = b"", environment: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[bytes]:
    """Git in a folder, whatever its exit code. Raises OSError where it cannot be run, and TimeoutExpired.

    None of the caller's `GIT_*` variables reach it: a hook has some, and they name another work tree. Those in
    `environment` do.
    """
    return subprocess.run(
        ["git", *_QUIET, *arguments],
        cwd=folder,
        env={**_environment(), **(environment or {})},
        input=stdin,
        capture_output=True,
        timeout=seconds,
        check=False,
    )


def ask_git(*arguments: str, folder: Path, seconds: float = 10) -> str | None:
    """What git prints; None where there is no git, no repository, no such thing, or no answer in time."""
    try:
        done = run_git(*arguments, folder=folder, seconds=seconds)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return None if done.returncode else done.stdout.decode("utf-8", "replace")


def _environment() -> dict[str, str]:
    """The caller's environment without what would point git elsewhere, and without anything that could ask or wait."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    return {
        **kept,
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_LITERAL_PATHSPECS": "1",
        "LC_ALL": "C",
    }
