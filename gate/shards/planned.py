"""What a shard and its merge must have planned alike, before the answers of the one are judged by the other."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256

from gate.files import canonical_json
from gate.measured import Measured
from gate.outcome import Outcome
from gate.plan import Request
from gate.records import Ingest
from gate.resume import topics_asked
from gate.trial import Trial


def planned(trial: Trial, request: Request) -> dict[str, str]:
    """What is asked of a trial, in the order in which a difference is named: no budgets, no baselines."""
    subject, declared = trial.subject, trial.declared
    fields = Measured(trial, Outcome(Ingest("", 0, 0.0), {}), {}, {}).methodology(request.depth)
    fields.pop("corpus")
    return {
        "store": subject.spec,
        "store name": declared.name,
        "modes": ", ".join(sorted(declared.modes)),
        "abilities": ", ".join(sorted(declared.abilities)),
        "planted defect": request.flags.plant or "none",
        "corpus": trial.corpus.label,
        **fields,
        "runs": ", ".join(f"{key.mode}/{key.fault}" for key in trial.keys),
        "topics": topics_asked(trial),
        "repeats": str(trial.repeats),
        "timeout": f"{subject.timeout:g}",
        "fail_open.within": f"{trial.within:g}",
    }


def digest_of(trials: Sequence[Trial], request: Request) -> str:
    """Sixteen hex digits of the SHA-256 of what is planned of all trials."""
    plan = [planned(trial, request) for trial in trials]
    return sha256(canonical_json(plan).encode("utf-8", "surrogatepass")).hexdigest()[:16]
