"""Hybrid and vector search with a side that counts wrongly or is not there."""

import pytest
from small_shelf import Shelf, found, plant, told

from gate.defects.fusion import shares
from gate.records import Document, ScoredDoc

KEYWORD = [("k", 9.0), ("both", 8.0)]
VECTOR = [("v", 0.9), ("both", 0.8)]
HYBRID = [("v", 1.0), ("k", 0.9), ("both", 0.8)]


def shelf() -> Shelf:
    return Shelf(keyword=KEYWORD, vector=VECTOR, hybrid=HYBRID)


def test_unweighted_fusion_adds_reciprocals_of_places() -> None:
    # 1/61 and 1/62 by hand: what is second in both lists is ahead of what is first in one.
    hits = plant("fusion-unweighted", shelf()).search("q", 3, "hybrid").hits
    assert [hit.doc_id for hit in hits] == ["both", "k", "v"]
    assert [hit.score for hit in hits] == pytest.approx([2 / 62, 1 / 61, 1 / 61])


def test_swapped_fusion_adds_shares_of_the_best_score() -> None:
    # 8 of 9 on both sides, by hand.
    hits = plant("fusion-swapped", shelf()).search("q", 3, "hybrid").hits
    assert [hit.doc_id for hit in hits] == ["both", "v", "k"]
    assert [hit.score for hit in hits] == pytest.approx([8 / 9, 0.7, 0.3])


def test_places_count_where_no_score_is_above_0() -> None:
    distances = [ScoredDoc("near", -0.1), ScoredDoc("far", -0.9)]
    assert shares(distances) == {"near": 1.0, "far": 0.5}
    assert shares([]) == {}


@pytest.mark.parametrize(
    ("name", "expected"), [("fusion-unweighted", ["both", "k", "v"]), ("fusion-swapped", ["both", "v", "k"])]
)
def test_weights_are_ignored_or_swapped_in_hybrid_search_alone(name: str, expected: list[str]) -> None:
    store = plant(name, shelf())
    assert found(shelf(), "q", "hybrid") == ["v", "k", "both"]
    assert found(store, "q", "hybrid") == expected
    assert found(store, "q", "hybrid", k=1) == expected[:1]
    assert found(store, "q", "keyword") == ["k", "both"]
    assert found(store, "q", "vector") == ["v", "both"]


def test_what_a_side_goes_without_is_still_said() -> None:
    inner = shelf()
    inner.degraded = frozenset({"embedder"})
    assert plant("fusion-swapped", inner).search("q", 5, "hybrid").degraded == frozenset({"embedder"})


@pytest.mark.parametrize(
    ("name", "expected"), [("keyword-arm-swallowed", ["v", "both"]), ("vector-arm-swallowed", ["k", "both"])]
)
def test_hybrid_search_without_a_side_is_the_other(name: str, expected: list[str]) -> None:
    store = plant(name, shelf())
    assert found(shelf(), "q", "hybrid") == ["v", "k", "both"]
    assert found(store, "q", "hybrid") == expected
    assert found(store, "q", "keyword") == ["k", "both"]
    assert found(store, "q", "vector") == ["v", "both"]


@pytest.mark.parametrize(
    "name", ["fusion-unweighted", "fusion-swapped", "keyword-arm-swallowed", "vector-arm-swallowed"]
)
def test_a_store_without_the_sides_is_passed_through(name: str) -> None:
    inner = shelf()
    inner.modes = frozenset({"hybrid"})
    assert found(plant(name, inner), "q", "hybrid") == ["v", "k", "both"]
    assert inner.asked == [("q", 10, "hybrid", frozenset())]


def test_vector_search_for_substrings_finds_pieces_of_words_alone() -> None:
    inner = Shelf(vector=[("meaning", 1.0)])
    store = plant("substring-vector", inner)
    store.add(told(one="unplanned outage", two="a plan for an OUTAGE", meaning="nothing of that"))
    assert found(inner, "plan outage", "vector") == ["meaning"]
    assert found(store, "plan outage", "vector") == ["one", "two"]
    assert found(store, "plan outage", "vector", k=1) == ["one"]
    assert found(store, "unplanned outage a", "vector") == ["one", "two", "meaning"]


def test_vector_search_for_substrings_knows_what_may_be_found() -> None:
    inner = Shelf(vector=[])
    store = plant("substring-vector", inner)
    store.add([Document("mine", "plan", scope=frozenset({"u"})), Document("other", "plan", scope=frozenset({"v"}))])
    store.add(told(old="plan", gone="plan", new="changed"))
    store.supersede("old", "new")  # type: ignore[attr-defined]
    store.delete("gone")  # type: ignore[attr-defined]
    store.update(Document("new", "plan again"))  # type: ignore[attr-defined]
    assert found(store, "plan", "vector") == ["mine", "new", "other"]
    assert found(store, "plan", "vector", scope="u") == ["mine", "new"]


def test_a_dose_swallows_a_side_in_a_share_of_the_queries() -> None:
    store = plant("vector-arm-swallowed", shelf(), 0.5)
    lost = sum(found(store, f"q{number}", "hybrid") == ["k", "both"] for number in range(400))
    assert 140 < lost < 260
