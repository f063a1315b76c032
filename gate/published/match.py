"""Published figures of retrieval beside those measured here, and whether the protocols are the same.

Two figures are comparable only where nothing that shapes them differs. What is not known is not the
same: a protocol never matches out of ignorance.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gate.measures import MEASURES
from gate.methodology import DEDUP
from gate.published.file import RETRIEVAL, Entry, Published
from gate.records import ALL_TOPICS, NO_FAULT, Cell, CellKey

MATCHES = "matches"
_APART = re.compile(r"[^a-z0-9]+")


@dataclass(frozen=True, slots=True)
class Local:
    """One figure measured here, over all topics and in health; the rest as in the manifest.

    `haystack` is `shared`: the gate asks all topics of one store that holds the whole corpus.
    """

    key: CellKey
    value: float
    topics: int
    granularity: str | None
    dedup: str | None
    haystack: str | None
    depth: int | None = None

    @property
    def k(self) -> int | None:
        """How many results count: the cutoff of its measure, or the depth that was asked for where that is less."""
        _, at, cutoff = self.key.measure.partition("@")
        counted = [number for number in (int(cutoff) if at else None, self.depth) if number is not None]
        return min(counted, default=None)


@dataclass(frozen=True, slots=True)
class Group:
    """The figures of one dataset and measure: those measured here, and the published ones, each with a verdict.

    `verdicts[i]` says of `entries[i]` whether its protocol matches.
    """

    dataset: str
    measure: str
    local: tuple[Local, ...]
    entries: tuple[Entry, ...]
    verdicts: tuple[str, ...]


def locals_of(cells: Sequence[Cell], manifest: Mapping[str, Any]) -> tuple[Local, ...]:
    """What was measured over all topics in health, per-topic measures alone."""
    protocols = _protocols(manifest)
    found = []
    for cell in cells:
        key = cell.key
        if key.slice != ALL_TOPICS or key.fault != NO_FAULT or cell.status != "measured" or cell.value is None:
            continue
        if key.measure.partition("@")[0] in MEASURES:
            fields = protocols.get((key.store, f"{key.corpus}@{key.tier}", key.arm), {})
            haystack = "shared" if fields else None
            found.append(Local(key, cell.value, cell.topics, _unit(fields), _dedup(fields), haystack, _depth(fields)))
    return tuple(found)


def _protocols(manifest: Mapping[str, Any]) -> dict[tuple[str, str, str], Mapping[str, Any]]:
    trials = manifest.get("trials")
    return {
        (str(trial.get("store")), str(trial.get("corpus")), str(trial.get("arm"))): trial["protocol"]
        for trial in (trials if isinstance(trials, list) else ())
        if isinstance(trial, dict) and isinstance(trial.get("protocol"), dict)
    }


def _unit(protocol: Mapping[str, Any]) -> str | None:
    """The unit that is stored: a turn, a session or a chunk."""
    granularity = protocol.get("granularity")
    return granularity if isinstance(granularity, str) and granularity else None


def _dedup(protocol: Mapping[str, Any]) -> str | None:
    """How repeats are removed, in the words of the methodology."""
    dedup = protocol.get("dedup")
    return DEDUP[dedup] if isinstance(dedup, bool) else None


def _depth(protocol: Mapping[str, Any]) -> int | None:
    depth = protocol.get("depth")
    return depth if isinstance(depth, int) and not isinstance(depth, bool) else None


def groups(published: Published, local: Sequence[Local]) -> Iterator[Group]:
    """The retrieval entries by dataset and measure, in the order of the file. Answers are in none."""
    places: dict[tuple[str, str], list[Entry]] = {}
    for entry in published.entries:
        if entry.kind == RETRIEVAL:
            places.setdefault((entry.dataset, entry.measure), []).append(entry)
    for (dataset, measure), entries in places.items():
        own = tuple(one for one in local if same_dataset(dataset, one.key.corpus) and one.key.measure == measure)
        yield Group(dataset, measure, own, tuple(entries), tuple(_verdict(entry, own) for entry in entries))


def same_dataset(published: str, corpus: str) -> bool:
    """Whether a corpus bears the name of a dataset, whatever the case and what stands between its parts."""
    return _APART.sub("-", published.lower()).strip("-") == _APART.sub("-", corpus.lower()).strip("-")


def _verdict(entry: Entry, own: Sequence[Local]) -> str:
    if not own:
        return "not measured here"
    return "; ".join(dict.fromkeys(protocol_verdict(entry, one) for one in own))


def protocol_verdict(entry: Entry, local: Local) -> str:
    """`matches`, or the first field that differs, or, where none is known to, the first that is not known."""
    theirs = entry.protocol
    fields: tuple[tuple[str, object, object], ...] = (
        ("granularity", local.granularity, theirs.granularity),
        ("cutoff", local.k, theirs.k),
        ("topics", local.topics, theirs.topics),
        ("dedup", local.dedup, theirs.dedup),
        ("haystack", local.haystack, theirs.haystack),
    )
    for name, here, there in fields:
        if here is not None and there is not None and here != there:
            return f"differs: {name} is {here} here, {there} there"
    for name, here, there in fields:
        if here is None or there is None:
            return f"not known: {name} {'is not published' if there is None else 'of this run'}"
    return MATCHES
