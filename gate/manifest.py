"""How the numbers of a run were made, and what would become its baseline."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from gate.baselines import baseline_path, render_baseline
from gate.files import write_atomic
from gate.measured import Measured
from gate.measures import RUN_MEASURES
from gate.methodology import methodology_hash
from gate.plan import Request
from gate.results import machine
from gate.scope import Scope


def write_baselines(results: Path, measured: Sequence[Measured], scope: Scope, request: Request) -> None:
    """What `gate accept` would make of this run: nothing of one that flags narrowed, or was not measured whole."""
    if scope.narrowed:
        return
    for one in measured:
        trial, outcome = one.trial, one.outcome
        runs = [outcome.runs[key] for key in trial.keys]
        if trial.declared.name != scope.subject_name or any(run.failure for run in runs):
            continue
        corpus, arm = trial.corpus, trial.subject.arm.name
        fields = one.methodology(request.depth)
        header = {
            "store": trial.declared.name,
            "corpus": corpus.name,
            "tier": corpus.tier,
            "arm": arm,
            "methodology": fields,
            "methodology_hash": methodology_hash(fields),
            "fingerprint": dict(outcome.ingest.environment),
            "scores": {
                str(key): cell.value
                for key, cell in one.cells.items()
                if cell.value is not None and key.measure not in RUN_MEASURES
            },
        }
        path = baseline_path(results / "baseline", trial.declared.name, corpus.name, corpus.tier, arm)
        write_atomic(path, render_baseline(runs, corpus.topics, corpus, header, request.depth))


def manifest(request: Request, measured: Sequence[Measured], scope: Scope, seconds: float) -> dict[str, object]:
    """How the numbers were made."""
    settings, flags = request.settings, request.flags
    return {
        "schema": 1,
        "settings": str(settings.path) if settings.path else "",
        "flags": {
            "store": flags.store,
            "corpora": list(flags.corpora),
            "tiers": list(flags.tiers),
            "slices": list(flags.slices),
            "modes": list(flags.modes),
            "arms": list(flags.arms),
            "depth": flags.depth,
            "plant": flags.plant,
            "limit": flags.limit,
        },
        "today": request.today.isoformat(),
        "depth": request.depth,
        "baselines": str(settings.baselines),
        "narrowed": list(scope.narrowed),
        "seconds": round(seconds, 3),
        "machine": machine(),
        "trials": [
            {
                "store": one.trial.declared.name,
                "spec": one.trial.subject.spec,
                "modes": sorted(one.trial.declared.modes),
                "abilities": sorted(one.trial.declared.abilities),
                "arm": one.trial.subject.arm.name,
                "corpus": one.trial.corpus.label,
                "source": one.trial.corpus.source,
                "licence": one.trial.corpus.licence,
                "digest": one.outcome.ingest.digest,
                "pinned": bool(one.trial.corpus.pinned),
                "documents": one.outcome.ingest.documents,
                "topics": len(one.trial.corpus.topics),
                "ingest_seconds": round(one.outcome.ingest.seconds, 3),
                "environment": dict(one.outcome.ingest.environment),
                "methodology": one.methodology(request.depth),
                "methodology_hash": methodology_hash(one.methodology(request.depth)),
                "failure": one.outcome.ingest.failure,
            }
            for one in measured
        ],
    }
