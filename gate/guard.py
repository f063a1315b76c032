"""A store behind a guard: whatever it raises, returns or never returns becomes one kind of error.

All calls of one store are made from one thread of its own, since many clients (SQLite's among
them) may only be used from the thread that opened them. What a store hands back is looked at
there too: a lazy answer may raise or hang. The thread is a daemon: no store keeps us alive.
"""

from __future__ import annotations

import gc
import os
import sys
import threading
import traceback
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from numbers import Integral
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, TypeVar

from gate.answers import Unusable, checked, kind_of, writable
from gate.errors import GateError, StoreError, StoreHung
from gate.exit_codes import ExitCode
from gate.protocols import Deletes, Embedder, KnowsLabels, OpenStore, Reranker, Store, Supersedes, Updates
from gate.records import ABILITIES, MODES, Document, SearchResult
from gate.stop import Stop
from gate.stopwatch import now
from gate.stores import valid_name

T = TypeVar("T")
OPENED = "A store is opened as open_store(path, embedder=None, reranker=None)."
POLL_SECONDS = 0.1
LONGEST_MESSAGE = 300
METHODS: Mapping[str, type] = {"update": Updates, "delete": Deletes, "supersede": Supersedes}


class Stopped(GateError):
    """Somebody asked to stop while a store was being used."""

    exit_code = ExitCode.INTERRUPTED

    def __init__(self, stop: Stop) -> None:
        super().__init__("stopped", f"stopped by {stop.signal}")


