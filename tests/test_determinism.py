"""The same question gives the same bytes: under other hash seeds, in other processes, in another order of arrival."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from conftest import RunGate

from gate.bench import run_trial
from gate.corpus import load_corpus
from gate.corpus.rng import Rng
from gate.faults import FAULTS
from gate.ingest import Subject
from gate.measures import RUN_MEASURES, parse_measure
from gate.models import arm, open_parts
from gate.progress import Silent
from gate.records import Corpus, Document
from gate.runs import render_run
from gate.score import score
from gate.stop import Stop
from gate.stores import find_store
from gate.trial import plan_trial


def results_of(folder: Path) -> tuple[dict[str, bytes], dict[str, Any]]:
    """The run, qrels and baseline files, and the verdict without what a clock decides."""
    files = {
        str(path.relative_to(folder)): path.read_bytes()
        for kind in ("runs", "qrels", "baseline")
        for path in sorted((folder / kind).rglob("*"))
        if path.is_file()
    }
    verdict = json.loads((folder / "verdict.json").read_text(encoding="utf-8"))
    timed = tuple(RUN_MEASURES)
    verdict["cells"] = [cell for cell in verdict["cells"] if not cell["id"].endswith(timed)]
    verdict["checks"] = [
        check
        for check in verdict["checks"]
        if not check["cell"].endswith(timed) and not check["id"].endswith(" within")
    ]
    return files, verdict


def test_runs_scores_and_checks_are_the_same_under_other_hash_seeds(run_gate: RunGate, tmp_path: Path) -> None:
    found = []
    for seed in ("0", "4711"):
        done = run_gate("run", "--tier", "smoke", "--out", f"out-{seed}", "-q", env={"PYTHONHASHSEED": seed})
        assert done.returncode == 0, done.stdout + done.stderr
        found.append(results_of(tmp_path / f"out-{seed}"))
    assert found[0][0].keys() == found[1][0].keys()
    assert len([name for name in found[0][0] if name.endswith(".run")]) >= 10
    assert found[0] == found[1]


def in_another_order(corpus: Corpus) -> Corpus:
    """The same corpus with its sessions shuffled, each kept in its own order."""
    sessions: dict[str, list[Document]] = {}
    for document in corpus.documents():
        sessions.setdefault(document.session_id or document.doc_id, []).append(document)
    order = list(sessions)
    Rng("another order").shuffle(order)

    def documents() -> Iterator[Document]:
        for name in order:
            yield from sessions[name]

    return replace(corpus, documents=documents, pinned="")


@pytest.fixture(scope="module")
def smoke() -> Corpus:
    return load_corpus("seeded@smoke")


def test_runs_and_scores_do_not_depend_on_the_order_of_the_sessions(smoke: Corpus, tmp_path: Path) -> None:
    hashed = arm("cpu-hash")
    stop = Stop()
    measures = [parse_measure(name) for name in ("R@5", "nDCG@10", "Forbidden@10", "Refused")]
    found = []
    for number, corpus in enumerate((smoke, in_another_order(smoke))):
        subject = Subject(
            "reference",
            find_store("reference"),
            hashed,
            open_parts(hashed).embedder,
            None,
            60.0,
            stop,
            lambda store: store,
        )
        declared = subject.declare(tmp_path / f"declare-{number}")
        trial = plan_trial(
            subject, declared, corpus, slices=["*"], modes=[], faults=list(FAULTS.values()), measures=measures
        )
        outcome = run_trial(trial, tmp_path / f"trial-{number}", 100, Silent())
        assert not outcome.ingest.failure
        found.append(
            {
                str(key): (
                    render_run(run, corpus.topics),
                    score(run, trial.topics(key.mode, key.fault), corpus, measures).values,
                )
                for key, run in outcome.runs.items()
            }
        )
    first = next(iter(smoke.documents())).doc_id
    assert next(iter(in_another_order(smoke).documents())).doc_id != first
    assert found[0] == found[1]
