"""Who sees what, with a defect and without."""

from small_shelf import Shelf, found, plant

from gate.protocols import Store
from gate.records import Document


def filled(store: Store) -> Store:
    ann, bob = frozenset({"ann"}), frozenset({"bob"})
    store.add(
        [
            Document("hers", "plan", scope=ann, refs=("his", "open", "nowhere")),
            Document("second", "plan", scope=ann, refs=("his",)),
            Document("third", "plan", scope=ann),
            Document("fourth", "plan", scope=ann, refs=("far",)),
            Document("his", "secret", scope=bob),
            Document("far", "secret", scope=bob),
            Document("open", "note"),
            Document("both", "plan secret", scope=bob),
        ]
    )
    return store


HEALTHY = ["hers", "second", "third", "fourth"]


def test_a_scope_that_is_ignored_shows_everything_in_every_mode() -> None:
    healthy, planted = filled(Shelf()), filled(plant("scope-ignored", Shelf()))
    for mode in ("keyword", "vector", "hybrid"):
        assert found(healthy, "plan", mode, scope="ann") == HEALTHY
        assert found(planted, "plan", mode, scope="ann") == [*HEALTHY, "both"]


def test_a_scope_that_is_ignored_in_vector_search_holds_in_the_others() -> None:
    planted = filled(plant("scope-ignored-in-vector", Shelf()))
    assert found(planted, "plan", "vector", scope="ann") == [*HEALTHY, "both"]
    assert found(planted, "plan", "keyword", scope="ann") == HEALTHY
    assert found(planted, "plan", "hybrid", scope="ann") == HEALTHY


def test_references_of_the_first_three_hits_bring_in_what_may_not_be_seen() -> None:
    planted = filled(plant("scope-through-references", Shelf()))
    assert found(filled(Shelf()), "plan", scope="ann") == HEALTHY
    assert found(planted, "plan", scope="ann") == ["hers", "second", "third", "his", "fourth"]
    assert found(planted, "plan", scope="ann", k=4) == ["hers", "second", "third", "his"]


def test_references_bring_in_nothing_without_a_scope_and_nothing_that_is_gone() -> None:
    inner = Shelf()
    planted = filled(plant("scope-through-references", inner))
    assert found(planted, "plan") == [*HEALTHY, "both"]
    planted.delete("his")  # type: ignore[attr-defined]
    assert found(planted, "plan", scope="ann") == HEALTHY


def test_a_dose_ignores_the_scope_of_a_share_of_the_queries() -> None:
    planted = filled(plant("scope-ignored", Shelf(), 0.5))
    assert 140 < sum(len(found(planted, f"plan q{number}", scope="ann")) == 5 for number in range(400)) < 260
