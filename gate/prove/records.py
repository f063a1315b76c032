"""What planting showed: a sight a dose, a row a defect, and all of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from gate.defects import Defect
from gate.exit_codes import ExitCode
from gate.latency.records import Timed
from gate.stats.paired_latency import FAIL, PASS

CAUGHT, ESCAPED, HARMLESS, NOT_PLANTED = "caught", "escaped", "harmless here", "not planted"
NOT_JUDGED, NOT_REACHED = "not judged", "not reached"
GREEN, FALSE_ALARM = "green", "false alarm"
FULL = 1.0
# What is told by times taken by turns, as a source of red checks.
LATENCY = "latency"
# Why a defect was not reached.
STOPPED = "the proof was stopped before it"
DIED = "a process that planted defects ended before its time: a store that ends it, or too little memory"


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

    `exit_code` is the gate's. `by[source]` counts the checks that fail and did not in health, `unknown[source]` those
    that cannot be measured and could; `first[source]` is the message of the first of either, and `cells[source]` are
    the cells of those that fail. `changed` says whether any answer differs from health; `odd` what of it no measure
    sees, such as a part that is said to be missing; empty where nothing is. `timed` is what timing by turns said,
    empty where it was not done; `exit_code` counts it too.
    """

    dose: float
    exit_code: int
    by: Mapping[str, int] = field(default_factory=dict)
    unknown: Mapping[str, int] = field(default_factory=dict)
    first: Mapping[str, str] = field(default_factory=dict)
    cells: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    changed: bool = False
    odd: str = ""
    worst: Worst | None = None
    timed: str = ""

    @property
    def harmful(self) -> bool:
        """Whether a user loses anything: other ranks of what nobody asked for are no loss."""
        return bool(self.odd) or self.worst is not None

    @property
    def red(self) -> bool:
        """Whether something fails: what could not be measured shows nothing of a defect."""
        return bool(self.by)

    @property
    def undecided(self) -> bool:
        """Whether nothing fails and something could not be measured."""
        return not self.by and bool(self.unknown)


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
            return NOT_REACHED if self.reason in (STOPPED, DIED) else NOT_PLANTED
        full = self.sights[0]
        if self.defect.benign:
            if any(sight.red or set(sight.unknown) - {LATENCY} for sight in self.sights):
                return FALSE_ALARM
            # Times that vary too much on a busy machine are no alarm, and no proof of anything.
            return NOT_JUDGED if any(sight.unknown for sight in self.sights) else GREEN
        if self.told(full):
            return CAUGHT
        if full.undecided:
            return NOT_JUDGED
        return ESCAPED if full.harmful else HARMLESS

    def told(self, sight: Sight) -> bool:
        """Whether the gate tells the defect at a dose: something fails, or cannot be measured where that is its way."""
        return sight.red or (self.defect.unmeasurable and sight.undecided)

    @property
    def weakest(self) -> float | None:
        """The lowest dose that was caught, of those planted without a gap; None where the full one was not."""
        caught = None
        for sight in self.sights:
            if not self.told(sight):
                break
            caught = sight.dose
        return caught


@dataclass(frozen=True, slots=True)
class Proof:
    """All rows, in the order of the registry, what they were planted in, and what a reader of that has to know.

    `itself` is the healthy store timed by turns with itself; None where nothing was timed.
    """

    store: str
    corpora: tuple[str, ...]
    arms: tuple[str, ...]
    modes: tuple[str, ...]
    rows: tuple[Row, ...]
    interrupted: bool = False
    notes: tuple[str, ...] = ()
    itself: Timed | None = None

    def of(self, outcome: str) -> tuple[Row, ...]:
        return tuple(row for row in self.rows if row.outcome == outcome)

    @property
    def exit_code(self) -> ExitCode:
        """1 where something escapes, alarms falsely, or passes through the command line unseen.

        2 where something could not be judged, or nothing was caught.
        """
        if self.interrupted:
            return ExitCode.INTERRUPTED
        itself = self.itself.outcome if self.itself is not None else PASS
        commands = [row.command_exit for row in self.rows if row.command_exit is not None]
        if self.of(ESCAPED) or self.of(FALSE_ALARM) or ExitCode.PASS in commands or itself == FAIL:
            return ExitCode.REGRESSION
        odd = set(commands) - {ExitCode.REGRESSION, ExitCode.NOT_MEASURED}
        if odd or self.of(NOT_JUDGED) or self.of(NOT_REACHED) or not self.of(CAUGHT) or itself != PASS:
            return ExitCode.NOT_MEASURED
        return ExitCode.PASS
