"""How far a run is, for whoever waits."""

from __future__ import annotations

from typing import Protocol


class Progress(Protocol):
    """Told of stages and steps by the pipeline; what it shows is its own affair."""

    def stage(self, label: str, total: int | None) -> None:
        """A new stage of `total` steps, None where nobody knows."""
        ...

    def tick(self, steps: int) -> None: ...


class Silent:
    """Shows nothing."""

    def stage(self, label: str, total: int | None) -> None:
        pass

    def tick(self, steps: int) -> None:
        pass
