"""A results folder as whoever reads it finds it: the verdict of a finished run and what the run says of itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gate.errors import UsageError
from gate.files import read_text
from gate.records import Verdict
from gate.report.json import from_json
from gate.results import VERDICT, read_manifest, unfinished


@dataclass(frozen=True, slots=True)
class Finished:
    """`manifest` is empty where it cannot be read, and nobody has checked what its parts are."""

    verdict: Verdict
    manifest: Mapping[str, Any]


def is_finished(folder: Path) -> bool:
    """Whether a run ended in this folder."""
    return (folder / VERDICT).is_file()


def read_finished(folder: Path) -> Finished:
    """The run that ended in this folder. Raises UsageError where none did, or its verdict cannot be read."""
    if not is_finished(folder):
        what, hint = unfinished(
            folder,
            "there is no finished run in this folder" if folder.exists() else "there is no such folder",
            "Run `gate run` first, or name the folder that it wrote to.",
        )
        raise UsageError("no-results", what, where=str(folder), hint=hint)
    path = folder / VERDICT
    return Finished(from_json(read_text(path, "verdict"), path), read_manifest(folder))
