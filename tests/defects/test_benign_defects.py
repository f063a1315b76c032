"""Changes that are no loss: what they change, and what they leave."""

from collections.abc import Callable

import pytest
from small_shelf import Shelf, found, plant, told

from gate.defects import DEFECTS
from gate.records import Document

HITS = [(f"d{rank}", 1.0 - rank / 100) for rank in range(14)]
ORDER = [name for name, _ in HITS]


def test_only_what_is_benign_says_so() -> None:
    benign = {name for name, defect in DEFECTS.items() if defect.benign}
    assert benign == {name for name, defect in DEFECTS.items() if defect.family == "benign"}
    assert {"other-order", "jitter", "churn-harmless", "slower-tenth"} <= benign


@pytest.mark.parametrize("asked", ["count", "environment", "search", "update", "delete", "supersede", "close"])
def test_documents_arrive_in_another_order_before_anything_else_is_asked(asked: str) -> None:
    inner = Shelf()
    store = plant("other-order", inner)
    store.add(told(a="x", b="x", c="x"))
    store.add(told(d="x", e="x"))
    assert inner.batches == []
    calls: dict[str, Callable[[], object]] = {
        "count": store.count,
        "environment": store.environment,
        "close": store.close,
        "search": lambda: store.search("x", 5, "keyword"),
        "update": lambda: store.update(Document("a", "y")),  # type: ignore[attr-defined]
        "delete": lambda: store.delete("a"),  # type: ignore[attr-defined]
        "supersede": lambda: store.supersede("a", "b"),  # type: ignore[attr-defined]
    }
    calls[asked]()
    assert inner.batches == [["e", "d", "c"], ["b", "a"]]
    healthy = Shelf()
    healthy.add(told(a="x", b="x", c="x"))
    assert healthy.batches == [["a", "b", "c"]]


def test_what_is_stored_twice_keeps_its_last_state_in_another_order() -> None:
    inner = Shelf()
    store = plant("other-order", inner)
    store.add(told(a="old", b="x"))
    store.add(told(a="new"))
    assert (store.count(), inner.documents["a"].text) == (2, "new")
    store.add(told(a="newer"))
    assert (store.count(), inner.documents["a"].text) == (2, "newer")


def test_a_dose_moves_a_share_of_the_documents() -> None:
    inner = Shelf()
    store = plant("other-order", inner, 0.5)
    own = [f"d{number:03}" for number in range(400)]
    store.add([Document(doc_id, "x") for doc_id in own])
    store.count()
    (batch,) = inner.batches
    rising = sum(batch[at] < batch[at + 1] for at in range(399))
    assert sorted(batch) == own
    assert 140 < rising < 260


def test_jitter_moves_scores_by_less_than_half_of_what_tells_them_apart() -> None:
    hits = plant("jitter", Shelf(keyword=HITS)).search("q", 20, "keyword").hits
    moved = [hit.score - score for hit, (_, score) in zip(hits, HITS, strict=True)]
    assert [hit.doc_id for hit in hits] == ORDER
    assert all(abs(by) < 0.5e-9 for by in moved)
    assert any(abs(by) > 1e-12 for by in moved)


def test_churn_exchanges_neighbours_below_the_first_six() -> None:
    store = plant("churn-harmless", Shelf(keyword=HITS))
    seen = {tuple(found(store, f"q{number}", k=20)) for number in range(20)}
    first = [*ORDER[:6], "d7", "d6", "d9", "d8", "d11", "d10", "d13", "d12"]
    second = [*ORDER[:7], "d8", "d7", "d9", "d11", "d10", "d13", "d12"]
    assert seen == {tuple(first), tuple(second)}


def test_churn_keeps_scores_in_order() -> None:
    hits = plant("churn-harmless", Shelf(keyword=HITS)).search("q", 20, "keyword").hits
    assert [hit.score for hit in hits] == [score for _, score in HITS]


@pytest.mark.parametrize("length", range(15))
def test_churn_leaves_the_first_six_and_the_first_page_together(length: int) -> None:
    store = plant("churn-harmless", Shelf(keyword=HITS[:length]))
    hits = found(store, "q", k=20)
    assert hits[:6] == ORDER[: min(length, 6)]
    assert set(hits[:10]) == set(ORDER[: min(length, 10)])
    assert sorted(hits) == sorted(ORDER[:length])


@pytest.mark.parametrize(("dose", "searches"), [(1.0, 110), (0.5, 105), (0.2, 102)])
def test_a_tenth_more_searches_are_made_and_answers_are_the_same(dose: float, searches: int) -> None:
    inner = Shelf(keyword=HITS)
    store = plant("slower-tenth", inner, dose)
    assert all(found(store, "q", k=20) == ORDER for _ in range(101))
    # Sums of tenths fall short of whole numbers by what floats cannot hold: one search later than by hand at most.
    assert searches <= len(inner.asked) <= searches + 1


def test_churn_moves_a_share_of_the_queries() -> None:
    store = plant("churn-harmless", Shelf(keyword=HITS), 0.5)
    assert 140 < sum(found(store, f"q{number}", k=20) != ORDER for number in range(400)) < 260
