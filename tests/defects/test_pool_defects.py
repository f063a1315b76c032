from collections.abc import Mapping, Sequence

import pytest
from shelf import Shelf, found, planted, stored

from gate.defects import DEFECTS
from gate.protocols import Deletes, Supersedes, Updates
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


def many(count: int) -> list[str]:
    """Texts that all match `word`, d0 best."""
    return ["word", *(f"word {'so ' * at}" for at in range(1, count))]


@pytest.mark.parametrize("k", [1, 10, 25])
def test_k_ignored_returns_ten_hits_whatever_k_is(k: int) -> None:
    store = stored(planted("k-ignored"), *many(30))
    assert len(found(store, "word", k)) == 10


@pytest.mark.parametrize(("k", "hits"), [(1, 0), (2, 1), (10, 9)])
def test_k_off_by_one_returns_one_hit_less(k: int, hits: int) -> None:
    assert len(found(stored(planted("k-off-by-one"), *many(30)), "word", k)) == hits
    assert len(found(stored(Shelf(), *many(30)), "word", k)) == k


def test_first_hit_skipped_returns_the_others_and_fills_k() -> None:
    sound = found(stored(Shelf(), *many(30)), "word", 11)
    assert found(stored(planted("first-hit-skipped"), *many(30)), "word", 10) == sound[1:]


def test_pages_repeat_the_first_one() -> None:
    sound = found(stored(Shelf(), *many(30)), "word", 25)
    store = stored(planted("pages-repeat"), *many(30))
    assert found(store, "word", 25) == sound[:10] + sound[:10] + sound[20:]
    assert found(store, "word", 15) == sound[:10] + sound[:5]
    assert found(store, "word", 10) == sound[:10]


def test_pages_of_a_short_answer_are_no_longer_than_it() -> None:
    sound = found(stored(Shelf(), *many(14)), "word", 25)
    assert found(stored(planted("pages-repeat"), *many(14)), "word", 25) == sound[:10] + sound[:4]
    assert found(stored(planted("pages-repeat"), *many(4)), "word", 25) == ["d0", "d1", "d2", "d3"]


def test_newest_only_never_returns_an_older_document() -> None:
    store, inner = planted("newest-only"), Shelf()
    months = [f"{2020 + at // 12}-{1 + at % 12:02}-01T00:00:00Z" for at in range(510)]
    dated = [Document(f"d{at}", "word", created_at=month) for at, month in enumerate(months)]
    for one in (store, inner):
        one.add(dated[250:])
        one.add(dated[:250])
    oldest = {document.doc_id for document in dated[:10]}
    assert oldest <= set(found(inner, "word", 600))
    assert set(found(store, "word", 600)) == {document.doc_id for document in dated} - oldest


def test_newest_only_goes_by_arrival_where_nothing_is_dated() -> None:
    store = stored(planted("newest-only"), *["word"] * 501)
    assert "d0" not in found(store, "word", 600)
    assert isinstance(store, Updates)
    store.update(Document("d0", "word", created_at="2026-01-01T00:00:00Z"))
    assert "d0" in found(store, "word", 600)


def test_filter_after_top_k_leaves_a_small_scope_without_hits() -> None:
    store, inner = planted("filter-after-top-k"), Shelf()
    theirs = [Document(f"a{at}", "best word", scope=frozenset({"user:a"})) for at in range(20)]
    mine = [Document(f"b{at}", "word", scope=frozenset({"user:b"})) for at in range(5)]
    for one in (store, inner):
        one.add([*theirs, *mine])
    assert found(inner, "best word", 10, scope={"user:b"}) == ["b0", "b1", "b2", "b3", "b4"]
    assert found(store, "best word", 10, scope={"user:b"}) == []
    assert found(store, "best word", 22, scope={"user:b"}) == ["b0", "b1"]
    assert found(store, "best word", 2) == found(inner, "best word", 2) == ["a0", "a1"]


def test_filter_after_top_k_never_lets_out_what_is_outside_the_scope() -> None:
    store = planted("filter-after-top-k")
    store.add([Document("a", "word", scope=frozenset({"user:a"})), Document("public", "word")])
    assert found(store, "word", 10, scope={"user:b"}) == ["public"]


def test_batch_tail_lost_counts_what_it_does_not_have() -> None:
    inner = Shelf()
    store = stored(planted("batch-tail-lost", inner=inner), *["word"] * 25)
    assert store.count() == 25
    assert inner.count() == 23
    assert "d23" not in inner.documents
    store.add([Document("alone", "word")])
    assert found(store, "word", 30)[0] == "alone"


def test_what_was_lost_can_be_changed_deleted_and_replaced_without_an_error() -> None:
    inner = Shelf()
    store = stored(planted("batch-tail-lost", inner=inner), *["word"] * 40)
    assert set(inner.documents) == {f"d{at}" for at in range(36)}
    assert isinstance(store, Updates)
    assert isinstance(store, Deletes)
    assert isinstance(store, Supersedes)
    store.update(Document("d36", "word"))
    store.update(Document("d0", "word"))
    store.supersede("d1", "d37")
    store.supersede("d38", "d2")
    store.supersede("d3", "d4")
    store.delete("d39")
    store.delete("d5")
    assert store.count() == 37
    assert set(inner.documents) == {*(f"d{at}" for at in range(37))} - {"d3", "d5"}
    store.add([Document("d38", "word")])
    assert "d38" in inner.documents
    assert store.count() == 37


@pytest.mark.parametrize("name", ["k-ignored", "k-off-by-one", "first-hit-skipped", "pages-repeat"])
def test_a_dose_touches_a_share_of_the_queries(name: str) -> None:
    texts = many(30)
    store, inner = stored(planted(name, 0.5), *texts), stored(Shelf(), *texts)
    changed = sum(found(store, f"word {at}", 25) != found(inner, f"word {at}", 25) for at in range(100))
    assert 30 < changed < 70
