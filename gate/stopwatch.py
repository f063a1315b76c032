"""The only place that reads a clock: durations, and today's date, which is read once into the plan."""

from __future__ import annotations

import time
from datetime import UTC, date, datetime


def now() -> float:
    """Seconds from a monotonic clock with an arbitrary start."""
    return time.perf_counter()


def today() -> date:
    """Today in UTC."""
    return datetime.now(UTC).date()


def pause(seconds: float) -> None:
    """Waits."""
    time.sleep(seconds)
