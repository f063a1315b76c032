"""Modes: that each is what it is called, and that what runs is what was asked for."""

from __future__ import annotations

from collections.abc import Mapping

from gate.probes.bench import Bench, Opened
from gate.probes.by_hand import Counted
from gate.probes.documents import QUERIES, SHELF, crates
from gate.probes.paging import OnShelf
from gate.probes.probe import NO_MODE, Finding, Probe

DEPTH = 10
# A mode, and those that it is held against.
_OTHERS: Mapping[str, tuple[str, ...]] = {"vector": ("keyword",), "hybrid": ("keyword", "vector")}


class ModesDiffer(OnShelf):
    """Two modes may agree on any question. On all of them, to the tenth hit, they are one."""

    name = "modes-differ"
    family = "modes"
    says = "vector search is not keyword search under another name, and hybrid search is neither of its sides"
    stands_for = "a mode that falls back in silence, or a fusion that swallows one side"
    modes = ("vector", "hybrid")
    beside = frozenset({"keyword"})

    def look(self, prepared: Opened, mode: str) -> Finding | None:
        for other in _OTHERS[mode]:
            if other not in prepared.guard.modes:
                continue
            alike = [
                prepared.search(query, DEPTH, mode).ids == prepared.search(query, DEPTH, other).ids for query in QUERIES
            ]
            if all(alike):
                says = f"{mode} and {other} gave the same hits in the same order for all {len(QUERIES)} questions"
                asked = [f"ids({prepared.variable}.search(query, {DEPTH}, {one!r}))" for one in (mode, other)]
                code = f"all({asked[0]} == {asked[1]} for query in QUERIES)"
                return prepared.finding(says, (code, True), names=["QUERIES"])
        return None


class Environment(Probe):
    """A key that is not there is held against nothing: what a store does not say cannot be wrong."""

    name = "environment"
    family = "modes"
    says = "the embedder, reranker and device that the store says it runs are those that were asked for"
    stands_for = "a CPU where a GPU was asked for, or another model than the one configured"
    modes = (NO_MODE,)

    def prepare(self, bench: Bench) -> tuple[Opened, Mapping[str, str]]:
        subject, abilities = bench.subject, bench.declared.abilities
        asked = {"device": subject.arm.device}
        if subject.embedder is not None and "embedder" in abilities:
            asked["embedder"] = subject.embedder.name
        if subject.reranker is not None and "reranker" in abilities:
            asked["reranker"] = subject.reranker.name
        return bench.shelf(SHELF), asked

    def look(self, prepared: tuple[Opened, Mapping[str, str]], mode: str) -> Finding | None:  # noqa: ARG002 - of none
        store, asked = prepared
        live = store.guard.environment()
        for key, wanted in asked.items():
            if key in live and wanted.casefold() not in live[key].casefold():
                says = f"the store says that its {key} is {live[key]}, and {wanted} was asked for"
                return store.finding(says, (f"{store.variable}.environment()[{key!r}]", live[key]))
        return None


class EmbedderUsed(Probe):
    name = "embedder-used"
    family = "modes"
    says = "the embedder that the store is given makes the vectors of documents and of questions"
    stands_for = "a default model, or a cached vector, used in place of the one that was given"
    modes = ("vector", "hybrid")
    needs = frozenset({"embedder"})

    def prepare(self, bench: Bench) -> tuple[Opened, Counted] | None:
        if bench.subject.embedder is None:
            return None
        embedder = Counted(bench.subject.embedder)
        store = bench.open(embedder=embedder)
        arm = f"({bench.factory.arm!r})" if bench.factory.arm != "cpu-hash" else "()"
        store.steps.insert(0, f"embedder = counted{arm}")
        store.add(crates(3))
        return store, embedder

    def look(self, prepared: tuple[Opened, Counted] | None, mode: str) -> Finding | None:
        if prepared is None:
            return None
        store, embedder = prepared
        before = dict(embedder.texts)
        answer = store.search(f"dried figs, asked in {mode} mode", 3, mode)
        asked = embedder.texts["query"] - before["query"]
        if not asked or embedder.texts["document"] < 3:
            kind, number = ("query", asked) if not asked else ("document", embedder.texts["document"])
            whole = {"query": "a question was asked", "document": "three documents were stored"}[kind]
            says = f"{whole}, and the embedder that the store was given saw {number or 'none'} of it"
            return store.finding(says, (f"embedder.texts[{kind!r}]", number), steps=[answer.code])
        return None
