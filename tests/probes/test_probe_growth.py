"""Probes of growth, on stores whose time is a clock of the tests' own: no machine is measured here."""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from contextlib import redirect_stdout
from pathlib import Path

import breaking_store
import pytest

from gate.opening import Here
from gate.probes import growth
from gate.probes.plan import plan_probes
from gate.probes.run import run_probes
from gate.protocols import Embedder, Reranker
from gate.records import Check, Document, SearchResult
from gate.stop import Stop


class Clock:
    """Time that passes only when a store says so."""

    seconds = 0.0

    def now(self) -> float:
        return self.seconds

    def takes(self, seconds: float) -> None:
        self.seconds += seconds


clock = Clock()


class Steady(breaking_store.Sound):
    """Keyword search alone, in whatever time each method says."""

    modes = frozenset({"keyword"})
    abilities = frozenset()

    def __init__(self, path: Path, embedder: Embedder | None = None, reranker: Reranker | None = None) -> None:
        super().__init__(path, embedder, reranker)
        self.asked = self.dirty = 0

    def put(self, documents: Iterable[Document]) -> None:
        for one in documents:
            self.documents[one.doc_id] = one
            self.terms[one.doc_id] = frozenset(one.text.split())

    def add(self, documents: Sequence[Document]) -> None:
        clock.takes(self.time_to_add(len(documents)))
        self.dirty = 1
        self.put(documents)

    def search(self, query: str, k: int, mode: str, scope: frozenset[str] = frozenset()) -> SearchResult:
        self.asked += 1
        clock.takes(self.time_to_search())
        self.dirty = 0
        return super().search(query, k, mode, scope)

    def time_to_add(self, documents: int) -> float:
        return 0.002 * documents

    def time_to_search(self) -> float:
        return 0.001


class Rebuilds(Steady):
    def time_to_search(self) -> float:
        return 0.9 if self.dirty else 0.001


class RebuildsFast(Steady):
    """A hundred times as long, and nobody would notice."""

    def time_to_search(self) -> float:
        return 0.1 if self.dirty else 0.001


class Walks(Steady):
    def time_to_search(self) -> float:
        return 0.001 * self.asked


class Spikes(Steady):
    """A busy machine: now and then everything takes a second."""

    spikes = 0

    def time_to_add(self, documents: int) -> float:
        return 1.0 + 0.002 * documents if len(self.documents) in (1344, 1472) else 0.002 * documents

    def time_to_search(self) -> float:
        # The first after the first write, and every fortieth.
        return 1.0 if self.asked == 1 or self.asked % 40 == 0 else 0.001


class Compares(Steady):
    def time_to_add(self, documents: int) -> float:
        return 0.0001 * documents * len(self.documents)


class ComparesSome(Steady):
    """A fifth of the documents are compared with all, on a machine that is busy now and then."""

    def time_to_add(self, documents: int) -> float:
        busy = 1.0 if len(self.documents) in (64, 128, 1024, 1216) else 0.0
        return busy + 0.0003 * documents + 0.000001 * documents * len(self.documents)


class LinearButSlow(Steady):
    def time_to_add(self, documents: int) -> float:
        return 0.1 * documents


@pytest.fixture(autouse=True)
def own_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    clock.seconds = 0.0
    monkeypatch.setattr("gate.guard.now", clock.now)
    monkeypatch.setattr("gate.probes.by_hand.now", clock.now)
    monkeypatch.setattr(growth, "STORED", 40)


def looked(store: type[Steady], name: str, folder: Path) -> Check:
    subject, declared = Here(folder, 1e6, Stop())(f"{__name__}:{store.__name__}", "cpu-hash", "")
    (check,) = run_probes(subject, declared, plan_probes(declared, [name]), folder / "probes")
    return check


@pytest.mark.parametrize(
    ("store", "name"),
    [
        (Rebuilds, "first-search"),
        (Walks, "query-growth"),
        (Compares, "ingest-growth"),
        (ComparesSome, "ingest-growth"),
    ],
)
def test_what_grows_is_seen_and_its_lines_run(store: type[Steady], name: str, tmp_path: Path) -> None:
    check = looked(store, name, tmp_path)
    assert check.status == "fail"
    output = io.StringIO()
    with redirect_stdout(output):
        exec("\n".join(check.show), {})
    one, two = map(float, output.getvalue().split())
    assert max(one, two) > 5 * min(one, two)


@pytest.mark.parametrize("name", ["first-search", "query-growth", "ingest-growth"])
@pytest.mark.parametrize("store", [Steady, Spikes, LinearButSlow, RebuildsFast])
def test_a_steady_store_passes_on_a_busy_machine_too(store: type[Steady], name: str, tmp_path: Path) -> None:
    assert looked(store, name, tmp_path).status == "pass"


def test_a_line_through_times_is_not_moved_by_a_few_slow_ones() -> None:
    # 1, 3, 5, 7, 9 rise by 2; of ten pairs the four with the slow one give other slopes.
    assert growth.ends_of_line([1.0, 3.0, 5.0, 7.0, 9.0]) == (1.0, 9.0)
    assert growth.ends_of_line([1.0, 3.0, 50.0, 7.0, 9.0]) == (1.0, 9.0)
    # Slopes -2, 1, 4: the median is 1, and the starts 5, 2 and 5.
    assert growth.ends_of_line([5.0, 3.0, 7.0]) == (5.0, 7.0)
    # What is nothing at first begins at nothing, and no sooner: the starts are 0, -1 and 0.
    assert growth.ends_of_line([0.0, 0.0, 2.0]) == (0.0, 2.0)
