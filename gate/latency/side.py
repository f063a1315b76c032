"""One side of a pair, as whoever hands out the turns sees it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from gate.errors import NotMeasured
from gate.latency.records import Opened


class SideFailed(NotMeasured):
    """A process died, hung, or could not open its store: nothing more of its pair can be measured."""


class ModeFailed(Exception):
    """A store did something wrong in a mode; its other modes can still be timed."""


class Side(Protocol):
    """A process with an open store that waits for its turn. `name` is base or head."""

    name: str

    @property
    def opened(self) -> Opened: ...

    def ask(self, message: Mapping[str, Any]) -> Mapping[str, Any]:
        """The answer to a message. Raises SideFailed where none comes, Interrupted or Stopped on a wish to stop."""
        ...

    def close(self) -> None:
        """Has the store closed and the process end, by force where it does not."""
        ...


def asked(side: Side, message: Mapping[str, Any]) -> Mapping[str, Any]:
    """The answer of a side that has no failure in it. Raises ModeFailed as well."""
    answer = side.ask(message)
    if failure := answer.get("failure"):
        raise ModeFailed(f"{side.name}: {failure}")
    return answer
