"""What is timed, and what came of it."""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, isfinite, log
from pathlib import Path
from statistics import median

from gate.exit_codes import ExitCode
from gate.stats.paired_latency import FAIL, NOT_MEASURED, PairedLatency, judge_pairs

BASE, HEAD = "base", "head"
SIDES = (BASE, HEAD)


@dataclass(frozen=True, slots=True)
class Tree:
    """The code of one side. `side` is base or head, `shown` what a reader knows it by.

    A process of it runs in `folder`, with `path` first on its import path, and what it times has to lie under `root`.
    """

    side: str
    shown: str
    root: Path
    folder: Path
    path: tuple[Path, ...]


@dataclass(frozen=True, slots=True)
class Opened:
    """What a process says of the store that it opened: the name, modes and abilities it declares.

    `factory` is the file that its factory came from, empty where that is no file.
    """

    name: str
    modes: frozenset[str]
    abilities: frozenset[str]
    factory: str = ""


@dataclass(frozen=True, slots=True)
class Pair:
    """One fresh process of each side. The costs are seconds: the sum over the queries of the median over the rounds.

    `base_p50` and `head_p50` are the medians of the same medians, in milliseconds.
    """

    base: float
    head: float
    base_p50: float
    head_p50: float

    @property
    def v(self) -> float:
        """ln(head / base)."""
        return log(self.head / self.base)


@dataclass(frozen=True, slots=True)
class Timed:
    """The pairs of one mode. `reason` says why it was not measured, empty where the pairs decide.

    `rounds` are those of base and head: how often each of the `topics` was asked in a pair.
    """

    corpus: str
    arm: str
    mode: str
    topics: int = 0
    rounds: tuple[int, int] = (0, 0)
    pairs: tuple[Pair, ...] = ()
    reason: str = ""

    @property
    def judged(self) -> PairedLatency | None:
        return judge_pairs([pair.v for pair in self.pairs]) if self.pairs else None

    @property
    def outcome(self) -> str:
        """pass, fail or not measured."""
        judged = self.judged
        if self.reason or judged is None:
            return NOT_MEASURED
        return judged.outcome or NOT_MEASURED

    @property
    def ratio(self) -> tuple[float, float | None, float | None] | None:
        """By what factor the head is slower, with its bounds: the true one lies between them in 90% of cases."""
        judged = self.judged
        if judged is None:
            return None
        low, high = (exp(bound) if isfinite(bound) else None for bound in (judged.low, judged.high))
        return exp(judged.mean), low, high

    @property
    def p50(self) -> tuple[float, float] | None:
        """The median search time of base and head, in milliseconds: of the pairs, the median."""
        if not self.pairs:
            return None
        return median(pair.base_p50 for pair in self.pairs), median(pair.head_p50 for pair in self.pairs)


@dataclass(frozen=True, slots=True)
class LatencyReport:
    """All that was timed of two trees; `problems` kept whole corpora or arms from being timed."""

    store: str
    base: str
    head: str
    timed: tuple[Timed, ...]
    problems: tuple[str, ...] = ()

    @property
    def exit_code(self) -> ExitCode:
        """1 where a mode is slower, 2 where one could not be timed, or none was; where both hold, 2."""
        outcomes = {one.outcome for one in self.timed}
        if self.problems or NOT_MEASURED in outcomes or not outcomes:
            return ExitCode.NOT_MEASURED
        return ExitCode.REGRESSION if FAIL in outcomes else ExitCode.PASS
