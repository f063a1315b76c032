"""Where probes work: stores opened through the guard, each in a folder of its own, and what they answered.

Everything that is done to a store is kept as the line of Python that does it, so that a finding
can be shown to somebody who has nothing but the store.
"""

from __future__ import annotations

import math
import shutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from typing import Any, TypeVar

from gate.errors import StoreError, StoreHung
from gate.guard import Guard, Stopped
from gate.ingest import Subject
from gate.plan import Declared
from gate.probes.documents import Batch, code_of
from gate.probes.lines import Factory, lines_of, scope_written
from gate.probes.probe import Finding
from gate.protocols import Embedder
from gate.records import Document

T = TypeVar("T")
Shown = tuple[str, object]


@dataclass(frozen=True, slots=True)
class Answer:
    """What a search gave. `code` is the search as a line of Python; `seconds` is how long it took."""

    ids: list[str]
    scores: list[float]
    seconds: float
    code: str

    @property
    def shown_ids(self) -> Shown:
        return f"ids({self.code})", self.ids

    @property
    def shown_scores(self) -> Shown:
        return f"scores({self.code})", self.scores

    def first(self, k: int) -> Shown:
        return f"ids({self.code})[:{k}]", self.ids[:k]

    def holds(self, doc_id: str) -> Shown:
        return f"{doc_id!r} in ids({self.code})", doc_id in self.ids

    def score_of(self, doc_id: str) -> float:
        return self.scores[self.ids.index(doc_id)]


class Opened:
    """One opened store, and the lines that made it what it is. Its methods raise StoreError or Stopped."""

    def __init__(self, guard: Guard, factory: Factory, variable: str, opening: str, hung: dict[str, str]) -> None:
        self.guard, self._factory, self.variable, self._hung = guard, factory, variable, hung
        self.steps = [f"{variable} = {opening}"]
        self.names: list[str] = []

    def add(self, what: Batch | Document) -> float:
        """Stores documents; the seconds it took."""
        if isinstance(what, Batch):
            self.names.append(what.imported)
            self.step(f"add({what.code}.documents)")
            return self.guard.add(what.documents)
        self.step(f"add([{self._named(what)}])")
        return self.guard.add([what])

    def update(self, document: Document) -> None:
        self.step(f"update({self._named(document)})")
        self.guard.update(document)

    def delete(self, doc_id: str) -> None:
        self.step(f"delete({doc_id!r})")
        self.guard.delete(doc_id)

    def supersede(self, old_id: str, new_id: str) -> None:
        self.step(f"supersede({old_id!r}, {new_id!r})")
        self.guard.supersede(old_id, new_id)

    def _named(self, document: Document) -> str:
        code = code_of(document)
        self.names.append(code.partition("(")[0])
        return code

    def step(self, call: str) -> None:
        """Keeps a call of the store among its lines."""
        self.steps.append(f"{self.variable}.{call}")

    def search(
        self, query: str, k: int, mode: str, scope: frozenset[str] = frozenset(), *, query_code: str = ""
    ) -> Answer:
        """What a search gives; `query_code` is a shorter way to write a long query."""
        code = f"{self.variable}.search({query_code or repr(query)}, {k}, {mode!r}{scope_written(scope)})"
        result, seconds = self.guard.search(query, k, mode, scope)
        return Answer([hit.doc_id for hit in result.hits], [_number(hit.score) for hit in result.hits], seconds, code)

    def searched(self, query: str, k: int) -> Mapping[str, Answer]:
        """The same search in every mode in which the store answers it; those that hung before are not asked."""
        found = {}
        for mode in sorted(self.guard.modes - self._hung.keys()):
            try:
                found[mode] = self.search(query, k, mode)
            except StoreHung as error:
                self._hung[mode] = error.what
                raise
            except StoreError:
                continue
        return found

    def refuses(self, query: str, k: int, mode: str) -> str:
        """What a search raises, with the type first; empty where it answers. One that hangs is raised."""
        try:
            self.guard.search(query, k, mode, frozenset())
        except StoreHung:
            raise
        except StoreError as error:
            return error.what
        return ""

    def count(self) -> int:
        return self.guard.count()

    def finding(
        self,
        says: str,
        *shown: Shown,
        steps: Sequence[str] = (),
        at: int | None = None,
        names: Iterable[str] = (),
        beside: Sequence[Opened] = (),
    ) -> Finding:
        """A finding on this store. `shown` are expressions and their values.

        `steps` are further lines: after all of the store's, or before its line number `at`. `names` are what they
        speak of of the documents; `beside` are other stores that the expressions speak of.
        """
        place = len(self.steps) if at is None else at
        before = [*self.steps[:place], *steps, *self.steps[place:]]
        before[:0] = [step for store in beside for step in store.steps]
        names = [*names, *(name for store in (self, *beside) for name in store.names)]
        body = lines_of(self._factory, before, names, f"print({', '.join(code for code, _ in shown)})")
        return Finding(says, body, " ".join(str(value) for _, value in shown))


