"""What a probe is: an invariant of a store that can be looked at without knowing what is relevant."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    from gate.probes.bench import Bench

# Modes that rank documents for a text. Facts are answered from a table of their own.
RANKED = ("keyword", "vector", "hybrid", "rerank")
EVERY_MODE = (*RANKED, "facts")
# Stands for the mode in the cell of a probe that looks at the whole store.
NO_MODE = "-"


@dataclass(frozen=True, slots=True)
class Finding:
    """What a probe saw that should not be.

    `says` is one sentence. `show` are lines of Python that show it, and `prints` is what these print.
    """

    says: str
    show: tuple[str, ...]
    prints: str


class Probe(ABC):
    """One invariant. To add one: a class in the file of its family, a line in `PROBES`, a test.

    `says` is what holds of a sound store and `stands_for` the real fault that breaks it, a sentence each. A `fast` one
    is looked at in every run. It is looked at once in each of `modes` that the store declares; it needs all `needs`
    (abilities) and all modes `beside` them. One that asks for `steady` ranks is not asked of a store that is declared
    noisy.
    """

    name: ClassVar[str]
    family: ClassVar[str]
    says: ClassVar[str]
    stands_for: ClassVar[str]
    fast: ClassVar[bool] = True
    modes: ClassVar[tuple[str, ...]] = RANKED
    needs: ClassVar[frozenset[str]] = frozenset()
    beside: ClassVar[frozenset[str]] = frozenset()
    steady: ClassVar[bool] = False

    @abstractmethod
    def prepare(self, bench: Bench) -> Any:
        """What `look` is given: stores with what they hold, made once for all modes. Raises StoreError or Stopped."""

    @abstractmethod
    def look(self, prepared: Any, mode: str) -> Finding | None:
        """What is wrong in a mode, None where nothing is. Raises StoreError where it cannot be told, or Stopped."""
