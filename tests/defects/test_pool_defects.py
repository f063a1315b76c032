from collections.abc import Mapping, Sequence

import pytest

from gate.defects import DEFECTS
from gate.records import Document, ScoredDoc, SearchResult


class Generous:
    """Always returns ten hits, whatever it is asked for."""

    name = "generous"
    modes = frozenset({"keyword"})
    abilities: frozenset[str] = frozenset()

    def __init__(self) -> None:
        self.depths: list[int] = []

    def environment(self) -> Mapping[str, str]:
        return {}

    def add(self, documents: Sequence[Document]) -> None:
        raise AssertionError("nothing is stored here")

    def count(self) -> int:
        return 10

    def search(self, query: str, k: int, mode: str, scope: frozenset[str] = frozenset()) -> SearchResult:
        self.depths.append(k)
        return SearchResult(tuple(ScoredDoc(f"d{rank}", -float(rank)) for rank in range(10)))

    def close(self) -> None:
        self.depths.clear()


@pytest.mark.parametrize(("k", "expected"), [(1, 1), (3, 3), (5, 3), (100, 3)])
def test_k_capped_returns_at_most_three_hits(k: int, expected: int) -> None:
    inner = Generous()
    hits = DEFECTS["k-capped"].plant(inner, 1.0).search("q", k, "keyword").hits
    assert [hit.doc_id for hit in hits] == ["d0", "d1", "d2"][:expected]
    assert inner.depths == [expected]


def test_a_dose_caps_a_share_of_the_queries() -> None:
    store = DEFECTS["k-capped"].plant(Generous(), 0.5)
    counts = [len(store.search(f"query {number}", 10, "keyword").hits) for number in range(400)]
    assert 140 < counts.count(3) < 260
    assert counts.count(3) + counts.count(10) == 400
