"""Paths that people name, and what the system says of them, in words."""

from __future__ import annotations

import errno
import stat
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

from gate.errors import UsageError


def at_home(named: str, by: str = "") -> Path:
    """A path with `~` replaced. `by` is the variable that names it. Raises UsageError where nobody has that home."""
    try:
        return Path(named).expanduser()
    except RuntimeError:
        told = f"{by} names a home folder that nobody has" if by else "this is in a home folder that nobody has"
        raise UsageError("home-unknown", told, where=named, hint="Write the path out, from / on.") from None


def is_file(path: Path) -> bool:
    """Whether a file is there. Raises UsageError where the system does not say."""
    return _asked(path, path.is_file)


def is_folder_there(path: Path) -> bool:
    """Whether a folder is there. Raises UsageError where the system does not say."""
    return _asked(path, path.is_dir)


def open_file(path: Path) -> BinaryIO:
    """A file to read. Raises OSError, also for a pipe, which would be waited for, and a device, which may never end."""
    mode = path.stat().st_mode
    if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
        raise OSError(errno.EINVAL, "it is no file, but a pipe, a socket or a device")
    return path.open("rb")


def _asked(path: Path, question: Callable[[], bool]) -> bool:
    try:
        return question()
    except OSError as error:
        said = f"the system does not say whether this is there: {error.strerror or error}"
        raise UsageError(
            "path-unreadable", said, where=str(path), hint="Check the path, and who may read it."
        ) from None
