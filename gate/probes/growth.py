"""Growth: nothing that is done once makes what follows it slower.

Machines are noisy, so that a ratio alone proves nothing: what grew has to have grown several
times over and by a time that a person would notice, and that three times in a row.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from statistics import median

from gate.probes.bench import Answer, Bench, Opened
from gate.probes.documents import LEDGER_QUERY, crate, crates
from gate.probes.probe import NO_MODE, Finding, Probe

TRIES = 3
STORED = 2000
QUIET = 20


class FirstSearch(Probe):
    name = "first-search"
    family = "growth"
    says = "the first search after a write is not much slower than the next"
    stands_for = "an index rebuilt by the first search after every write"
    fast = False
    modes = ("keyword", "vector", "hybrid")
    times, seconds = 20.0, 0.25

    def prepare(self, bench: Bench) -> Opened:
        store = bench.open()
        store.add(crates(STORED))
        return store

    def look(self, prepared: Opened, mode: str) -> Finding | None:
        store = prepared
        # What a mode before this one added is there already, and stored again it would change nothing.
        unseen = STORED + 1 + TRIES * self.modes.index(mode)
        for tried in range(TRIES):
            store.add(crate(unseen + tried))
            first = store.search(LEDGER_QUERY, 10, mode)
            usual = median(store.search(LEDGER_QUERY, 10, mode).seconds for _ in range(QUIET))
            if first.seconds < self.seconds or first.seconds < self.times * usual:
                return None
        says = f"with {STORED} documents stored, the first search after a write took {_span(first.seconds, usual)}"
        return store.finding(says, *_timed(first, usual))


class QueryGrowth(Probe):
    name = "query-growth"
    family = "growth"
    says = "a search does not get slower with every search before it"
    stands_for = "a log, cache or history that is walked, or never emptied, by every query"
    fast = False
    modes = ("keyword", "vector", "hybrid")
    times, seconds = 5.0, 0.02
    asked, group = 300, 30

    def prepare(self, bench: Bench) -> Opened:
        store = bench.open()
        store.add(crates(60))
        return store

    def look(self, prepared: Opened, mode: str) -> Finding | None:
        for _ in range(10):
            prepared.search(LEDGER_QUERY, 10, mode)
        first = self._group(prepared, mode)
        for _ in range(TRIES):
            for number in range(self.asked):
                prepared.search(f"{LEDGER_QUERY} {number}", 10, mode)
            last = self._group(prepared, mode)
            if last - first < self.seconds or last < self.times * first:
                return None
        says = f"after {TRIES * self.asked} searches the next took {_span(last, first)}"
        answer = prepared.search(LEDGER_QUERY, 10, mode)
        call = f"[timed({prepared.variable}.search, {LEDGER_QUERY!r}, 10, {mode!r}) for _ in range(900)]"
        return prepared.finding(says, ("times[0]", first), ("times[-1]", answer.seconds), steps=[f"times = {call}"])

    def _group(self, store: Opened, mode: str) -> float:
        return median(store.search(LEDGER_QUERY, 10, mode).seconds for _ in range(self.group))


class IngestGrowth(Probe):
    """Each batch is the same work. Where it goes over all that is stored, the line through the times of all rises."""

    name = "ingest-growth"
    family = "growth"
    says = "a batch does not take much longer to store the more is stored already"
    stands_for = "an index rebuilt, or a whole table compared, with every batch"
    fast = False
    modes = (NO_MODE,)
    times, seconds = 4.0, 0.05
    batch, batches = 64, 30

    def prepare(self, bench: Bench) -> Bench:
        return bench

    def look(self, prepared: Bench, mode: str) -> Finding | None:  # noqa: ARG002 - of none
        for _ in range(TRIES):
            store = prepared.open()
            took = [self._store(store, number) for number in range(self.batches)]
            # The first batch pays for whatever is made once.
            early, late = ends_of_line(took[1:])
            if late - early < self.seconds or late < self.times * early:
                return None
        says = f"after {self.batch * self.batches} documents a batch of {self.batch} took {_span(late, early)} to store"
        batch = f"[crate({self.batch} * at + n) for n in range({self.batch})]"
        call = f"[timed({store.variable}.add, {batch}) for at in range({self.batches})]"
        return store.finding(says, ("took[1]", early), ("took[-1]", late), steps=[f"took = {call}"], names=["crate"])

    def _store(self, store: Opened, number: int) -> float:
        documents = [crate(self.batch * number + at) for at in range(self.batch)]
        return store.guard.add(documents)


def ends_of_line(took: Sequence[float]) -> tuple[float, float]:
    """Where the line through times of equal steps begins and ends; at least three. No time is below 0.

    Its slope is the median of those of all pairs, so that more than a quarter of the times may be anything (Theil,
    1950; Sen, "Estimates of the regression coefficient based on Kendall's tau", JASA 63, 1968).
    """
    slope = median((late - early) / (j - i) for (i, early), (j, late) in combinations(enumerate(took), 2))
    start = median(one - slope * at for at, one in enumerate(took))
    return max(0.0, start), max(0.0, start + slope * (len(took) - 1))


def _span(slow: float, usual: float) -> str:
    return f"{slow:.3f} s, where {usual:.3f} s is usual"


def _timed(answer: Answer, usual: float) -> tuple[tuple[str, object], tuple[str, object]]:
    """A search timed once, and once more."""
    call, _, arguments = answer.code.partition("(")
    timed = f"timed({call}, {arguments}"
    return (timed, answer.seconds), (timed, usual)
