"""Pair after pair, until the rule has decided on every mode."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field

from gate.latency.pair import Question, ask_questions, plan_mode, time_modes, warm
from gate.latency.records import BASE, HEAD, Opened, Pair, Timed
from gate.latency.schedule import Effort, Schedule
from gate.latency.side import ModeFailed, Side
from gate.progress import Progress
from gate.stats.paired_latency import LAST, judge_pairs

# Opens both sides of a pair; its number says which of them first.
OpenPair = Callable[[int], AbstractContextManager[tuple[Side, Side]]]
# What to ask in each mode, given what both sides declare, and why a mode cannot be timed.
Asking = Callable[[Opened, Opened], tuple[Mapping[str, Sequence[Question]], Mapping[str, str]]]


@dataclass(slots=True)
class _Mode:
    """A mode while it is timed."""

    name: str
    questions: Sequence[Question]
    plan: Schedule | None = None
    pairs: list[Pair] = field(default_factory=list)
    reason: str = ""

    @property
    def decided(self) -> bool:
        return bool(self.reason) or bool(self.pairs and judge_pairs([pair.v for pair in self.pairs]).outcome)


def compare(
    open_pair: OpenPair, asking: Asking, corpus: str, arm: str, effort: Effort, progress: Progress
) -> tuple[Timed, ...]:
    """Every mode with its pairs. A mode that is decided is not timed any further. Raises SideFailed."""
    modes: list[_Mode] = []
    for number in range(LAST):
        progress.stage(f"{corpus}, {arm}: pair {number + 1} of at most {LAST}", None)
        with open_pair(number) as (base, head):
            if number == 0:
                questions, reasons = asking(base.opened, head.opened)
                modes = [_Mode(name, each) for name, each in questions.items()]
                modes += [_Mode(name, (), reason=reason) for name, reason in reasons.items()]
            _add_pair([mode for mode in modes if not mode.decided], base, head, effort, base_first=number % 2 == 0)
        if all(mode.decided for mode in modes):
            break
    return tuple(_timed(mode, corpus, arm) for mode in modes)


def _add_pair(modes: Sequence[_Mode], base: Side, head: Side, effort: Effort, *, base_first: bool) -> None:
    plans = {}
    for mode in modes:
        try:
            for side in (base, head):
                ask_questions(side, mode.name, mode.questions)
            if mode.plan is None:
                mode.plan = plan_mode(base, head, mode.name, len(mode.questions), effort)
            for side in (base, head) if base_first else (head, base):
                warm(side, mode.name, mode.plan)
        except ModeFailed as failed:
            mode.reason = str(failed)
        else:
            plans[mode.name] = mode.plan
    timed = time_modes(base, head, plans, base_first=base_first)
    for mode in modes:
        outcome = timed.get(mode.name)
        if isinstance(outcome, Pair):
            mode.pairs.append(outcome)
        elif outcome is not None:
            mode.reason = str(outcome)


def _timed(mode: _Mode, corpus: str, arm: str) -> Timed:
    if mode.plan is None:
        return Timed(corpus, arm, mode.name, reason=mode.reason)
    rounds = mode.plan.rounds[BASE], mode.plan.rounds[HEAD]
    return Timed(corpus, arm, mode.name, len(mode.plan.at), rounds, tuple(mode.pairs), mode.reason)
