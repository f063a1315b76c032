"""Scopes: what a search may see, as canaries that must not come back, and as hits that have to."""

from __future__ import annotations

from typing import ClassVar

from gate.probes.bench import Bench, Opened
from gate.probes.documents import (
    BUOY_QUERIES,
    FEW,
    FEW_SIZE,
    NOBODY,
    NORTH,
    PROJECTS_QUERY,
    REFERENCE_QUERY,
    SCOPED,
    USER_A,
    USERS_QUERY,
    buoys,
)
from gate.probes.probe import EVERY_MODE, Finding, Probe

DEPTH = 50
# Two of two thousand: one in a thousand.
OTHERS, OWN = 1998, 2


class _Scoped(Probe):
    """A probe of stores that know scopes. `query` is asked with `scope`: `seen` has to come back, `hidden` must not."""

    family = "scope"
    needs = frozenset({"scope"})
    modes: ClassVar[tuple[str, ...]] = EVERY_MODE
    query: ClassVar[str]
    scope: ClassVar[frozenset[str]]
    seen: ClassVar[str]
    hidden: ClassVar[str]

    def prepare(self, bench: Bench) -> Opened:
        return bench.shelf(SCOPED)

    def look(self, prepared: Opened, mode: str) -> Finding | None:
        answer = prepared.search(self.query, DEPTH, mode, self.scope)
        told = f"a search for '{self.query}' with the scope {', '.join(sorted(self.scope))}"
        if self.hidden in answer.ids:
            return prepared.finding(f"{told} gave {self.hidden}, which it may not see", answer.holds(self.hidden))
        if self.seen not in answer.ids:
            return prepared.finding(f"{told} did not find {self.seen}, which it may see", answer.holds(self.seen))
        return None


class Users(_Scoped):
    name = "scope-users"
    says = "a search as one user never gives what another wrote, and gives the own"
    stands_for = "a filter that is ignored, in one mode or in all"
    query, scope, seen, hidden = USERS_QUERY, USER_A, "alarm-a", "alarm-b"


class Projects(_Scoped):
    name = "scope-projects"
    says = "a search in one project never gives what belongs to another project of the same user"
    stands_for = "a filter that asks for any part of a scope and not for all, or a cache keyed without it"
    query, scope, seen, hidden = PROJECTS_QUERY, NORTH, "drone-north", "drone-south"


class References(_Scoped):
    name = "scope-references"
    says = "a document that refers to another brings nothing that the search may not see"
    stands_for = "references, links or neighbours followed after the filter"
    modes = ("keyword", "vector", "hybrid", "rerank")
    query, scope, seen, hidden = REFERENCE_QUERY, USER_A, "tide-a", "tide-b"


class _Fills(Probe):
    family = "scope"
    needs = frozenset({"scope"})
    stands_for = "a filter applied after the top k were taken"
    others: ClassVar[int]
    own: ClassVar[int]

    def look(self, prepared: Opened, mode: str) -> Finding | None:
        wanted = [f"few-{number}" for number in range(1, self.own + 1)]
        for query in BUOY_QUERIES:
            answer = prepared.search(query, self.own, mode, FEW)
            if sorted(answer.ids) != wanted:
                says = (
                    f"user-d has {self.own} documents on '{query}' and user-c {self.others} that match better:"
                    f" the search of user-d found {len(set(wanted) & set(answer.ids))} of {self.own}, at k = {self.own}"
                )
                return prepared.finding(says, (f"sorted(ids({answer.code}))", sorted(answer.ids)))
        return None


class FilterFills(_Fills):
    name = "filter-fills"
    says = "a filter that keeps few documents still fills k with them"
    others, own = 60, FEW_SIZE

    def prepare(self, bench: Bench) -> Opened:
        return bench.shelf(SCOPED)


class RareFilter(_Fills):
    name = "filter-rare"
    says = "a filter that keeps 1 in 1,000 documents still fills k with them"
    fast = False
    others, own = OTHERS, OWN

    def prepare(self, bench: Bench) -> Opened:
        return bench.shelf(buoys(OTHERS, OWN))


class ImpossibleFilter(Probe):
    name = "filter-impossible"
    family = "scope"
    says = "a filter that no document passes gives nothing, though others have just asked the same and were answered"
    stands_for = "a filter that is dropped where it leaves nothing, or an answer that is kept for whoever asks next"
    needs = frozenset({"scope"})
    modes = EVERY_MODE
    asked = (
        (USERS_QUERY, USER_A),
        (PROJECTS_QUERY, NORTH),
        (REFERENCE_QUERY, USER_A),
        *((query, FEW) for query in BUOY_QUERIES),
    )

    def prepare(self, bench: Bench) -> Opened:
        return bench.shelf(SCOPED)

    def look(self, prepared: Opened, mode: str) -> Finding | None:
        for query, scope in self.asked:
            before = prepared.search(query, DEPTH, mode, scope)
            answer = prepared.search(query, DEPTH, mode, NOBODY)
            if answer.ids:
                says = f"a search with a scope that no document has gave {len(answer.ids)} hits, {answer.ids[0]} first"
                shown = (f"len(ids({answer.code}))", len(answer.ids))
                return prepared.finding(says, shown, steps=[f"ids({before.code})"])
        return None
