"""Which earlier answers a run may go on from: those to the same questions, by the same code, on the same corpus.

The corpus is stored again from the start, so that only answers are taken from an earlier run,
never a state of the store. Everything that could change an answer is in the identity of a checkpoint.
"""

from __future__ import annotations

import platform
from collections.abc import Callable, Iterable
from hashlib import sha256
from pathlib import Path

import gate
from gate.asking import Share
from gate.checkpoints import FOLDER, Checkpoint
from gate.figures import count
from gate.files import canonical_json
from gate.measured import Measured
from gate.outcome import Outcome
from gate.plan import Request
from gate.records import Ingest
from gate.sources import gate_code, packages, store_code
from gate.trial import Trial


class Resume:
    """The checkpoints of one results folder, a trial at a time. Hold the folder's lock while it is used."""

    def __init__(self, results: Path, request: Request) -> None:
        self._folder, self._request = results / FOLDER, request
        self._opened: list[tuple[Trial, Checkpoint]] = []

    def open(self, trial: Trial, stored: Ingest) -> Checkpoint:
        """The checkpoint of a trial whose corpus was just stored."""
        subject, corpus = trial.subject, trial.corpus
        name = f"{trial.declared.name}.{corpus.name}.{corpus.tier}.{subject.arm.name}"
        checkpoint = Checkpoint(self._folder / name, identity(trial, stored, self._request), fresh=self._request.fresh)
        self._opened.append((trial, checkpoint))
        return checkpoint

    def notes(self, *, interrupted: bool, part: Callable[[Trial], Share] | None = None) -> Iterable[str]:
        """What a reader has to know of answers that an earlier run gave, and of those that are kept for the next.

        `part` gives what was asked of a trial, None where all was.
        """
        for trial, checkpoint in self._opened:
            own = part(trial) if part is not None else None
            asked = searches_of(trial, own)
            if checkpoint.resumed:
                yield (
                    f"{trial.label}: resumed: {checkpoint.resumed} of {count(asked, 'search', 'searches')}"
                    " were answered by an earlier run of the same code, and not asked again"
                )
            if checkpoint.refused:
                yield f"{trial.label}: the checkpoint of an earlier run is not used: {checkpoint.refused}"
            if checkpoint.damaged:
                lost = count(checkpoint.damaged, "block")
                yield f"{trial.label}: {lost} of the checkpoint could not be believed; what was lost was asked again"
            if checkpoint.failure:
                yield f"{trial.label}: no more than this could be kept for a later run: {checkpoint.failure}"
            if interrupted and checkpoint.kept:
                failed = f", {count(checkpoint.errors, 'error')} among them" if checkpoint.errors else ""
                yield (
                    f"{trial.label}: {count(checkpoint.kept, 'search', 'searches')} are kept{failed}: the same command"
                    " goes on from there, and with --fresh it starts anew"
                )

    def finish(self, *, narrowed: bool) -> None:
        """Removes what a run that came to its end needs no more. Call it once its verdict is written."""
        for trial, checkpoint in self._opened:
            checkpoint.finish(whole=not narrowed, limited=trial.unlimited is not None)


def identity(trial: Trial, stored: Ingest, request: Request) -> dict[str, str]:
    """All that two runs must have in common before one takes the other's answers, in the order in which it is named."""
    whole = trial.unlimited or trial
    subject, declared = trial.subject, trial.declared
    unmeasured = Measured(trial, Outcome(stored, {}), {}, {})
    return {
        **unmeasured.methodology(request.depth),
        "store": subject.spec,
        "store name": declared.name,
        "abilities": ", ".join(sorted(declared.abilities)),
        "planted defect": request.flags.plant or "none",
        "runs": ", ".join(f"{key.mode}/{key.fault}" for key in whole.keys),
        "topics": topics_asked(whole),
        "timeout": f"{subject.timeout:g}",
        "fail_open.within": f"{trial.within:g}",
        # Not what is answered hangs on these two, but what is kept with it: how long it took, and the scores.
        "vectors of queries": "perhaps looked up" if subject.looked_up else "made for each search",
        "scores": "kept" if trial.scored else "left out",
        **{f"environment of the store, {key}": value for key, value in stored.environment.items()},
        "code of the store": store_code(subject.spec, subject.open_store),
        "gate": gate.__version__,
        "code of the gate": gate_code(),
        "Python": platform.python_version(),
        **{f"package {name}": version for name, version in packages().items()},
    }


def searches_of(trial: Trial, share: Share | None = None) -> int:
    """How many searches a trial takes, or a share of it."""
    return sum(len(trial.question(key, share).own) for key in trial.keys)


def topics_asked(trial: Trial) -> str:
    """The topics asked in each mode, as a number of searches in health and a digest."""
    asked = {key.mode: [topic.topic_id for topic in trial.topics(key.mode)] for key in trial.keys}
    digest = sha256(canonical_json(asked).encode("utf-8", "surrogatepass")).hexdigest()[:16]
    return f"{count(sum(map(len, asked.values())), 'search', 'searches')} in health ({digest})"
