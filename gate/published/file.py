"""A file of published results: each figure with its protocol, its source and what is said against it."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from gate.errors import GateError, Problem
from gate.files import LinedData, nearest, read_yaml
from gate.measures import parse_measure

RETRIEVAL, ANSWERS = "retrieval", "answers"


@dataclass(frozen=True, slots=True)
class Protocol:
    """How a figure was measured. None, or an empty text, is what was not published."""

    granularity: str | None = None
    k: int | None = None
    topics: int | None = None
    dedup: str | None = None
    haystack: str | None = None
    embedder: str = ""
    reranker: str = ""
    answerer: str = ""
    judge: str = ""


@dataclass(frozen=True, slots=True)
class Dataset:
    """A dataset that figures are published for, and what their readers must know."""

    name: str
    about: str
    url: str
    seen: str


@dataclass(frozen=True, slots=True)
class Entry:
    """One published figure. `kind` is `retrieval` or `answers`: the two are never in one table.

    `measure` is a name of ours where the definition is the same, else words; `said` is the name
    at the source, where that differs. `value` is a share.
    """

    dataset: str
    kind: str
    system: str
    measure: str
    said: str
    value: float
    protocol: Protocol
    url: str
    seen: str
    dispute: str = ""


@dataclass(frozen=True, slots=True)
class Published:
    """All of one file."""

    datasets: tuple[Dataset, ...]
    entries: tuple[Entry, ...]


def read_published(path: Path) -> Published:
    """The file's datasets and entries. Raises UsageError with every problem and its line."""
    data: dict[str, Any] = read_yaml(path, "published results", "published", _problems).data
    return Published(
        tuple(
            Dataset(one["name"], one["about"].strip(), one["source"]["url"], one["source"]["seen"])
            for one in data["datasets"]
        ),
        tuple(_entry(one) for one in data["entries"]),
    )


def without(published: Published, names: Collection[str]) -> Published:
    """The same without some datasets and their entries."""
    return Published(
        tuple(one for one in published.datasets if one.name not in names),
        tuple(one for one in published.entries if one.dataset not in names),
    )


def _entry(one: dict[str, Any]) -> Entry:
    return Entry(
        dataset=one["dataset"],
        kind=one["kind"],
        system=one["system"],
        measure=measure_label(one["measure"]),
        said=one.get("said", ""),
        value=float(one["value"]),
        protocol=Protocol(**one.get("protocol", {})),
        url=one["source"]["url"],
        seen=one["source"]["seen"],
        dispute=one.get("dispute", "").strip(),
    )


def measure_label(text: str) -> str:
    """A measure as the gate prints it; a text that names none stays as it is."""
    try:
        return parse_measure(text).label
    except GateError:
        return text


def _is_ours(measure: str) -> bool:
    try:
        parse_measure(measure)
    except GateError:
        return False
    return True


def _problems(lined: LinedData) -> Iterator[Problem]:
    """What the schema cannot see."""
    data = lined.data if isinstance(lined.data, dict) else {}
    for section in ("datasets", "entries"):
        items = data.get(section)
        for index, one in enumerate(items if isinstance(items, list) else ()):
            if lined.sound(section, index):
                yield from _day_problems(one["source"], lined, (section, index, "source"))
    datasets = data.get("datasets")
    names = [one["name"] for index, one in enumerate(datasets or ()) if lined.sound("datasets", index)]
    entries = data.get("entries")
    for index, one in enumerate(entries if isinstance(entries, list) else ()):
        if lined.sound("entries", index):
            yield from _entry_problems(one, names, lined, ("entries", index))


def _day_problems(source: dict[str, Any], lined: LinedData, at: tuple[str | int, ...]) -> Iterator[Problem]:
    try:
        date.fromisoformat(source["seen"])
    except ValueError:
        yield Problem(f"'{source['seen']}' is not a day", lined.where(*at, "seen"), "as in 2026-11-30")


def _entry_problems(
    one: dict[str, Any], names: list[str], lined: LinedData, at: tuple[str | int, ...]
) -> Iterator[Problem]:
    if one["dataset"] not in names:
        yield Problem(
            f"no dataset of this file is called '{one['dataset']}'",
            lined.where(*at, "dataset"),
            nearest(one["dataset"], names),
        )
    value = one["value"]
    if not 0 <= value <= 1:
        hint = f"write {value / 100:g} for {value:g}%" if 1 < value <= 100 else "choose a number in that range"
        yield Problem(f"'value' is {value:g}, and a share runs from 0 to 1", lined.where(*at, "value"), hint)
    protocol = one.get("protocol", {})
    if one["kind"] == ANSWERS and _is_ours(one["measure"]):
        yield Problem(
            f"{one['measure']} is a measure of retrieval, and the kind is answers",
            lined.where(*at, "measure"),
            "write kind: retrieval, or what share of the answers was right",
        )
    if one["kind"] == RETRIEVAL:
        for key in ("judge", "answerer"):
            if key in protocol:
                yield Problem(
                    f"retrieval has no {key}",
                    lined.where(*at, "protocol", key),
                    "write kind: answers, or leave the key out",
                )
