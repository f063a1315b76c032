"""Adding: what was found before is found after."""

from __future__ import annotations

from collections.abc import Mapping

from gate.errors import StoreError
from gate.probes.bench import Answer, Bench, Opened
from gate.probes.documents import HAN_ONLY, LEDGER_QUERY, LEDGER_SIZE, PLACE_QUERY, PLACES, crate, crates
from gate.probes.probe import Finding, Probe

DEEP = 100


class AddOnly(Probe):
    """Scores may change with every document, since idf does: only membership in a list long enough for all counts."""

    name = "add-only"
    family = "adding"
    says = "adding a document takes no other out of a result that is long enough for all"
    stands_for = "a mode, language or threshold chosen from what is stored, that flips with one document more"

    def prepare(self, bench: Bench) -> tuple[Opened, Mapping[str, Mapping[str, Answer]], int]:
        store = bench.open()
        store.add(crates(LEDGER_SIZE))
        store.add(PLACES)
        before = {query: store.searched(query, DEEP) for query in (LEDGER_QUERY, PLACE_QUERY)}
        place = len(store.steps)
        store.add(crate(LEDGER_SIZE + 1))
        store.add(HAN_ONLY)
        return store, before, place

    def look(self, prepared: tuple[Opened, Mapping[str, Mapping[str, Answer]], int], mode: str) -> Finding | None:
        store, before, place = prepared
        for query, answers in before.items():
            if mode not in answers:
                raise StoreError("store-raised", f"'{query}' was not answered before", where=f"mode {mode}")
            after = store.search(query, DEEP, mode)
            lost = [doc_id for doc_id in answers[mode].ids if doc_id not in after.ids]
            if lost:
                says = f"a document was added, and '{query}' found {lost[0]} no more, at k = {DEEP}"
                then = [f"before = ids({answers[mode].code})"]
                shown = (f"{lost[0]!r} in before", True), after.holds(lost[0])
                return store.finding(says, *shown, steps=then, at=place)
        return None
