"""The folder that a shard writes: what it was asked for and what came of each search. It holds no verdict.

    shard.json    which shard this is, the flags, what the stores declare, and how each trial was stored
    searches/     one file a trial, one line a search: stage, why, mode, topic, what came of it
    store.log     what the stores printed

`shard.json` is written last, and names the SHA-256 of every other file.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from gate.checkpoints import Asked
from gate.errors import NotMeasured, UsageError
from gate.files import read_text, write_atomic
from gate.opening import Opened
from gate.plain import from_plain, to_json
from gate.plan import Flags
from gate.records import Check, Ingest
from gate.results import MARKER, SHARD_MARKER
from gate.shards.part import Part
from gate.transcript import Stage, Transcript

FORMAT = 2
FILE = "shard.json"
FOLDER = "searches"
_SAYS = "A part of a run. It judges nothing: gate merge, with all its parts, does."
Pairs = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Searched:
    """One trial of a shard.

    `plan` is what was asked of it, `identity` what its answers rest on: empty where the corpus
    was not stored. `stages` are names, each with why it could not be opened and not opened again.
    """

    label: str
    file: str
    sha256: str
    plan: Pairs
    identity: Pairs
    digest: str
    documents: int
    seconds: float
    environment: Pairs
    failure: str
    unclosed: str
    stages: tuple[tuple[str, str, str], ...]


@dataclass(frozen=True, slots=True)
class Shard:
    """One shard. `plan` is the digest of what was planned of all trials; `code` that of the gate's own files.

    `probes` are what the first shard saw, which looks at the probes for all.

    `attempt` is the attempt of the CI run that made it: of two of a shard the later one counts.
    `unmeasured` says of all that should have been measured and was not, a sentence each.
    """

    number: int
    of: int
    attempt: int
    exit_code: int
    gate: str
    code: str
    plan: str
    flags: Flags
    opened: tuple[Opened, ...]
    trials: tuple[Searched, ...]
    unmeasured: tuple[str, ...]
    notes: tuple[str, ...]
    seconds: float
    probes: tuple[Check, ...] = ()

    @property
    def part(self) -> Part:
        return Part(self.number, self.of)


@dataclass(frozen=True, slots=True)
class Written:
    """A shard as it lies in a folder: with its transcripts by the label of the trial, and where it ran."""

    folder: Path
    shard: Shard
    environment: Mapping[str, Any]
    transcripts: Mapping[str, Transcript]


def write_searches(results: Path, name: str, transcript: Transcript) -> str:
    """One trial's file. Its SHA-256."""
    lines = [
        to_json((stage, *place, asked)) + "\n"
        for stage, kept in transcript.stages.items()
        for place, asked in kept.asked.items()
    ]
    body = "".join(lines)
    write_atomic(results / FOLDER / name, body)
    return sha256(body.encode()).hexdigest()


def write_shard(results: Path, shard: Shard, environment: Mapping[str, Any]) -> None:
    """The file that makes a folder a shard, written last."""
    body = to_json({"format": FORMAT, "says": _SAYS, "environment": environment, "shard": shard})
    write_atomic(results / FILE, body + "\n")


def read_shard(folder: Path) -> Written:
    """The shard in a folder, with its searches. Raises NotMeasured where there is none, or not a whole one."""
    shard, environment = read_record(folder)
    with _untorn(folder):
        return Written(folder, shard, environment, {trial.label: _transcript(folder, trial) for trial in shard.trials})


def read_record(folder: Path) -> tuple[Shard, Mapping[str, Any]]:
    """What a shard says of itself, and where it ran: without its searches. Raises NotMeasured as `read_shard` does."""
    if not (folder / FILE).is_file():
        raise NotMeasured("shard-absent", _absent(folder), where=str(folder))
    with _untorn(folder):
        data = json.loads(read_text(folder / FILE, "shard"))
        if not isinstance(data, dict) or data.get("format") != FORMAT:
            raise ValueError(f"its format is not {FORMAT}")
        shard = from_plain(Shard, data.get("shard"))
        environment = data.get("environment")
        if not isinstance(environment, dict) or not 1 <= shard.number <= shard.of:
            raise ValueError("it names no shard")
    return shard, environment


@contextmanager
def _untorn(folder: Path) -> Iterator[None]:
    """Whatever cannot be read in here is told as a shard that is torn."""
    try:
        yield
    except (OSError, ValueError, TypeError, KeyError, RecursionError, UsageError) as error:
        what = error.what if isinstance(error, UsageError) else str(error)
        raise NotMeasured("shard-torn", f"this shard is torn: {what}", where=str(folder)) from None


def _absent(folder: Path) -> str:
    if not folder.exists():
        return "there is no such folder"
    if (folder / MARKER).is_file():
        return "these are the results of a run, not of a shard"
    if (folder / SHARD_MARKER).is_file():
        return "this shard did not come to its end"
    return "no shard was written here"


def _transcript(folder: Path, trial: Searched) -> Transcript:
    """What a trial's file holds. Raises OSError or ValueError."""
    if Path(trial.file).name != trial.file:
        raise ValueError(f"it names a file elsewhere, '{trial.file}'")
    body = (folder / FOLDER / trial.file).read_bytes()
    if sha256(body).hexdigest() != trial.sha256:
        raise ValueError(f"the checksum of {FOLDER}/{trial.file} is wrong")
    stages = {name: Stage(failure, lost) for name, failure, lost in trial.stages}
    for line in body.decode("ascii").splitlines():
        stage, why, mode, topic_id, plain = json.loads(line)
        stages[stage].asked[why, mode, topic_id] = from_plain(Asked, plain)
    stored = Ingest(trial.digest, trial.documents, trial.seconds, dict(trial.environment), trial.failure)
    return Transcript(stored, stages, trial.unclosed)
