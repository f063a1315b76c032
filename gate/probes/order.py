"""Order: in which documents arrive, questions are asked and ids sort makes no difference.

Where two documents tie, what arrived first or sorts first may come first: two documents have
changed places only where neither ranking gives them one score. And only documents that a question
tells apart are looked at: fused ranks turn ties of one side into differences.
"""

from __future__ import annotations

from collections.abc import Mapping

from gate.probes.bench import Answer, Bench, Opened
from gate.probes.documents import BACKWARD, GRADED, GRADED_QUERY, NEW_IDS, QUERIES, RELABELLED, SHELF
from gate.probes.probe import Finding, Probe
from gate.probes.ties import apart

DEPTH = 20


def swapped(one: Answer, other: Answer, names: Mapping[str, str]) -> tuple[str, str] | None:
    """Two documents that stand the other way round in `other`, where they have other names; None without any."""
    there = [doc_id for doc_id in one.ids if doc_id in names and names[doc_id] in other.ids]
    for at, first in enumerate(there):
        for second in there[at + 1 :]:
            before = apart(one.score_of(first), one.score_of(second))
            after = apart(other.score_of(names[first]), other.score_of(names[second]))
            turned = other.ids.index(names[first]) > other.ids.index(names[second])
            if turned and before and after:
                return first, second
    return None


class _Twins(Probe):
    """A probe that holds two stores against each other, of the same documents."""

    family = "order"
    steady = True
    names: Mapping[str, str]

    def differs(self, store: Opened, other: Opened, mode: str, how: str) -> Finding | None:
        one, two = store.search(GRADED_QUERY, DEPTH, mode), other.search(GRADED_QUERY, DEPTH, mode)
        found = [doc_id for doc_id in one.ids if doc_id in self.names]
        missing = [doc_id for doc_id in found if self.names[doc_id] not in two.ids]
        pair = swapped(one, two, self.names)
        if missing:
            says = f"{how}, '{GRADED_QUERY}' did not find {missing[0]} any more"
        elif pair is not None:
            says = f"{how}, '{GRADED_QUERY}' ranked {pair[1]} before {pair[0]}"
        else:
            return None
        return store.finding(says, one.first(4), two.first(4), beside=[other])


class IngestOrder(_Twins):
    name = "ingest-order"
    says = "documents that a question tells apart rank alike, whatever the order in which they were stored"
    stands_for = "the newest first, or statistics frozen at the first batch"
    names = {one.doc_id: one.doc_id for one in GRADED.documents}  # noqa: RUF012 - never written to

    def prepare(self, bench: Bench) -> tuple[Opened, Opened]:
        other = bench.open("other")
        other.add(BACKWARD)
        return bench.shelf(SHELF), other

    def look(self, prepared: tuple[Opened, Opened], mode: str) -> Finding | None:
        return self.differs(*prepared, mode, "stored in the other order")


class RelabelledIds(_Twins):
    name = "relabelled-ids"
    says = "documents that a question tells apart rank alike, whatever their ids"
    stands_for = "an id that is searched as text, or that decides where scores should"
    names = {one.doc_id: NEW_IDS[one.doc_id] for one in GRADED.documents}  # noqa: RUF012 - never written to

    def prepare(self, bench: Bench) -> tuple[Opened, Opened]:
        other = bench.open("other")
        other.add(RELABELLED)
        return bench.shelf(SHELF), other

    def look(self, prepared: tuple[Opened, Opened], mode: str) -> Finding | None:
        return self.differs(*prepared, mode, "with other ids")


class QueryOrder(Probe):
    name = "query-order"
    family = "order"
    says = "what was asked before changes no answer"
    stands_for = "learning or access counts that are not switched off, or a cache that mixes up questions"
    steady = True

    def prepare(self, bench: Bench) -> Bench:
        return bench

    def look(self, prepared: Bench, mode: str) -> Finding | None:
        # A store for each mode: what another mode was asked is history too, and would have to be shown.
        store = prepared.open()
        store.add(SHELF)
        first = {query: store.search(query, DEPTH, mode) for query in QUERIES}
        again = {query: store.search(query, DEPTH, mode) for query in reversed(QUERIES)}
        for query in QUERIES:
            if first[query].ids != again[query].ids:
                says = f"'{query}' was answered otherwise after other questions than before them"
                ask = f"ids({store.variable}.search(query, {DEPTH}, {mode!r}))"
                return store.finding(
                    says,
                    (f"first[{query!r}]", first[query].ids),
                    (f"again[{query!r}]", again[query].ids),
                    names=["QUERIES"],
                    steps=[
                        f"first = {{query: {ask} for query in QUERIES}}",
                        f"again = {{query: {ask} for query in reversed(QUERIES)}}",
                    ],
                )
        return None
