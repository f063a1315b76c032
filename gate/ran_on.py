"""What an arm with models ran on, and what that means for its results, in words for the report."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from gate.figures import count
from gate.measured import Measured
from gate.measures import RUN_MEASURES
from gate.plan import worth_timing

PARTS = ("embedder", "reranker")


def ran_on(measured: Sequence[Measured]) -> list[str]:
    """One note an arm that has models: device, models, providers; what was cut; and whether time was measured."""
    notes: dict[str, str] = {}
    for one in measured:
        subject, told = one.trial.subject, one.outcome.ingest.environment
        if any(f"{part}.model" in told for part in PARTS):
            timed = worth_timing(one.trial.declared.abilities, looked_up=subject.looked_up)
            notes.setdefault(subject.arm.name, "; ".join(_said(told, timed=timed)))
    return [f"{arm} {said}" for arm, said in notes.items()]


def _said(told: Mapping[str, str], *, timed: bool) -> Iterator[str]:
    driver = f", driver {told['driver']}" if told.get("driver") else ""
    models = [
        f"{part} {told[f'{part}.model']} ({', '.join(_where(told, part))})" for part in PARTS if f"{part}.model" in told
    ]
    yield f"ran on {told.get('device', 'an unknown device')}{driver}: {', '.join(models)}"
    cut = int(told.get("embedder.truncated", "0"))
    if cut:
        yield f"{count(cut, 'document')} longer than its embedder reads, cut there"
    if not timed:
        names = " and ".join(dict.fromkeys(name.partition("-")[0] for name in RUN_MEASURES))
        yield f"no {names} measured, since vectors may come from a cache (`vectors: live` makes them anew)"


def _where(told: Mapping[str, str], part: str) -> Iterator[str]:
    yield told.get(f"{part}.precision", "")
    yield told.get(f"{part}.provider", "")
    if f"{part}.nodes" in told:
        yield f"{told[f'{part}.nodes']} nodes there"
    if f"{part}.threads" in told:
        yield f"threads: {told[f'{part}.threads']}"
