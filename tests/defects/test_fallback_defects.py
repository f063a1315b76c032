"""What a store does and says without its embedder, with a defect and without."""

from small_shelf import Shelf, found, plant, told

EMBEDDER = frozenset({"embedder"})
NONE: frozenset[str] = frozenset()


def failing() -> Shelf:
    shelf = Shelf(vector=[("a", 1.0)])
    shelf.degraded = EMBEDDER
    return shelf


def test_an_empty_fallback_finds_nothing_and_says_so() -> None:
    result = plant("fallback-empty", failing()).search("q", 5, "vector")
    assert (result.hits, result.degraded) == ((), EMBEDDER)
    assert found(failing(), "q", "vector") == ["a"]


def test_an_empty_fallback_is_not_seen_in_health() -> None:
    assert found(plant("fallback-empty", Shelf(vector=[("a", 1.0)])), "q", "vector") == ["a"]


def test_an_undeclared_fallback_finds_the_same_and_says_nothing() -> None:
    result = plant("fallback-undeclared", failing()).search("q", 5, "vector")
    assert ([hit.doc_id for hit in result.hits], result.degraded) == (["a"], NONE)
    assert failing().search("q", 5, "vector").degraded == EMBEDDER


def test_always_degraded_is_said_in_health_where_an_embedder_is_asked() -> None:
    store = plant("always-degraded", Shelf(vector=[("a", 1.0)], keyword=[("a", 1.0)]))
    assert store.search("q", 5, "vector").degraded == EMBEDDER
    assert store.search("q", 5, "keyword").degraded == NONE
    assert Shelf(vector=[("a", 1.0)]).search("q", 5, "vector").degraded == NONE


def test_what_was_answered_while_the_embedder_failed_is_answered_again() -> None:
    inner = failing()
    store = plant("fallback-cached", inner)
    store.search("q", 5, "vector")
    inner.degraded, inner.answers = NONE, Shelf(vector=[("b", 1.0)]).answers
    assert inner.search("q", 5, "vector").degraded == NONE
    again = store.search("q", 5, "vector")
    assert ([hit.doc_id for hit in again.hits], again.degraded) == (["a"], EMBEDDER)
    assert found(store, "q", "vector", k=4) == ["b"], "another search is made anew"


def test_what_is_cached_is_forgotten_when_something_is_stored() -> None:
    inner = failing()
    store = plant("fallback-cached", inner)
    store.search("q", 5, "vector")
    inner.degraded = NONE
    store.add(told(c="text"))
    assert store.search("q", 5, "vector").degraded == NONE


def test_a_dose_empties_a_share_of_the_answers() -> None:
    store = plant("fallback-empty", failing(), 0.5)
    assert 140 < sum(not found(store, f"q{number}", "vector") for number in range(400)) < 260
