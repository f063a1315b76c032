"""What planting showed: a sight a dose, a row a defect, and all of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from gate.defects import Defect
from gate.exit_codes import ExitCode

CAUGHT, ESCAPED, HARMLESS, NOT_PLANTED = "caught", "escaped", "harmless here", "not planted"
GREEN, FALSE_ALARM = "green", "false alarm"
FULL = 1.0


@dataclass(frozen=True, slots=True)
class Worst:
    """The cell that a defect cost most, as means over its topics; `lost` are the topics that got worse.

    `operator` is that of a budget on it: `>=` where higher is better.
    """

    cell: str
    before: float
    after: float
    topics: int
    lost: int
    operator: str = ">="


@dataclass(frozen=True, slots=True)
class Sight:
    """What the gate said of a store with a defect in it at one dose.

    `exit_code` is the gate's. `by[source]` counts the checks that fail, or cannot be measured, and did neither in
    health; `first[source]` is the message of the first. `changed` says whether any answer differs from health;
    `odd` what of it no measure sees, such as a part that is said to be missing; empty where nothing is.
    """

    dose: float
    exit_code: int
    by: Mapping[str, int] = field(default_factory=dict)
    first: Mapping[str, str] = field(default_factory=dict)
    changed: bool = False
    odd: str = ""
    worst: Worst | None = None

    @property
    def harmful(self) -> bool:
        """Whether a user loses anything: other ranks of what nobody asked for are no loss."""
        return bool(self.odd) or self.worst is not None

    @property
    def red(self) -> bool:
        return self.exit_code != ExitCode.PASS


@dataclass(frozen=True, slots=True)
class Row:
    """One defect: why it was not planted, or what was seen of it, the full dose first.

    `command_exit` is the exit code of `gate run --plant` where that was tried too.
    """

    defect: Defect
    reason: str = ""
    sights: tuple[Sight, ...] = ()
    command_exit: int | None = None

    @property
    def outcome(self) -> str:
        if self.reason:
            return NOT_PLANTED
        full = self.sights[0]
        if self.defect.benign:
            return FALSE_ALARM if any(sight.red for sight in self.sights) else GREEN
        if full.red:
            return CAUGHT
        return ESCAPED if full.harmful else HARMLESS

    @property
    def weakest(self) -> float | None:
        """The lowest dose that was caught, of those planted without a gap; None where the full one was not."""
        caught = None
        for sight in self.sights:
            if not sight.red:
                break
            caught = sight.dose
        return caught


@dataclass(frozen=True, slots=True)
class Proof:
    """All rows, in the order of the registry, and what they were planted in."""

    store: str
    corpora: tuple[str, ...]
    arms: tuple[str, ...]
    modes: tuple[str, ...]
    rows: tuple[Row, ...]
    interrupted: bool = False

    def of(self, outcome: str) -> tuple[Row, ...]:
        return tuple(row for row in self.rows if row.outcome == outcome)

    @property
    def exit_code(self) -> ExitCode:
        """1 where something escapes, alarms falsely, or passes through the command line unseen."""
        if self.interrupted:
            return ExitCode.INTERRUPTED
        unseen = any(row.command_exit == ExitCode.PASS for row in self.rows)
        if self.of(ESCAPED) or self.of(FALSE_ALARM) or unseen:
            return ExitCode.REGRESSION
        if not self.of(CAUGHT):
            return ExitCode.NOT_MEASURED
        return ExitCode.PASS
