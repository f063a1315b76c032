"""How the numbers of a run were made, and what would become its baseline."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from gate.baselines import baseline_path, render_baseline
from gate.corpus import READ_TIER
from gate.corpus.recipe import load_recipe
from gate.environment import environment
from gate.files import write_atomic
from gate.measured import Measured
from gate.measures import RUN_MEASURES, version_of
from gate.methodology import methodology_hash
from gate.plan import Request
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
            **_versions(key.measure for key in one.cells),
            "scores": {
                str(key): cell.value
                for key, cell in one.cells.items()
                if cell.value is not None and key.measure not in RUN_MEASURES
            },
        }
        path = baseline_path(results / "baseline", trial.declared.name, corpus.name, corpus.tier, arm)
        write_atomic(path, render_baseline(runs, corpus.topics, corpus, header, request.depth))


def _versions(measures: Iterable[str]) -> dict[str, dict[str, int]]:
    """The versions of the measures whose definition changed since their first; nothing where none did."""
    versions = {name: version_of(name) for name in measures}
    changed = {name: version for name, version in versions.items() if version > 1}
    return {"versions": changed} if changed else {}


def manifest(request: Request, measured: Sequence[Measured], scope: Scope, seconds: float) -> dict[str, object]:
    """How the numbers were made, as `manifest.schema.json` has it: what holds for the run, then trial by trial."""
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
            "granularity": flags.granularity,
            "dedup": flags.dedup,
        },
        "today": request.today.isoformat(),
        "baselines": str(settings.baselines),
        "narrowed": list(scope.narrowed),
        "seconds": round(seconds, 3),
        "environment": environment(),
        "trials": [_trial(one, request) for one in measured],
    }


def _trial(one: Measured, request: Request) -> dict[str, object]:
    trial, ingest = one.trial, one.outcome.ingest
    corpus, subject = trial.corpus, trial.subject
    fields = one.methodology(request.depth)
    return {
        "store": trial.declared.name,
        "corpus": corpus.label,
        "arm": subject.arm.name,
        "dataset": {
            "name": corpus.name,
            "tier": corpus.tier,
            "digest": ingest.digest,
            "pinned": bool(corpus.pinned),
            "source": corpus.source,
            "licence": corpus.licence,
            "topics": len(corpus.topics),
        },
        "protocol": {
            "granularity": request.granularity,
            "depth": request.depth,
            "dedup": request.dedup,
            "repeats": trial.repeats,
            "seeds": {} if corpus.tier == READ_TIER else {"corpus": load_recipe(corpus.name).seed},
        },
        "system": {
            "store": subject.spec,
            "modes": list(dict.fromkeys(key.mode for key in trial.keys)),
            "faults": list(dict.fromkeys(key.fault for key in trial.keys)),
            "declared": {"modes": sorted(trial.declared.modes), "abilities": sorted(trial.declared.abilities)},
            "embedder": fields["embedder"],
            "reranker": fields["reranker"],
            "environment": dict(ingest.environment),
        },
        "scoring": {
            "judged": "session" if request.dedup else request.granularity,
            "measures": {name: version_of(name) for name in dict.fromkeys(key.measure for key in trial.cells)},
        },
        "ingest": {
            "stored": ingest.documents,
            "seconds": round(ingest.seconds, 3),
            "failure": ingest.failure,
        },
        "methodology": fields,
        "comparability": {
            "hash": methodology_hash(fields),
            "says": f"only with results of the same hash: the same {_listed(list(fields))}",
        },
    }


def _listed(names: Sequence[str]) -> str:
    return f"{', '.join(names[:-1])} and {names[-1]}"
