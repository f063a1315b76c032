"""What a defect is: something planted in a store to see whether the gate catches it."""

from __future__ import annotations

from typing import Protocol

from gate.protocols import Store


class Defect(Protocol):
    """`name` as in `--plant NAME[=DOSE]`; `family` groups it; `stands_for` is the real fault it imitates."""

    name: str
    family: str
    stands_for: str

    def plant(self, store: Store, dose: float) -> Store:
        """The store with the defect in front of it. `dose` in (0, 1] is the share of queries or documents touched."""
        ...
