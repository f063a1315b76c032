"""What a defect is: something planted in a store to see whether the gate catches it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from gate.protocols import Embedder, Reranker, Store
from gate.records import MODES


@dataclass(frozen=True, slots=True)
class Defect:
    """`name` as in `--plant NAME[=DOSE]`; `family` groups it; `stands_for` is the real fault it imitates.

    `in_store`, `in_embedder` and `in_reranker` put it in front of a part, with a dose in (0, 1]: the share of
    queries or documents touched. A part of which nothing is said stays as it is. `modes` are those whose searches
    it can alter, none where it touches storing alone, `needs` the abilities without which a store cannot have it,
    `asks` the modes that it asks of the store behind it and cannot do without, `faults` those under which it shows
    where it does not show in health: for each the store is opened anew. `undosed` says why a weaker dose makes no
    difference in principle, empty where it makes one. `lacks` names the check that would see it where the gate has
    none. With an `unmeasurable` one a store cannot be measured, which is how the gate tells it. A `benign` one is a
    change that no gate may fail. One that `slows` costs time of searches and no answer: times taken by turns tell it.
    """

    name: str
    family: str
    stands_for: str
    in_store: Callable[[Store, float], Store] | None = None
    in_embedder: Callable[[Embedder, float], Embedder] | None = None
    in_reranker: Callable[[Reranker, float], Reranker] | None = None
    modes: frozenset[str] = frozenset(MODES)
    needs: frozenset[str] = frozenset()
    faults: tuple[str, ...] = ()
    undosed: str = ""
    lacks: str = ""
    unmeasurable: bool = False
    benign: bool = False
    asks: frozenset[str] = frozenset()
    slows: bool = False

    def plant(self, store: Store, dose: float) -> Store:
        """The store with the defect in front of it."""
        return self.in_store(store, dose) if self.in_store is not None else store

    def plant_embedder(self, embedder: Embedder, dose: float) -> Embedder:
        """The embedder with the defect in front of it."""
        return self.in_embedder(embedder, dose) if self.in_embedder is not None else embedder

    def plant_reranker(self, reranker: Reranker, dose: float) -> Reranker:
        """The reranker with the defect in front of it."""
        return self.in_reranker(reranker, dose) if self.in_reranker is not None else reranker
