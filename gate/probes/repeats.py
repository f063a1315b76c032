"""Repeats: the same again, on the same store, after storing twice, after reopening, in another process."""

from __future__ import annotations

from collections.abc import Mapping

from gate.errors import StoreError
from gate.probes.bench import Answer, Bench, Opened
from gate.probes.documents import LEDGER_QUERY, LEDGER_SIZE, QUERIES, SHELF, crates
from gate.probes.elsewhere import ranked_elsewhere
from gate.probes.paging import OnShelf
from gate.probes.probe import Finding, Probe

DEPTH = 20


class SameQuery(OnShelf):
    name = "same-query"
    family = "repeats"
    says = "the same question twice gets the same answer"
    stands_for = "ties at random, or searching that changes what is searched"
    steady = True

    def look(self, prepared: Opened, mode: str) -> Finding | None:
        for query in QUERIES:
            one, two = prepared.search(query, DEPTH, mode), prepared.search(query, DEPTH, mode)
            if one.ids != two.ids:
                says = f"'{query}' was asked twice and got two answers"
                return prepared.finding(says, one.shown_ids, two.shown_ids)
        return None


class IngestTwice(Probe):
    name = "ingest-twice"
    family = "repeats"
    says = "a batch that is stored again leaves every document there once"
    stands_for = "a retried import that appends where it should replace"

    def prepare(self, bench: Bench) -> Opened:
        store = bench.open()
        store.add(crates(LEDGER_SIZE))
        store.add(crates(LEDGER_SIZE))
        return store

    def look(self, prepared: Opened, mode: str) -> Finding | None:
        counted = prepared.count()
        if counted != LEDGER_SIZE:
            says = f"{LEDGER_SIZE} documents were stored twice, and {counted} are counted"
            return prepared.finding(says, (f"{prepared.variable}.count()", counted))
        answer = prepared.search(LEDGER_QUERY, 5 * LEDGER_SIZE, mode)
        if len(answer.ids) != len(set(answer.ids)):
            twice = next(doc_id for doc_id in answer.ids if answer.ids.count(doc_id) > 1)
            says = f"{LEDGER_SIZE} documents were stored twice, and {twice} came back {answer.ids.count(twice)} times"
            return prepared.finding(says, (f"ids({answer.code}).count({twice!r})", answer.ids.count(twice)))
        return None


class Reopen(Probe):
    name = "reopen"
    family = "repeats"
    says = "a store that is closed and opened again answers as before"
    stands_for = "an index that is empty, partly written or built otherwise after a restart"
    needs = frozenset({"reopen"})
    steady = True

    def prepare(self, bench: Bench) -> tuple[Opened, Mapping[str, Mapping[str, Answer]], int]:
        store = bench.open()
        store.add(SHELF)
        before = {query: store.searched(query, DEPTH) for query in QUERIES}
        again = bench.reopened(store, "path")
        # Before the last two steps, which close and open it.
        return again, before, len(again.steps) - 2

    def look(self, prepared: tuple[Opened, Mapping[str, Mapping[str, Answer]], int], mode: str) -> Finding | None:
        store, before, place = prepared
        for query, answers in before.items():
            if mode not in answers:
                raise StoreError("store-raised", f"'{query}' was not answered before", where=f"mode {mode}")
            after = store.search(query, DEPTH, mode)
            if answers[mode].ids != after.ids:
                says = f"opened again, '{query}' was answered otherwise than before"
                then = [f"before = ids({answers[mode].code})"]
                return store.finding(says, ("before", answers[mode].ids), after.shown_ids, steps=then, at=place)
        return None


class FreshProcess(Probe):
    """Strings hash otherwise in every process, so that whatever follows the order of a set moves."""

    name = "fresh-process"
    family = "repeats"
    says = "another process with another hash seed gives the same answers"
    stands_for = "ranks that follow the order of a set or the salted hash of a text"
    fast = False
    steady = True

    def prepare(self, bench: Bench) -> tuple[Opened, Mapping[str, Mapping[str, list[str]]]]:
        elsewhere = ranked_elsewhere(bench.subject, bench.factory.planted, QUERIES, DEPTH)
        return bench.shelf(SHELF), elsewhere

    def look(self, prepared: tuple[Opened, Mapping[str, Mapping[str, list[str]]]], mode: str) -> Finding | None:
        store, elsewhere = prepared
        if mode not in elsewhere:
            raise StoreError("store-elsewhere", "another process gave no answers in this mode", where=f"mode {mode}")
        for query in QUERIES:
            here = store.search(query, DEPTH, mode)
            if here.ids != elsewhere[mode][query]:
                says = f"'{query}' was answered otherwise in a new process with another PYTHONHASHSEED"
                return store.finding(says, here.shown_ids)
        return None
