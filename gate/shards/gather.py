"""The shards that a merge is given, held against each other: whether they are all parts of one run, each once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from gate.errors import NotMeasured, Problem
from gate.exit_codes import ExitCode
from gate.files import shown
from gate.shards.record import Written, read_shard
from gate.sources import gate_code
from gate.transcript import Transcript, laid_together

_LONGEST_VALUE = 120
# Marks what is known only of a corpus that was stored.
_ANSWERED = "answers of "


@dataclass(frozen=True, slots=True)
class Gathered:
    """The shards in their order, and what keeps them from being a whole run. `notes` are for the reader of a verdict.

    Where there are problems, `shards` are those that could be read.
    """

    shards: tuple[Written, ...]
    problems: tuple[Problem, ...]
    notes: tuple[str, ...] = ()

    def transcript(self, label: str) -> Transcript:
        """The whole trial of that label."""
        return laid_together([written.transcripts[label] for written in self.shards])


def gather(folders: Iterable[Path]) -> Gathered:
    """Every shard, whatever the order of the folders."""
    read: list[Written] = []
    problems: list[Problem] = []
    for folder in sorted(folders):
        try:
            read.append(read_shard(folder))
        except NotMeasured as error:
            problems.append(Problem(error.what, str(folder)))
    read.sort(key=lambda one: (one.shard.number, -one.shard.attempt, str(one.folder)))
    latest = {(one.shard.number, one.shard.of): one.shard.attempt for one in reversed(read)}
    counted = [one for one in read if one.shard.attempt == latest[one.shard.number, one.shard.of]]
    notes = tuple(
        f"{one.shard.part}: attempt {latest[one.shard.number, one.shard.of]} counts,"
        f" and not the earlier attempt {one.shard.attempt}"
        for one in read
        if one not in counted
    )
    if not counted:
        return Gathered((), tuple(problems) or (Problem("no shard is given"),), notes)
    model = _model(counted)
    problems += [Problem(what, str(one.folder)) for one in counted if (what := _alone(one))]
    problems += [
        Problem(f"this {one.shard.part} belongs to another run than {model.folder}: {what}", str(one.folder))
        for one in counted
        if (what := _difference(model, one))
    ]
    problems += _incomplete(model, [one for one in counted if not _difference(model, one)])
    notes += tuple(f"{one.shard.part}: {note}" for one in counted for note in one.shard.notes)
    return Gathered(tuple(counted), tuple(problems), notes)


def _model(shards: Sequence[Written]) -> Written:
    """The shard that most others belong with; of several the first."""
    return max(shards, key=lambda one: sum(not _difference(one, other) for other in shards))


def _alone(one: Written) -> str:
    """What is wrong with a shard by itself."""
    if one.shard.exit_code == ExitCode.INTERRUPTED:
        return f"this {one.shard.part} was interrupted: the same command goes on from there"
    if one.shard.code != gate_code():
        return f"this {one.shard.part} was made by another gate: its code is {one.shard.code}, this one's {gate_code()}"
    return ""


def _incomplete(model: Written, shards: Sequence[Written]) -> Iterator[Problem]:
    """Shards of the run that are missing, or there more than once."""
    many = Counter(one.shard.number for one in shards)
    for number in range(1, model.shard.of + 1):
        if not many[number]:
            yield Problem(f"shard {number} of {model.shard.of} is missing")
        elif many[number] > 1:
            places = " and ".join(str(one.folder) for one in shards if one.shard.number == number)
            yield Problem(f"shard {number} of {model.shard.of} is there {many[number]} times: {places}")


def _difference(one: Written, other: Written) -> str:
    """The first thing in which two shards are not of the same run, with both values; empty where they are."""
    ours, theirs = _common(one), _common(other)
    for key in dict.fromkeys((*ours, *theirs)):
        # Where a corpus was not stored, nothing is known of what answered.
        unknown = key.startswith(_ANSWERED) and None in (ours.get(key), theirs.get(key))
        if ours.get(key) != theirs.get(key) and not unknown:
            return f"{key.removeprefix(_ANSWERED)} is {_value(theirs.get(key))} here, {_value(ours.get(key))} there"
    return ""


def _common(one: Written) -> Mapping[str, str]:
    """All that the shards of a run share, in the order in which it is named."""
    shard = one.shard
    found = {"the number of shards": str(shard.of), "gate": shard.gate, "flags": str(shard.flags)}
    for opened in shard.opened:
        state = "opened" if opened.declared is not None else "one that could not be opened"
        found[f"the store {opened.spec} on {opened.arm}"] = state
    for trial in shard.trials:
        found |= {f"{trial.label}, {key}": value for key, value in trial.plan}
    found["the plan"] = shard.plan
    for trial in shard.trials:
        found |= {f"{_ANSWERED}{trial.label}, {key}": value for key, value in trial.identity}
        if trial.identity:
            found[f"{_ANSWERED}{trial.label}, documents stored"] = str(trial.documents)
    return found


def _value(value: object) -> str:
    if isinstance(value, str) and 0 < len(value) <= _LONGEST_VALUE:
        return value
    return "not given" if value is None else shown(value, _LONGEST_VALUE)
