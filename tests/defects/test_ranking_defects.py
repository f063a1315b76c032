from collections.abc import Mapping, Sequence

from gate.defects import DEFECTS
from gate.defects.ranking import DEEPEST
from gate.records import Document, Evidence, ScoredDoc, SearchResult


class Ladder:
    """A store of `size` documents that all match every query, d0 best."""

    name = "ladder"
    modes = frozenset({"keyword"})
    abilities: frozenset[str] = frozenset()

    def __init__(self, size: int) -> None:
        self.size = size
        self.depths: list[int] = []

    def environment(self) -> Mapping[str, str]:
        return {}

    def add(self, documents: Sequence[Document]) -> None:
        self.size += len(documents)

    def count(self) -> int:
        return self.size

    def search(self, query: str, k: int, mode: str, scope: frozenset[str] = frozenset()) -> SearchResult:
        self.depths.append(k)
        hits = tuple(ScoredDoc(f"d{rank}", -float(rank)) for rank in range(min(k, self.size)))
        return SearchResult(hits, evidence=Evidence(True, 1.0))

    def close(self) -> None:
        self.size = 0


def ids(result: SearchResult) -> list[str]:
    return [hit.doc_id for hit in result.hits]


def test_reversed_returns_the_worst_of_all_matches_first() -> None:
    store = DEFECTS["reversed"].plant(Ladder(20), 1.0)
    assert ids(store.search("q", 3, "keyword")) == ["d19", "d18", "d17"]


def test_reversed_never_returns_more_than_there_is() -> None:
    store = DEFECTS["reversed"].plant(Ladder(2), 1.0)
    assert ids(store.search("q", 5, "keyword")) == ["d1", "d0"]


def test_reversed_keeps_the_rest_of_the_answer() -> None:
    store = DEFECTS["reversed"].plant(Ladder(2), 1.0)
    assert store.search("q", 5, "keyword").evidence == Evidence(True, 1.0)


def test_reversed_asks_no_deeper_than_engines_allow() -> None:
    inner = Ladder(DEEPEST + 5)
    DEFECTS["reversed"].plant(inner, 1.0).search("q", 5, "keyword")
    assert inner.depths == [DEEPEST]


def test_a_dose_reverses_a_share_of_the_queries() -> None:
    store = DEFECTS["reversed"].plant(Ladder(20), 0.5)
    first = [ids(store.search(f"query {number}", 1, "keyword")) for number in range(400)]
    assert 140 < first.count(["d19"]) < 260
    assert first.count(["d19"]) + first.count(["d0"]) == 400