class Bench:
    """Opens a store for probes. `shelf` and `once` give the same store to all that ask for the same.

    `hung` holds the modes in which a store hung, each with what was said of it: nobody waits for them again.
    """

    def __init__(self, subject: Subject, declared: Declared, folder: Path, planted: str = "") -> None:
        self.subject, self.declared = subject, declared
        self.factory = Factory(subject.spec, subject.arm.name, planted)
        self._folder, self._number = folder, count()
        self._opened: list[Opened] = []
        self._kept: dict[object, Any] = {}
        self.hung: dict[str, str] = {}

    def open(self, variable: str = "store", *, embedder: Embedder | None = None) -> Opened:
        """An empty store in a folder of its own, with the embedder given or else the arm's. It is closed with others.

        Raises StoreError or Stopped.
        """
        if self.subject.stop.requested:
            raise Stopped(self.subject.stop)
        path = self._folder / f"probe-{next(self._number)}"
        subject = self.subject if embedder is None else replace(self.subject, embedder=embedder)
        opening = self.factory.opened("" if embedder is None else ", embedder=embedder")
        return self._take(subject.open(path, self.declared), variable, opening)

    def reopened(self, store: Opened, code: str) -> Opened:
        """The store closed, and opened again in its folder; `code` names that folder in its lines."""
        store.guard.close()
        again = self._take(self.subject.open(store.guard.path, self.declared), store.variable, "")
        again.names = store.names
        opening = f"{store.variable} = {self.factory.opened(f', {code}')}"
        steps = [opening, *store.steps[1:], f"{store.variable}.close()", opening]
        again.steps = [f"{code} = folder()", *steps]
        return again

    def shelf(self, batch: Batch) -> Opened:
        """A store that holds a batch, and that nobody writes to."""

        def stored() -> Opened:
            store = self.open()
            store.add(batch)
            return store

        return self._once(batch.code, stored)

    def once(self, prepare: Callable[[Bench], T]) -> T:
        """What `prepare` gives, made when it is first asked for."""
        return self._once(prepare, lambda: prepare(self))

    def done(self, *, everything: bool = False) -> None:
        """Closes the stores that nobody shares; all of them with `everything`. Whatever it hung on stays."""
        shared = set() if everything else {id(one) for kept in self._kept.values() for one in _stores_in(kept)}
        staying = []
        for store in self._opened:
            if id(store) in shared:
                staying.append(store)
            else:
                _closed(store.guard)
        self._opened = staying
        if everything:
            self._kept.clear()

    def forget(self) -> None:
        """Shares nothing that was made so far, since something in it hung."""
        self._kept.clear()

    def _once(self, key: object, made: Callable[[], T]) -> T:
        if key not in self._kept:
            self._kept[key] = made()
        kept: T = self._kept[key]
        return kept

    def _take(self, guard: Guard, variable: str, opening: str) -> Opened:
        store = Opened(guard, self.factory, variable, opening, self.hung)
        self._opened.append(store)
        return store


def _stores_in(kept: object) -> Iterable[Opened]:
    """The stores in what was prepared."""
    if isinstance(kept, Opened):
        yield kept
    elif isinstance(kept, tuple):
        yield from (one for one in kept if isinstance(one, Opened))


def _number(score: float) -> float:
    """A score as a float; a whole number too large for one is infinite."""
    try:
        return float(score)
    except OverflowError:
        return math.inf if score > 0 else -math.inf


def _closed(guard: Guard) -> None:
    """Closes a store. How stores close is judged where the corpus is."""
    try:
        guard.close()
    except (StoreError, Stopped):
        return
    shutil.rmtree(guard.path, ignore_errors=True)