class Guard:
    """One opened store at `path`. Every method raises StoreError, StoreHung or Stopped, and nothing else.

    `timeout` is in seconds and holds for each call. After a call that hung the instance is of
    no use, and every later call says so at once. The traceback of the first error of each kind
    of call, and where a hung store stands, go to standard error.
    """

    def __init__(
        self,
        open_store: OpenStore,
        path: Path,
        embedder: Embedder | None,
        reranker: Reranker | None,
        *,
        timeout: float,
        stop: Stop,
        wrap: Callable[[Store], Store] = lambda store: store,
        known_as: str = "store",
        told: bool = False,
    ) -> None:
        self.name, self.path, self._told = known_as, path, told
        self._timeout, self._stop = timeout, stop
        self._hung, self._closed = "", False
        self._explained: set[str] = set()
        self._tasks: SimpleQueue[tuple[Callable[[], Any], str] | None] = SimpleQueue()
        self._answers: SimpleQueue[tuple[Any, BaseException | None, str]] = SimpleQueue()
        self._thread = threading.Thread(target=self._serve, name="gate-store", daemon=True)
        self._thread.start()

        def opened() -> Store:
            return wrap(open_store(path, embedder, reranker))

        try:
            self._store: Store = self._call(opened, "open")
            self.name, self.modes, self.abilities, self._knows_labels = self._call(self._declared, "open")
        except (StoreError, Stopped):
            self._tasks.put(None)
            raise

    def _serve(self) -> None:
        process = os.getpid()
        while (waiting := self._tasks.get()) is not None:
            task, doing = waiting
            try:
                answer = (task(), None, "")
                if os.getpid() != process:
                    # A child that the store forked and let come back: it is not the gate.
                    os._exit(0)
                self._answers.put(answer)
            except BaseException as error:  # noqa: BLE001 - a store may raise anything, SystemExit too
                if os.getpid() != process:
                    os._exit(1)
                if not isinstance(error, Unusable) and doing not in self._explained:
                    self._explained.add(doing)
                    with suppress(OSError, ValueError):
                        traceback.print_exception(error)
                self._answers.put((None, error, _said(error)))

    def _call(self, task: Callable[[], T], doing: str, timeout: float | None = None) -> T:
        """The task's value, from the store's own thread. `doing` names the call in errors."""
        timeout = self._timeout if timeout is None else timeout
        if self._hung:
            raise StoreHung(
                "store-hung", f"the store is out of use since it hung ({self._hung})", where=self._at(doing)
            )
        self._tasks.put((task, doing))
        deadline = now() + timeout
        while True:
            try:
                value, error, said = self._answers.get(timeout=max(0.0, min(POLL_SECONDS, deadline - now())))
                break
            except Empty:
                if self._stop.requested:
                    self._abandon(f"{doing}, left when {self._stop.signal} came")
                    raise Stopped(self._stop) from None
                if now() >= deadline:
                    self._abandon(doing)
                    raise StoreHung(
                        "store-hung",
                        f"no answer within {timeout:g} s",
                        where=self._at(doing),
                        hint="Find what it waits for, or raise `timeout` in the settings.",
                    ) from None
        if isinstance(error, Unusable):
            raise error
        if error is None:
            answer: T = value
            return answer
        hint = OPENED if doing == "open" and isinstance(error, TypeError) else ""
        raise StoreError("store-raised", said, where=self._at(doing), hint=hint) from error

    def _abandon(self, doing: str) -> None:
        """Leaves the thread to itself: should it ever come back, it ends."""
        self._hung = doing
        self._tasks.put(None)
        with suppress(OSError, ValueError):
            print(f"{self._at(doing)}: no answer; the store stands here:", file=sys.stderr)
            traceback.print_stack(sys._current_frames().get(self._thread.ident or 0))

    def _at(self, doing: str) -> str:
        return f"{self.name}, {doing}"

    def _declared(self) -> tuple[str, frozenset[str], frozenset[str], bool]:
        store: object = self._store
        if store is None:
            raise Unusable("store-none", "its factory returned None, not a store", where=self._at("open"))
        name = getattr(store, "name", None)
        if not isinstance(name, str) or not valid_name(name):
            raise Unusable(
                "store-name",
                f"its name is {name!r}, which cells and file names cannot hold",
                where=self._at("open"),
                hint="Give the store a `name` of a-z, 0-9 and '-'.",
            )
        sets = []
        for what, known in (("modes", MODES), ("abilities", ABILITIES)):
            declared = getattr(store, what, None)
            if not isinstance(declared, (set, frozenset, list, tuple)):
                raise Unusable("store-declares", f"its `{what}` is {declared!r}, not a set of names", where=name)
            unknown = sorted(writable(str(item)) for item in declared if item not in known)
            if unknown:
                raise Unusable(
                    "store-declares",
                    f"it declares {what} that do not exist: {', '.join(unknown)}",
                    where=name,
                    hint=f"known: {', '.join(known)}",
                )
            sets.append(frozenset(declared))
        for ability, protocol in METHODS.items():
            if ability in sets[1] and not isinstance(store, protocol):
                raise Unusable(
                    "store-declares", f"it declares the ability {ability} but has no such method", where=name
                )
        return name, sets[0], sets[1], self._told and isinstance(store, KnowsLabels)

    def environment(self) -> dict[str, str]:
        """What really runs, as the store says it, sorted by key."""

        def told() -> dict[str, str]:
            value: object = self._store.environment()
            if not isinstance(value, Mapping):
                raise Unusable(
                    "store-answer", f"it gave {kind_of(value)}, not a mapping", where=self._at("environment")
                )
            return dict(sorted((writable(str(key)), writable(str(item))) for key, item in value.items()))

        return self._call(told, "environment")

    def add(self, documents: Sequence[Document]) -> float:
        """Stores a batch; the seconds it took."""
        return self._call(_timed(lambda: self._store.add(documents)), f"add of {len(documents)} documents")

    def update(self, document: Document) -> float:
        """Replaces a document that is stored under its id; the seconds it took."""
        store = self._store
        assert isinstance(store, Updates)
        return self._call(_timed(lambda: store.update(document)), f"update {document.doc_id}")

    def supersede(self, old_id: str, new_id: str) -> float:
        """Replaces a document by another that is stored; the seconds it took."""
        store = self._store
        assert isinstance(store, Supersedes)
        return self._call(_timed(lambda: store.supersede(old_id, new_id)), f"supersede {old_id}")

    def delete(self, doc_id: str) -> float:
        """Deletes a document; the seconds it took."""
        store = self._store
        assert isinstance(store, Deletes)
        return self._call(_timed(lambda: store.delete(doc_id)), f"delete {doc_id}")

    def reveal(self, answers: Mapping[str, Sequence[str]]) -> None:
        """Tells a control the answers; does nothing for a store that asks for none."""
        if self._knows_labels:
            store: Any = self._store
            self._call(lambda: store.reveal(answers), "reveal")

    def count(self) -> int:
        """The number of documents that the store says it holds."""

        def told() -> int:
            value: object = self._store.count()
            if isinstance(value, bool) or not isinstance(value, Integral):
                raise Unusable("store-answer", f"it gave {kind_of(value)}, not a whole number", where=self._at("count"))
            return int(value)

        return self._call(told, "count")

    def search(
        self, query: str, k: int, mode: str, scope: frozenset[str], timeout: float | None = None
    ) -> tuple[SearchResult, float]:
        """The store's answer, checked in its types, and the seconds it took. An empty scope is not passed on.

        `timeout` takes the place of the guard's own for this one search.
        """

        def asked() -> tuple[SearchResult, float]:
            began = now()
            answer = self._store.search(query, k, mode, scope) if scope else self._store.search(query, k, mode)
            seconds = now() - began
            return checked(answer, self._at(f"mode {mode}")), seconds

        return self._call(asked, f"mode {mode}", timeout)

    def search_times(self, questions: Sequence[tuple[str, frozenset[str]]], k: int, mode: str) -> list[float]:
        """The seconds that each search took by itself, of many made one after the other; what came back is dropped.

        All of them are one visit to the store's thread, so that nothing is handed over between two of them, and no
        garbage is collected meanwhile.
        """

        def asked() -> list[float]:
            search, seconds = self._store.search, []
            collecting = gc.isenabled()
            gc.disable()
            try:
                for query, scope in questions:
                    began = now()
                    answer = search(query, k, mode, scope) if scope else search(query, k, mode)
                    seconds.append(now() - began)
                    del answer
            finally:
                if collecting:
                    gc.enable()
            return seconds

        return self._call(asked, f"mode {mode}")

    def hand_over(self) -> Store:
        """Ends the thread and gives the store away, open: a process that is forked from this one has no such thread.

        The guard is of no use afterwards. Only for stores that may be used from another thread.
        """
        self._closed, self._hung = True, "it was handed over"
        self._tasks.put(None)
        self._thread.join()
        return self._store

    def close(self) -> None:
        """Closes the store and ends its thread, once. A store that hung is left as it is."""
        if self._hung or self._closed:
            return
        self._closed = True
        try:
            self._call(lambda: self._store.close(), "close")
        finally:
            self._tasks.put(None)


def _timed(task: Callable[[], object]) -> Callable[[], float]:
    def run() -> float:
        began = now()
        task()
        return now() - began

    return run


def _said(error: BaseException) -> str:
    """Type and message of an error, on one line, cut."""
    name = type(error).__name__
    try:
        words = writable(" ".join(str(error).split()))
    except BaseException:  # noqa: BLE001 - even saying what was wrong is the driver's code
        return name
    said = f"{name}: {words}" if words else name
    return said if len(said) <= LONGEST_MESSAGE else said[: LONGEST_MESSAGE - 3] + "..."
