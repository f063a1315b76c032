"""The results folder: one a run, with everything that its verdict rests on."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import gate
from gate.errors import UsageError
from gate.files import read_text, write_atomic
from gate.records import Corpus, Run
from gate.runs import render_qrels, render_run

MARKER = ".gate-results"
VERDICT = "verdict.json"
MANIFEST = "manifest.json"
LOG = "store.log"
# The marker of a shard's folder, which is no results folder: nobody judged what is in it.
SHARD_MARKER = ".gate-shard"
# What a run writes, and the next one may remove. Whatever else stands in the folder is somebody's.
_OURS = (
    MANIFEST,
    "runs/*.run",
    "runs/*.run.partial",
    "qrels/*.qrels",
    "topics/*.json",
    "answers/*.json",
    "baseline/*/*.jsonl",
    # What a write that was killed left behind.
    ".*.tmp",
    "runs/.*.tmp",
    "qrels/.*.tmp",
    "topics/.*.tmp",
    "answers/.*.tmp",
    "baseline/*/.*.tmp",
)
_FOLDERS = ("runs", "qrels", "topics", "answers", "baseline")


@contextmanager
def results_folder(
    folder: Path, views: Iterable[str], marker_name: str = MARKER, what: str = "a run"
) -> Iterator[Path]:
    """The folder, locked, without a verdict and its `views`. `clear` it once nothing stands against a run any more.

    The marker tells the results of a run from those of another command, which `what` names: none
    writes over another's. Raises UsageError where the folder cannot be written, is in use, or holds
    something else than such results: no result is worth a person's files.
    """
    with _said_plainly(folder):
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()) and not (folder / marker_name).is_file():
            raise UsageError(
                "results-not-ours",
                f"this folder holds files that are not the results of {what}",
                where=str(folder),
                hint="Give an empty or a new folder with --out.",
            )
        marker = os.open(folder / marker_name, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        with _said_plainly(folder):
            _lock(marker, folder)
            os.ftruncate(marker, 0)
            told = f"Results of retrieval-gate {gate.__version__}. The next run into this folder replaces them.\n"
            os.write(marker, told.encode())
            # An old verdict must not be taken for this run's, however it ends, and no view of it either.
            for name in (VERDICT, *views):
                (folder / name).unlink(missing_ok=True)
            _check_log(folder / LOG)
        yield folder
        with suppress(OSError):
            # A store that removed the folder took the marker along.
            (folder / marker_name).touch()
    finally:
        os.close(marker)


@contextmanager
def _said_plainly(folder: Path) -> Iterator[None]:
    """What a file system refuses, as a sentence."""
    try:
        yield
    except OSError as error:
        raise UsageError(
            "results-unwritable",
            f"results cannot be written here: {error.strerror}",
            where=str(folder),
            hint="Give a folder that can be written with --out.",
        ) from None


def _check_log(log: Path) -> None:
    """A pipe would keep us waiting for a reader, and a folder cannot be written."""
    if log.exists() and not log.is_file():
        raise UsageError(
            "results-special",
            "this is no ordinary file, and what a store prints goes there",
            where=str(log),
            hint="Remove it, or give another folder with --out.",
        )


def clear(folder: Path, reports: Iterable[str]) -> None:
    """Removes what an earlier run wrote, its reports first, and the folders that are empty then. Raises UsageError."""
    with _said_plainly(folder):
        for own in (folder / name for name in (*_FOLDERS, "checkpoints")):
            if own.is_symlink():
                raise UsageError(
                    "results-linked",
                    "this is a link, and what it leads to is not ours",
                    where=str(own),
                    hint="Remove the link, or give another folder with --out.",
                )
        for pattern in (*reports, *_OURS):
            for file in sorted(folder.glob(pattern)):
                file.unlink()
    for inner in (*folder.glob("baseline/*"), *(folder / name for name in _FOLDERS)):
        with suppress(OSError):
            inner.rmdir()


def _lock(descriptor: int, folder: Path) -> None:
    """One run a folder at a time. Where the system or the file system has no such locks, nobody is kept out."""
    try:
        import fcntl
    except ImportError:
        return
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise UsageError(
            "results-in-use",
            "another run is writing its results here",
            where=str(folder),
            hint="Wait for it, or give another folder with --out.",
        ) from None
    except OSError:
        return


def write_runs(folder: Path, runs: Iterable[Run], corpora: Mapping[tuple[str, str], Corpus]) -> None:
    """One TREC file a run, one qrels file a corpus. A run that is not whole ends in `.partial`: nobody scores it."""
    for run in runs:
        if run.results:
            corpus = corpora[run.key.corpus, run.key.tier]
            name = run.key.file_name + (".partial" if run.failure else "")
            write_atomic(folder / "runs" / name, render_run(run, corpus.topics), durable=False)
    for corpus in corpora.values():
        write_atomic(folder / "qrels" / f"{corpus.name}.{corpus.tier}.qrels", render_qrels(corpus), durable=False)


def unfinished(folder: Path, what: str, hint: str) -> tuple[str, str]:
    """What is wrong with a folder without a verdict, and what to do: `what` and `hint`, unless a shard stands there."""
    if (folder / SHARD_MARKER).is_file():
        return "this is a shard, a part of a run that nobody has judged", "Judge all of its parts with `gate merge`."
    return what, hint


def read_manifest(folder: Path) -> Mapping[str, Any]:
    """What a run says of itself; empty where that cannot be read. Nobody has checked what its parts are."""
    try:
        data = json.loads(read_text(folder / MANIFEST, "manifest"))
    except (UsageError, ValueError, RecursionError):
        return {}
    return data if isinstance(data, dict) else {}
