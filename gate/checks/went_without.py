"""Which answers went without a part that a fault breaks, told from the calls that were seen to fail."""

from __future__ import annotations

from dataclasses import dataclass

from gate.faults.fault import Fault
from gate.records import Calls, Run

_NONE = Calls(0, 0)


@dataclass(frozen=True, slots=True)
class WentWithout:
    """Topics of a run under a fault, by what is known of their answers, each in the order of the run.

    `failed` had to go without the part, `without` did so or say that they did. `silent` are those
    of the failed that do not say so, `wrongly` those that say so though the part worked, and
    `spared` those that had the part, as far as they say.
    """

    failed: tuple[str, ...]
    without: tuple[str, ...]
    silent: tuple[str, ...]
    wrongly: tuple[str, ...]
    spared: tuple[str, ...]


def went_without(run: Run, fault: Fault) -> WentWithout:
    """What the calls of each search say of its answer.

    An answer had to go without a part of which every call failed, and had it where none did. Where
    some failed a store may have tried again, and nothing is held against what it says. Where a search made no
    call the part counts as failed if no call of the whole run worked: a store that has learned that it is gone need
    not ask again. A part that is only late may be waited for or not.
    """
    calls = {topic: run.topic_calls.get(topic, _NONE) for topic in run.results}
    says = {topic for topic, result in run.results.items() if fault.part in result.degraded}
    if fault.delays:
        failed, worked = set[str](), set(run.results)
        wrongly = set[str]()
    else:
        worked = {topic for topic, one in calls.items() if one.made and not one.failed}
        always = all(one.failed == one.made for one in calls.values())
        failed = {topic for topic, one in calls.items() if one.failed == one.made and (one.made or always)}
        wrongly = worked & says

    def ordered(topics: set[str]) -> tuple[str, ...]:
        return tuple(topic for topic in run.results if topic in topics)

    return WentWithout(
        failed=ordered(failed),
        without=ordered(failed | says),
        silent=ordered(failed - says),
        wrongly=ordered(wrongly),
        spared=ordered(worked - says),
    )
