"""Paging: how many hits come back, and that a shorter list is the beginning of a longer one."""

from __future__ import annotations

from gate.probes.bench import Bench, Opened
from gate.probes.documents import GRADED_QUERY, LEDGER_QUERY, LEDGER_SIZE, QUERIES, SHELF
from gate.probes.probe import Finding, Probe

SHORT, LONG = 5, 50
BEYOND = 10 * len(SHELF.documents)


class OnShelf(Probe):
    """A probe that only searches the shelf."""

    family = "paging"

    def prepare(self, bench: Bench) -> Opened:
        return bench.shelf(SHELF)


class KPrefix(OnShelf):
    name = "k-prefix"
    says = f"the first {SHORT} of {LONG} hits are the {SHORT} hits of a search for {SHORT}"
    stands_for = "pages that repeat or skip documents, a pool whose size changes the ranks, unstable ties"
    steady = True

    def look(self, prepared: Opened, mode: str) -> Finding | None:
        for query in QUERIES:
            long, short = prepared.search(query, LONG, mode), prepared.search(query, SHORT, mode)
            if long.ids[:SHORT] != short.ids:
                says = f"the first {SHORT} of k = {LONG} are not the hits of k = {SHORT} for '{query}'"
                return prepared.finding(says, long.first(SHORT), short.shown_ids)
        return None


class KOne(OnShelf):
    name = "k-one"
    says = f"k = 1 gives one hit, the first of k = {SHORT}"
    stands_for = "an off-by-one in k, or scores that are normalised over the hits, so that a single one becomes 0"
    steady = True

    def look(self, prepared: Opened, mode: str) -> Finding | None:
        for query in (GRADED_QUERY, LEDGER_QUERY):
            one, more = prepared.search(query, 1, mode), prepared.search(query, SHORT, mode)
            if one.ids != more.ids[:1]:
                says = f"k = 1 does not give the first of k = {SHORT} for '{query}', but {_listed(one.ids)}"
                return prepared.finding(says, one.shown_ids, more.first(1))
        return None


class KBeyond(OnShelf):
    name = "k-beyond"
    says = "k beyond all that is stored gives no more than is stored"
    stands_for = "an index that raises, pads or repeats when it is asked for more than it has"

    def look(self, prepared: Opened, mode: str) -> Finding | None:
        raised = prepared.refuses(LEDGER_QUERY, BEYOND, mode)
        if raised:
            says = f"k = {BEYOND}, with {len(SHELF.documents)} documents stored, raised {raised}"
            call = f"raised({prepared.variable}.search, {LEDGER_QUERY!r}, {BEYOND}, {mode!r})"
            return prepared.finding(says, (call, raised.partition(":")[0]))
        answer = prepared.search(LEDGER_QUERY, BEYOND, mode)
        if len(answer.ids) > len(SHELF.documents):
            says = f"k = {BEYOND} gave {len(answer.ids)} hits, with {len(SHELF.documents)} documents stored"
            return prepared.finding(says, (f"len(ids({answer.code}))", len(answer.ids)))
        return None


class FillsK(OnShelf):
    """What matches differs by mode: vectors find something for everything. The documents asked for match in all."""

    name = "fills-k"
    says = f"{LEDGER_SIZE} documents that hold the question fill any k up to {LEDGER_SIZE}, and a larger k has them all"
    stands_for = "k ignored, capped or off by one; a pool that is too small; a threshold that is too high"

    def look(self, prepared: Opened, mode: str) -> Finding | None:
        for k in (1, 2, 3, SHORT, 10, LEDGER_SIZE):
            answer = prepared.search(LEDGER_QUERY, k, mode)
            if len(answer.ids) != k:
                says = f"k = {k} gave {len(answer.ids)} hits, and {LEDGER_SIZE} documents hold '{LEDGER_QUERY}'"
                return prepared.finding(says, (f"len(ids({answer.code}))", len(answer.ids)))
        answer = prepared.search(LEDGER_QUERY, 2 * BEYOND, mode)
        crates = [f"crate-{number}" for number in range(1, LEDGER_SIZE + 1)]
        missing = [doc_id for doc_id in crates if doc_id not in answer.ids]
        if missing:
            says = f"{missing[0]} holds '{LEDGER_QUERY}' and was not found, at k = {2 * BEYOND}"
            return prepared.finding(says, answer.holds(missing[0]))
        return None


def _listed(doc_ids: list[str]) -> str:
    return ", ".join(doc_ids) or "nothing"
