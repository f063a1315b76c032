"""One pair: two open stores, searched by turns so that only one of them works at any time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import fsum
from statistics import median

from gate.latency.records import BASE, HEAD, Pair
from gate.latency.schedule import Effort, Schedule, schedule, spread, topics_for
from gate.latency.side import ModeFailed, Side, asked

# Topics that are asked twice to see how long a search takes: the first time tells of cold caches.
TRIED = 8


@dataclass(frozen=True, slots=True)
class Question:
    """What is searched: the text of a topic and its scope."""

    text: str
    scope: frozenset[str] = frozenset()


def plan_mode(base: Side, head: Side, mode: str, many: int, effort: Effort) -> Schedule:
    """The schedule of a mode of `many` questions, from a few that each side answers. Raises as `asked`."""
    tried = spread(many, TRIED)
    seconds = {}
    for side in (base, head):
        # One by one: nobody knows yet how many of them fit into the time that one answer is waited for.
        for topic in tried:
            asked(side, {"do": "check", "mode": mode, "at": (topic,)})
        took = [asked(side, {"do": "time", "mode": mode, "at": (topic,)})["seconds"][0] for topic in tried]
        # Of a few searches one that the machine interrupts would count for much in a mean.
        seconds[side.name] = median(took)
    return schedule(spread(many, topics_for(many, seconds[BASE], effort)), seconds, effort)


def warm(side: Side, mode: str, plan: Schedule) -> None:
    """Has a side ask all topics of a schedule once, for nothing, in its blocks. Raises as `asked`."""
    size = plan.block[side.name]
    for start in range(0, len(plan.at), size):
        asked(side, {"do": "time", "mode": mode, "at": plan.at[start : start + size]})


def time_modes(
    base: Side, head: Side, plans: Mapping[str, Schedule], *, base_first: bool
) -> dict[str, Pair | ModeFailed]:
    """Times both sides by turns in every mode that has a plan; for each what came of it. Raises SideFailed.

    The rounds of all modes are spread over the whole time, so that what disturbs the machine for a while falls on a
    few rounds of each. The cost of a side is the sum over the topics of the median over its rounds, in which those
    count for nothing.
    """
    sides = {BASE: base, HEAD: head}
    took: dict[str, dict[str, list[float]]] = {mode: {BASE: [], HEAD: []} for mode in plans}
    done: dict[str, Pair | ModeFailed] = {}
    turns = (
        ((number + 0.5) / len(all_turns), order, mode, turn)
        for order, (mode, plan) in enumerate(plans.items())
        for all_turns in [plan.turns(base_first=base_first)]
        for number, turn in enumerate(all_turns)
    )
    for _, _, mode, (name, block) in sorted(turns, key=lambda one: one[:2]):
        if mode in done:
            continue
        try:
            took[mode][name] += asked(sides[name], {"do": "time", "mode": mode, "at": block})["seconds"]
        except ModeFailed as failed:
            done[mode] = failed
    return {mode: done.get(mode) or _pair(took[mode], len(plan.at)) for mode, plan in plans.items()}


def _pair(took: Mapping[str, Sequence[float]], topics: int) -> Pair | ModeFailed:
    medians = {name: _medians(seconds, topics) for name, seconds in took.items()}
    costs = {name: fsum(each) for name, each in medians.items()}
    if not all(cost > 0 for cost in costs.values()):
        return ModeFailed("its searches are too quick for the clock of this machine")
    return Pair(costs[BASE], costs[HEAD], 1000 * median(medians[BASE]), 1000 * median(medians[HEAD]))


def ask_questions(side: Side, mode: str, questions: Sequence[Question]) -> None:
    """Hands a side the questions of a mode. Raises as `asked`."""
    told = [[one.text, sorted(one.scope)] for one in questions]
    asked(side, {"do": "ask", "mode": mode, "questions": told})


def _medians(seconds: Sequence[float], topics: int) -> list[float]:
    """The median of each topic over the rounds, which follow each other in `seconds`."""
    return [median(seconds[topic::topics]) for topic in range(topics)]
