"""A results folder and the baseline that it is held against, from answers given by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from builders import KEYWORD, answer
from comparison_builders import Answers, methodology

from gate.baselines import baseline_path, render_baseline
from gate.files import write_atomic
from gate.methodology import methodology_hash
from gate.records import Corpus, Run


def baseline(
    folder: Path, of: Corpus, modes: Mapping[str, Answers], *, repeats: Sequence[Answers] = (), **changed: str
) -> Path:
    """The baseline of the embedded store with a run a mode; `changed` are fields of its methodology."""
    fields = methodology(**changed)
    runs = [
        Run(
            replace(KEYWORD, mode=mode),
            {topic: answer(docs) for topic, docs in answers.items()},
            repeats=tuple({topic: answer(docs) for topic, docs in one.items()} for one in repeats),
        )
        for mode, answers in modes.items()
    ]
    header = {
        "store": "reference",
        "corpus": of.name,
        "tier": of.tier,
        "arm": "cpu-hash",
        "methodology": fields,
        "methodology_hash": methodology_hash(fields),
        "scores": {},
    }
    path = baseline_path(folder, "reference", of.name, of.tier, "cpu-hash")
    write_atomic(path, render_baseline(runs, of.topics, of, header, int(fields["depth"])))
    return path
