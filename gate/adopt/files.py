"""Files to be written all together or not at all, and never over what somebody else wrote.

A file that is there already stays unless it is told otherwise, and is copied aside before it is replaced.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

from gate.errors import UsageError
from gate.files import write_atomic

WRITTEN, REPLACED, EXTENDED, UNCHANGED, LEFT, SKIPPED = (
    "written", "replaced", "extended", "unchanged", "left", "skipped",
)  # fmt: skip
CHANGES = frozenset({WRITTEN, REPLACED, EXTENDED})


@dataclass(frozen=True, slots=True)
class Outcome:
    """What becomes of one file: `state` is one of the constants above, `says` why, `lines` what to add by hand."""

    path: Path
    state: str
    says: str = ""
    text: str = ""
    lines: str = ""
    executable: bool = False


@dataclass(slots=True)
class Transaction:
    """Writes files, and takes back what it wrote where one of them cannot be written, or the whole is given up."""

    # Path, bytes and mode; None where there was no file.
    _before: list[tuple[Path, bytes | None, int]] = field(default_factory=list)
    _folders: list[Path] = field(default_factory=list)

    def write(self, outcomes: Iterable[Outcome]) -> list[Outcome]:
        """Writes those that change something; returns all, each replaced one with the name of its copy."""
        return [self._one(outcome) for outcome in outcomes]

    def watch(self, paths: Iterable[Path]) -> None:
        """Takes these back too, which somebody else is about to write."""
        for path in paths:
            self._remember(path)

    def undo(self) -> None:
        """Everything as it was before. What cannot be put back stays: its copy is beside it."""
        for path, old, mode in reversed(self._before):
            with suppress(OSError, UsageError):
                if old is None:
                    path.unlink()
                else:
                    path.write_bytes(old)
                    os.chmod(path, mode)
        for folder in reversed(self._folders):
            with suppress(OSError):
                folder.rmdir()
        self._before.clear()
        self._folders.clear()

    def _one(self, outcome: Outcome) -> Outcome:
        if outcome.state not in CHANGES:
            return outcome
        says = outcome.says
        self._remember(outcome.path)
        if outcome.state == REPLACED:
            copy = self._aside(outcome.path)
            says = f"{says}; the one before is {copy.name}".lstrip("; ")
        write_atomic(outcome.path, outcome.text)
        if outcome.executable:
            os.chmod(outcome.path, 0o755)
        return Outcome(outcome.path, outcome.state, says, outcome.text, outcome.lines, outcome.executable)

    def _remember(self, path: Path) -> None:
        missing = []
        for parent in path.parents:
            if parent.exists():
                break
            missing.append(parent)
        self._folders += [one for one in reversed(missing) if one not in self._folders]
        try:
            self._before.append((path, path.read_bytes(), path.stat().st_mode & 0o777))
        except FileNotFoundError:
            self._before.append((path, None, 0))
        except OSError as error:
            raise _unwritable(path, error) from None

    def _aside(self, path: Path) -> Path:
        """A copy of a file beside it, under a name that nothing has yet."""
        names = (f"{path.name}.bak" if number == 1 else f"{path.name}.bak.{number}" for number in count(1))
        copy = next(one for name in names if not os.path.lexists(one := path.with_name(name)))
        try:
            with copy.open("xb") as file:
                file.write(path.read_bytes())
        except OSError as error:
            raise _unwritable(copy, error) from None
        self._before.append((copy, None, 0))
        return copy


def planned(path: Path, text: str, top: Sequence[Path], *, force: bool = False, executable: bool = False) -> Outcome:
    """What has to become of a file that should hold this text. Raises UsageError where it would leave `top`."""
    inside(path, top)
    if not os.path.lexists(path):
        return Outcome(path, WRITTEN, text=text, executable=executable)
    if path.is_symlink():
        return Outcome(path, LEFT, "it is a link")
    if not path.is_file():
        return Outcome(path, LEFT, "it is no file")
    if same(path, text):
        return Outcome(path, UNCHANGED)
    if force:
        return Outcome(path, REPLACED, text=text, executable=executable)
    return Outcome(path, LEFT, "it is there already; --force replaces it")


def inside(path: Path, top: Sequence[Path]) -> None:
    """Raises UsageError where links lead from a path out of the folders that may be written to."""
    parent = path.parent.resolve()
    if not any(parent.is_relative_to(folder.resolve()) for folder in top):
        raise UsageError(
            "init-outside",
            "this leads out of the repository, so nothing is written there",
            where=str(path),
            hint="Replace the link on the way by a folder.",
        )


def same(path: Path, text: str) -> bool:
    """Whether a file holds this text, whatever ends its lines."""
    try:
        return path.read_bytes().replace(b"\r\n", b"\n") == text.encode("utf-8")
    except OSError:
        return False


def _unwritable(path: Path, error: OSError) -> UsageError:
    return UsageError(
        "file-unwritable",
        f"this file cannot be written: {error.strerror or error}",
        where=str(path),
        hint="Choose another folder, or make this one writable.",
    )
