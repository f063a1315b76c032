"""The processors that this process may use, and the threads that a model will."""

from __future__ import annotations

from pathlib import Path

from gate.doctor.look import NOTED, OK, Examined, Fact, Look, Seen
from gate.figures import count
from gate.workers import processors

QUOTA = Path("/sys/fs/cgroup/cpu.max")  # of a container: microseconds of processor time a period, or `max`


def _see(examined: Examined) -> Seen:
    here, allowed, threads = processors(), _quota(), examined.choice.threads
    chosen = count(threads, "thread") if threads else "threads as the runtime chooses"
    says = f"{count(here, 'processor')}, {chosen}"
    facts: dict[str, Fact] = {"processors": here, "threads": threads or "default"}
    if allowed and allowed < min(here, threads or here):
        says = f"{says}; the container may use {allowed:g} at once"
        hint = f"More threads than that wait for one another: `threads: {max(1, int(allowed))}` under `models`."
        return Seen(NOTED, says, hint, facts | {"quota": allowed})
    if threads > here:
        return Seen(NOTED, says, "More threads than processors wait for one another.", facts)
    return Seen(OK, says, facts=facts)


def _quota() -> float:
    """The processors that a container may use at once; 0 where there is no such bound."""
    try:
        told = QUOTA.read_text(encoding="ascii").split()
        return round(int(told[0]) / int(told[1]), 2) if told[0] != "max" else 0.0
    except (OSError, ValueError, IndexError, ZeroDivisionError):
        return 0.0


LOOK = Look("threads", _see)
