"""Opening a store on an arm, to see what it declares; and the same from what was noted when it was opened elsewhere."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from typing import Protocol

from gate.defects import Defect, parse_plant
from gate.errors import NotMeasured, StoreError
from gate.ingest import Subject
from gate.models import Choice, Parts, open_parts
from gate.models import arm as find_arm
from gate.plan import Declared
from gate.protocols import Embedder, Reranker, Store, Vectors
from gate.stop import Stop
from gate.stores import STORES, find_store
from gate.workers import can_fork, processors

MODELS = "gate.models."
NO_CHOICE: Mapping[str, Choice] = {}


class Opening(Protocol):
    """How a planner learns what a store declares."""

    def __call__(self, spec: str, arm: str, plant: str) -> tuple[Subject, Declared]:
        """The store `spec` on an arm, with a defect where `plant` names one.

        Raises UsageError for what does not exist, StoreError where the store cannot be opened, Stopped.
        """
        ...


def planted(subject: Subject, defect: Defect, dose: float) -> Subject:
    """The healthy subject with a defect in its parts."""
    embedder, reranker = subject.embedder, subject.reranker
    return replace(
        subject,
        embedder=defect.plant_embedder(embedder, dose) if embedder is not None else None,
        reranker=defect.plant_reranker(reranker, dose) if reranker is not None else None,
        wrap=lambda store: defect.plant(store, dose),
    )


def survives_fork(subject: Subject) -> bool:
    """Whether a store that is open here can be driven in processes that are forked from this one.

    What threads, connections and devices of a store or of a model become in a forked process, nobody knows but its
    author. The stores that come with the gate have none, and its models open their sessions anew; what a GPU holds
    can only be used where it was opened.
    """
    parts = (subject.embedder, subject.reranker)
    ours = all(part is None or type(part).__module__.startswith(MODELS) for part in parts)
    return can_fork() and subject.spec in STORES and ours and subject.arm.device == "cpu"


def workers_for(subject: Subject) -> int:
    """How many processes may drive a store beside each other: as many as there are processors, or one."""
    return processors() if survives_fork(subject) else 1


class Here:
    """Opens stores in this process, each in a folder of its own below `folder`.

    The models of an arm are opened once, and are the same for every store that gets them.
    """

    def __init__(self, folder: Path, timeout: float, stop: Stop, models: Mapping[str, Choice] = NO_CHOICE) -> None:
        self._folder, self._timeout, self._stop, self._number = folder, timeout, stop, count()
        self._models, self._parts = models, dict[str, Parts]()

    def __call__(self, spec: str, arm: str, plant: str) -> tuple[Subject, Declared]:
        parts = self._opened(arm)
        healthy = Subject(
            spec,
            find_store(spec),
            find_arm(arm),
            parts.embedder,
            parts.reranker,
            self._timeout,
            self._stop,
            lambda store: store,
            parts.facts,
            looked_up=parts.looked_up,
        )
        subject = planted(healthy, *parse_plant(plant)) if plant else healthy
        return subject, subject.declare(self._folder / f"declare-{next(self._number)}")

    def _opened(self, arm: str) -> Parts:
        if arm not in self._parts:
            try:
                self._parts[arm] = open_parts(find_arm(arm), self._models.get(arm, Choice()))
            except NotMeasured as error:
                told = "; ".join([error.what, *map(str, error.problems)])
                raise StoreError(error.slug, told, where=f"the arm {arm}", hint=error.hint) from error
        return self._parts[arm]


@dataclass(frozen=True, slots=True)
class Failure:
    """A StoreError as it was raised."""

    slug: str
    what: str
    where: str
    hint: str


@dataclass(frozen=True, slots=True)
class Opened:
    """What opening a store on an arm showed: what it declares, or why it could not be opened; and the arm's parts."""

    spec: str
    arm: str
    declared: Declared | None
    failure: Failure | None = None
    embedder: str = ""
    reranker: str = ""
    looked_up: bool = False


class Noted:
    """An opening that notes all that it shows."""

    def __init__(self, opening: Opening) -> None:
        self._opening = opening
        self.opened: list[Opened] = []

    def __call__(self, spec: str, arm: str, plant: str) -> tuple[Subject, Declared]:
        try:
            subject, declared = self._opening(spec, arm, plant)
        except StoreError as error:
            failure = Failure(error.slug, error.what, error.where, error.hint)
            self.opened.append(Opened(spec, arm, None, failure))
            raise
        embedder, reranker = subject.embedder, subject.reranker
        names = embedder.name if embedder else "", reranker.name if reranker else ""
        self.opened.append(Opened(spec, arm, declared, None, *names, subject.looked_up))
        return subject, declared


class Recorded:
    """Shows again what was noted elsewhere. The stores can be planned with, not opened."""

    def __init__(self, opened: Iterable[Opened], timeout: float) -> None:
        self._opened = {(one.spec, one.arm): one for one in opened}
        self._timeout = timeout

    def __call__(self, spec: str, arm: str, plant: str) -> tuple[Subject, Declared]:  # noqa: ARG002 - the protocol's
        known = self._opened.get((spec, arm))
        if known is None:
            raise NotMeasured("store-unknown", f"the store {spec} on {arm} was never opened")
        if known.declared is None:
            failure = known.failure or Failure("store-open", "it could not be opened", spec, "")
            raise StoreError(failure.slug, failure.what, where=failure.where, hint=failure.hint)
        embedder = _Name(known.embedder) if known.embedder else None
        reranker = _Name(known.reranker) if known.reranker else None
        subject = Subject(
            spec,
            _unopened,
            find_arm(arm),
            embedder,
            reranker,
            self._timeout,
            Stop(),
            lambda store: store,
            looked_up=known.looked_up,
        )
        return subject, known.declared


class _Name:
    """A part of an arm of which only the name is known."""

    dimension = 0

    def __init__(self, name: str) -> None:
        self.name = name

    def embed(self, texts: Sequence[str], kind: str) -> Vectors:
        raise RuntimeError(f"{self.name} is not loaded here: {len(texts)} texts, {kind}")

    def score(self, query: str, texts: Sequence[str]) -> Sequence[float]:
        raise RuntimeError(f"{self.name} is not loaded here: {len(texts)} texts for {query}")


def _unopened(path: Path, embedder: Embedder | None = None, reranker: Reranker | None = None) -> Store:
    raise RuntimeError(f"stores are not opened here, with {embedder} and {reranker} at {path}")
