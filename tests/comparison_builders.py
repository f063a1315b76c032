"""Results folders as `gate run` writes them, from answers given by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from builders import KEYWORD, corpus

from gate.files import canonical_json, write_atomic
from gate.measures import parse_measure
from gate.plan import plan_cells
from gate.questions import write_questions
from gate.records import Cell, Corpus, Ingest, Run, RunKey, Slice, TopicResult, Verdict
from gate.report.json import to_json
from gate.results import MANIFEST, VERDICT, write_runs
from gate.score import cell_of, score
from gate.verdict import decide

MEASURES = ("R@5", "nDCG@10", "Forbidden@10", "Refused", "FalseRefused", "latency-p50")
INGEST = Ingest("f7da07ee", 1, 1.0)
Answers = Mapping[str, Sequence[str]]


def topics(number: int) -> list[str]:
    return [f"q{n:03}" for n in range(number)]


def subject(number: int = 30, *, part: int = 10, forbidden: Mapping[str, Mapping[str, str]] | None = None) -> Corpus:
    """A corpus of so many topics with one relevant document each, `d-TOPIC`; the first ones are the slice `first`."""
    names = topics(number)
    return corpus({t: {f"d-{t}": 1} for t in names}, forbidden=forbidden, slices={"first": names[:part]})


def found(number: int = 30, *, lost: Sequence[int] = ()) -> dict[str, list[str]]:
    """Answers that hold every relevant document at rank 1, but those of the topics lost."""
    return {t: ["x", "y"] if n in lost else [f"d-{t}", "x"] for n, t in enumerate(topics(number))}


def methodology(**changed: str) -> dict[str, str]:
    return {"corpus": "f7da07ee", "depth": "100", "arm": "cpu-hash", "embedder": "none", **changed}


def results(
    folder: Path,
    modes: Mapping[str, Answers | str],
    of: Corpus | None = None,
    *,
    store: str = "reference",
    fields: Mapping[str, str] | None = None,
    slices: Sequence[str] = ("all", "first"),
    interrupted: bool = False,
    planted: str = "",
    refused: Sequence[str] = (),
) -> Path:
    """A results folder of one store with a run a mode; a text in place of answers is why the run failed."""
    asked = of or subject()
    runs = [_run(replace(KEYWORD, store=store, mode=mode), answers, refused) for mode, answers in modes.items()]
    write_runs(folder, runs, {(asked.name, asked.tier): asked})
    write_questions(folder, runs, [asked])
    manifest = {
        "schema": 1,
        "environment": {"commit": None},
        "trials": [
            {"store": store, "corpus": asked.label, "arm": "cpu-hash", "methodology": dict(fields or methodology())}
        ],
    }
    write_atomic(folder / MANIFEST, canonical_json(manifest))
    verdict = _verdict(runs, asked, slices, interrupted=interrupted)
    write_atomic(folder / VERDICT, to_json(replace(verdict, planted=planted)))
    return folder


def _run(key: RunKey, answers: Answers | str, refused: Sequence[str]) -> Run:
    if isinstance(answers, str):
        return Run(key, {}, answers)
    made = {
        topic: TopicResult(tuple(docs), 0, 0, not docs or topic in refused, frozenset(), 1.0)
        for topic, docs in answers.items()
    }
    return Run(key, made)


def _verdict(runs: Sequence[Run], asked: Corpus, slices: Sequence[str], *, interrupted: bool) -> Verdict:
    measures = [parse_measure(name) for name in MEASURES]
    members = {name: tuple(t for t in asked.topics if name == "all" or name in t.slices) for name in (*slices, "all")}
    parts = [Slice(name, "") for name in slices]
    cells: list[Cell] = []
    for run in runs:
        ran = [t for t in asked.topics if t.topic_id in run.results]
        scored = score(run, ran, asked, [measure for measure in measures if measure.name != "latency-p50"])
        for key in plan_cells([run.key], parts, measures, members, asked):
            of = [t for t in members[key.slice] if t.topic_id in run.results]
            cells.append(cell_of(key, run, scored, of, INGEST))
    return decide([], cells, interrupted=interrupted)
