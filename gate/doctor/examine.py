"""Arms looked at: every look that concerns one, in order, and whether it can run here."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from gate.doctor import LOOKS
from gate.doctor.concerns import models_of
from gate.doctor.look import MISSING, NOTED, SKIPPED, Examined, Look, Seen
from gate.errors import NotMeasured, one_line
from gate.exit_codes import ExitCode
from gate.models import ARMS, Arm, Choice

Told = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Line:
    """What one look saw; `part` is empty where it was of the machine, else `embedder` or `reranker`."""

    look: str
    part: str
    seen: Seen


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """An arm on this machine. `asked`: by a flag or the settings; only then do the long looks happen."""

    arm: Arm
    asked: bool
    lines: tuple[Line, ...]

    @property
    def runs(self) -> bool:
        """Whether the arm can run here."""
        return all(line.seen.status != MISSING for line in self.lines)

    @property
    def missing(self) -> tuple[Line, ...]:
        """What keeps it from running."""
        return tuple(line for line in self.lines if line.seen.status == MISSING)

    @property
    def noted(self) -> tuple[Line, ...]:
        """What is worth knowing."""
        return tuple(line for line in self.lines if line.seen.status == NOTED)


def exit_code(found: Sequence[Diagnosis]) -> ExitCode:
    """2 where an arm that was asked for cannot run here."""
    return ExitCode.PASS if all(one.runs for one in found if one.asked) else ExitCode.NOT_MEASURED


def examine_all(asked: Sequence[str], choices: Mapping[str, Choice], *, others: bool, told: Told) -> list[Diagnosis]:
    """The arms that are asked for, and where `others` is set, in short, all the others. `told` hears each look's name.

    Raises UsageError where settings choose a model that cannot be used in its place.
    """
    names = [*dict.fromkeys(asked), *([name for name in ARMS if name not in asked] if others else [])]
    return [examine(ARMS[name], choices.get(name, Choice()), asked=name in asked, told=told) for name in names]


def examine(arm: Arm, choice: Choice, *, asked: bool, told: Told) -> Diagnosis:
    """One arm: the machine first, then each of its models."""
    machine = Examined(arm, choice)
    looks = [look for look in LOOKS.values() if asked or not look.long]
    blocked: dict[str, str] = {}
    lines = [_line(look, machine, blocked, told) for look in looks if not look.per_model]
    for part, name in models_of(machine):
        model, own = replace(machine, part=part, name=name), dict(blocked)
        lines += [_line(look, model, own, told) for look in looks if look.per_model]
    return Diagnosis(arm, asked, tuple(lines))


def _line(look: Look, examined: Examined, blocked: dict[str, str], told: Told) -> Line:
    """What a look sees. `blocked[look]` names what is missing for those that rest on it; it grows here."""
    told(f"{examined.arm.name}: {look.name}")
    return Line(look.name, examined.part, _seen(look, examined, blocked))


def _seen(look: Look, examined: Examined, blocked: dict[str, str]) -> Seen:
    other = look.concern(examined)
    if other:
        return Seen(SKIPPED, other)
    cause = next((blocked[name] for name in look.needs if name in blocked), "")
    if cause:
        blocked[look.name] = cause
        return Seen(SKIPPED, f"what is missing under {cause} comes first")
    try:
        seen = look.see(examined)
    except NotMeasured as error:
        place = f"{error.where}: " if error.where else ""
        what = "; ".join([f"{place}{error.what}", *map(str, error.problems)])
        seen = Seen(MISSING, one_line(what), one_line(error.hint))
    if seen.status == MISSING:
        blocked[look.name] = look.name
    return seen
