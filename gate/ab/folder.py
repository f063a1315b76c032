"""One side of a comparison, from a results folder that `gate run` wrote."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from gate.ab.records import Side
from gate.errors import UsageError
from gate.files import read_text
from gate.measures import RUN_MEASURES, parse_measure
from gate.questions import answers_path, read_answers, read_topics, topics_path
from gate.records import Corpus, Run, RunKey, Verdict
from gate.report.json import from_json
from gate.results import MANIFEST, VERDICT, unfinished
from gate.trec import read_qrels, read_run


def read_folder(folder: Path, name: str) -> Side:
    """The side that a results folder holds. Runs are read when they are asked for.

    Raises UsageError where the folder holds no finished run, or a file of it cannot be used.
    """
    if not (folder / VERDICT).is_file():
        what, hint = unfinished(
            folder,
            "there is no finished run here" if folder.exists() else "there is no such folder",
            "Run `gate run` first, or name the folder that it wrote to.",
        )
        raise UsageError("compare-no-results", what, where=str(folder), hint=hint)
    verdict = from_json(read_text(folder / VERDICT, "verdict"), folder / VERDICT)
    manifest = _manifest(folder / MANIFEST)
    planned = tuple(dict.fromkeys(cell.key.run for cell in verdict.cells))
    if not planned:
        raise UsageError("compare-nothing-planned", "this run planned no cell", where=str(folder))
    slices: dict[RunKey, dict[str, None]] = {}
    for cell in verdict.cells:
        slices.setdefault(cell.key.run, {})[cell.key.slice] = None
    asked = {cell.key.measure for cell in verdict.cells}
    named = {f"{key.corpus}@{key.tier}": key for key in planned}
    corpora = {label: _corpus(folder, key) for label, key in named.items()}
    return Side(
        name=name,
        place=str(folder),
        about=manifest.about,
        subject=manifest.subject,
        runs=planned,
        slices={key: tuple(names) for key, names in slices.items()},
        measures=tuple(sorted(m for m in asked if parse_measure(m).name not in RUN_MEASURES)),
        methodology={key: manifest.methodology(key, folder) for key in planned},
        corpora=corpora,
        load=partial(_load, folder, _failures(verdict)),
        notes=tuple(f"{name}: {note}" for note in _notes(verdict)),
    )


def _notes(verdict: Verdict) -> list[str]:
    """What a reader of the comparison has to know of the run."""
    told = []
    if verdict.planted:
        told.append(f"a defect was planted: {verdict.planted}")
    if verdict.verdict == "INTERRUPTED":
        told.append("this run was interrupted, and not all of it was measured")
    return told


def _failures(verdict: Verdict) -> dict[RunKey, str]:
    """Why a run was not measured, for those that were not: no cell of such a run has a value."""
    reasons: dict[RunKey, str] = {}
    whole = {cell.key.run for cell in verdict.cells if cell.value is not None}
    for cell in verdict.cells:
        if cell.key.run not in whole:
            reasons.setdefault(cell.key.run, cell.reason or cell.status)
    return reasons


class _Manifest:
    """What a comparison needs of a manifest."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        trials = [(str(t["store"]), str(t["corpus"]), str(t["arm"]), t["methodology"]) for t in data["trials"]]
        self._fields = {
            (store, corpus, arm): {str(key): str(value) for key, value in fields.items()}
            for store, corpus, arm, fields in trials
        }
        self.subject = trials[0][0]
        commit = str(data["environment"]["commit"] or "")
        self.about = ", ".join(part for part in (self.subject, f"commit {commit[:12]}" if commit else "") if part)

    def methodology(self, key: RunKey, folder: Path) -> Mapping[str, str]:
        trial = (key.store, f"{key.corpus}@{key.tier}", key.arm)
        if trial not in self._fields:
            raise UsageError(
                "compare-manifest",
                f"the manifest says nothing of {key}, which the verdict speaks of",
                where=str(folder / MANIFEST),
                hint="Make the results again with gate run.",
            )
        return self._fields[trial]


def _manifest(path: Path) -> _Manifest:
    try:
        return _Manifest(json.loads(read_text(path, "manifest")))
    except (ValueError, KeyError, IndexError, TypeError, AttributeError, RecursionError):
        raise UsageError(
            "compare-manifest",
            "this manifest cannot be read, so nobody knows how the results were made",
            where=str(path),
            hint="Make the results again with gate run.",
        ) from None


def _corpus(folder: Path, key: RunKey) -> Corpus:
    path = topics_path(folder, key.corpus, key.tier)
    if not path.is_file():
        raise UsageError(
            "compare-no-topics",
            "the topics are not in this folder, so nothing can be paired on them",
            where=str(path),
            hint="An older gate wrote it, or a part of it was removed: make the results again with gate run.",
        )
    grades = read_qrels(folder / "qrels" / f"{key.corpus}.{key.tier}.qrels")
    return read_topics(path, {_own(t): {_own(doc): grade for doc, grade in of.items()} for t, of in grades.items()})


def _load(folder: Path, failures: Mapping[RunKey, str], key: RunKey) -> Run:
    """One run, with the reason where it is not whole."""
    if key in failures:
        return Run(key, {}, failures[key])
    path, answers = folder / "runs" / key.file_name, answers_path(folder, key)
    # A run in which no topic found anything has a file too, an empty one.
    missing = next((file for file in (path, answers) if not file.is_file()), None)
    if missing is not None:
        return Run(key, {}, f"{missing.relative_to(folder).as_posix()} is missing")
    ranked = {_own(topic): tuple(map(_own, documents)) for topic, documents in read_run(path).items()}
    return read_answers(answers, key, ranked)


def _own(identifier: str) -> str:
    """An id as the corpus has it: `gate.runs.trec_id` undone."""
    return unquote(identifier, errors="surrogatepass") if "%" in identifier else identifier
