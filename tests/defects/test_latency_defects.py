from collections.abc import Sequence

import pytest
from shelf import Shelf, found, planted, stored

from gate.defects import DEFECTS, latency
from gate.records import Document

QUERIES = [f"word {number}" for number in range(400)]


def searches(name: str, dose: float = 1.0) -> dict[str, int]:
    """How often the store behind is searched for each query."""
    inner = Shelf()
    store = planted(name, dose, inner)
    for query in QUERIES:
        store.search(query, 1, "keyword")
    return {query: [asked for asked, _, _ in inner.asked].count(query) for query in QUERIES}


def test_slower_2x_searches_twice() -> None:
    assert set(searches("slower-2x").values()) == {2}
    assert 70 < list(searches("slower-2x", 0.25).values()).count(2) < 130


def test_spikes_are_few_and_high() -> None:
    counts = list(searches("spikes").values())
    assert set(counts) == {1, 50}
    assert 8 < counts.count(50) < 36


def test_a_smaller_dose_has_fewer_spikes_among_the_same_queries() -> None:
    all_of_them, some = searches("spikes"), searches("spikes", 0.2)
    assert {query for query in QUERIES if some[query] == 50} < {query for query in QUERIES if all_of_them[query] == 50}


def test_rebuild_per_query_goes_through_all_documents_at_each_search(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[int] = []
    counted = latency._RebuildPerQuery.lengths

    def lengths(self: latency._RebuildPerQuery, documents: Sequence[Document]) -> dict[str, int]:
        seen.append(len(documents))
        return counted(self, documents)

    monkeypatch.setattr(latency._RebuildPerQuery, "lengths", lengths)
    store = stored(planted("rebuild-per-query"), "one word", "two words more")
    found(store, "word")
    found(store, "word")
    assert seen == [2, 2]
    assert counted(latency._RebuildPerQuery(Shelf(), 1.0), [Document("a", "two words")]) == {"a": 2}


def test_ingest_quadratic_compares_with_all_that_came_before(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[int] = []
    compared = latency._IngestQuadratic.likest

    def likest(self: latency._IngestQuadratic, document: Document, others: Sequence[Document]) -> int:
        seen.append(len(others))
        return compared(self, document, others)

    monkeypatch.setattr(latency._IngestQuadratic, "likest", likest)
    store = planted("ingest-quadratic")
    stored(store, "a", "b", "c")
    store.add([Document("d", "d")])
    assert seen == [0, 1, 2, 3]
    # abcc has the pairs ab, bc and cc; abcd shares the first two, abxd one.
    alike = [Document("a", "abcd"), Document("b", "abxd")]
    assert compared(latency._IngestQuadratic(Shelf(), 1.0), Document("c", "abcc"), alike) == 2


@pytest.mark.parametrize("name", [name for name, defect in DEFECTS.items() if defect.family == "latency"])
def test_no_answer_changes(name: str) -> None:
    texts = ["one word", "two words", "three of them"]
    slow, sound = stored(planted(name), *texts), stored(Shelf(), *texts)
    for query in ("one", "word", "them", "", "nothing like it"):
        assert slow.search(query, 3, "keyword") == sound.search(query, 3, "keyword")
    assert slow.count() == 3
