from collections.abc import Mapping, Sequence

import pytest
from shelf import Shelf, planted, stored, with_and_without

from gate.defects import DEFECTS
from gate.records import Document, ScoredDoc, SearchResult


class Containing:
    """Finds documents that contain the query, and keeps what it was given."""

    name = "containing"
    modes = frozenset({"keyword"})
    abilities: frozenset[str] = frozenset()

    def __init__(self) -> None:
        self.documents: list[Document] = []
        self.queries: list[str] = []

    def environment(self) -> Mapping[str, str]:
        return {}

    def add(self, documents: Sequence[Document]) -> None:
        self.documents.extend(documents)

    def count(self) -> int:
        return len(self.documents)

    def search(self, query: str, k: int, mode: str, scope: frozenset[str] = frozenset()) -> SearchResult:
        self.queries.append(query)
        return SearchResult(tuple(ScoredDoc(d.doc_id, 1.0) for d in self.documents if query in d.text)[:k])

    def close(self) -> None:
        self.documents.clear()


def test_ascii_only_drops_everything_else_from_documents() -> None:
    inner = Containing()
    store = DEFECTS["ascii-only"].plant(inner, 1.0)
    store.add([Document("a", "部署 plan für Zürich", index_text="naïve", facts=(("城市", "Zürich"),), speaker="Zoë")])
    assert inner.documents == [
        Document("a", " plan fr Zrich", index_text="nave", facts=(("", "Zrich"),), speaker="Zoë")
    ]


def test_ascii_only_drops_everything_else_from_queries() -> None:
    inner = Containing()
    DEFECTS["ascii-only"].plant(inner, 1.0).search("Zürich plan", 5, "keyword")
    assert inner.queries == ["Zrich plan"]


def test_ascii_only_leaves_ascii_alone() -> None:
    inner = Containing()
    store = DEFECTS["ascii-only"].plant(inner, 1.0)
    store.add([Document("a", "the rollout plan")])
    assert [hit.doc_id for hit in store.search("rollout", 5, "keyword").hits] == ["a"]


def test_a_query_with_nothing_left_finds_nothing() -> None:
    inner = Containing()
    store = DEFECTS["ascii-only"].plant(inner, 1.0)
    store.add([Document("a", "数据库 备份"), Document("b", "anything")])
    assert store.search("数据库 备份", 5, "keyword").hits == ()
    assert inner.queries == []


def test_a_dose_touches_a_share_of_documents_and_of_queries() -> None:
    inner = Containing()
    store = DEFECTS["ascii-only"].plant(inner, 0.5)
    store.add([Document(f"d{number}", "é") for number in range(400)])
    spoiled = sum(document.text == "" for document in inner.documents)
    assert 140 < spoiled < 260
    for number in range(400):
        store.search(f"é{number}", 5, "keyword")
    assert 140 < sum("é" not in query for query in inner.queries) < 260


@pytest.mark.parametrize("asked", ["さくら", "ﾒｰｶｰ", "골목분식"])
def test_han_only_loses_kana_and_hangul(asked: str) -> None:
    broken, sound = with_and_without("han-only")
    written = f"京都の{asked}まつり"
    assert sound(asked, written) == ["d0"]
    assert broken(asked, written) == []
    assert broken("京都", written) == ["d0"]
    assert broken("festival", "a festival") == ["d0"]


def test_han_only_does_not_join_what_stood_apart() -> None:
    inner = Shelf()
    stored(planted("han-only", inner=inner), "京都の桜まつり plan")
    assert inner.documents["d0"].text == "京都 桜  plan"


def test_text_cut_loses_what_comes_late() -> None:
    broken, sound = with_and_without("text-cut")
    long = f"early {'so ' * 1000}late"
    assert sound("late", long) == ["d0"]
    assert broken("late", long) == []
    assert broken("early", long) == ["d0"]


def test_utf16_split_breaks_what_lies_beyond_the_first_plane() -> None:
    broken, sound = with_and_without("utf16-split")
    assert sound("𠮷田", "𠮷田さん") == ["d0"]
    assert broken("𠮷田", "𠮷田さん") == []
    assert broken("吉田", "吉田さん") == ["d0"]
