"""Order, scores and repeats of what a search found, with a defect and without."""

import pytest
from small_shelf import Shelf, found, ids, plant

from gate.protocols import Store

LADDER = [("c", 0.9), ("a", 0.8), ("d", 0.8), ("b", 0.5)]


def both(name: str, hits: list[tuple[str, float]], k: int = 10, mode: str = "keyword") -> tuple[list[str], list[str]]:
    """What a search finds without the defect and with it."""
    healthy, planted = Shelf(**{mode: hits}), plant(name, Shelf(**{mode: hits}))
    return found(healthy, "q", mode, k), found(planted, "q", mode, k)


def test_distance_as_similarity_gives_the_weakest_of_the_strong_hits_first() -> None:
    assert both("distance-as-similarity", LADDER, k=3) == (["c", "a", "d"], ["d", "a", "c"])


def test_distance_as_similarity_has_plausible_scores() -> None:
    hits = plant("distance-as-similarity", Shelf(keyword=LADDER)).search("q", 3, "keyword").hits
    assert [hit.score for hit in hits] == pytest.approx([0.2, 0.2, 0.1])


def test_constant_scores_leave_the_choice_among_candidates_to_ids() -> None:
    hits = [(f"d{9 - rank}", 1.0 - rank / 10) for rank in range(10)]
    shelf = Shelf(keyword=hits)
    assert found(shelf, "q", k=2) == ["d9", "d8"]
    result = plant("scores-constant", shelf).search("q", 2, "keyword")
    assert ids(result) == ["d2", "d3"], "the first of eight candidates"
    assert {hit.score for hit in result.hits} == {1.0}
    assert shelf.asked[-1][1] == 8


def test_a_single_hit_is_lost_and_two_are_not() -> None:
    assert both("single-hit-zero", LADDER[:1]) == (["c"], [])
    assert both("single-hit-zero", LADDER[:2]) == (["c", "a"], ["c", "a"])
    assert both("single-hit-zero", LADDER, k=1) == (["c"], [])
    assert both("single-hit-zero", []) == ([], [])


def test_hits_that_all_tie_are_lost() -> None:
    assert both("single-hit-zero", LADDER[1:3]) == (["a", "d"], [])
    assert both("single-hit-zero", LADDER[1:]) == (["a", "d", "b"], ["a", "d", "b"])


@pytest.mark.parametrize(
    ("keyword", "expected"), [(LADDER[:1], ["v"]), (LADDER[1:3], ["v"]), (LADDER[:2], ["h"]), ([], ["h"])]
)
def test_a_single_keyword_hit_is_lost_to_hybrid_search(keyword: list[tuple[str, float]], expected: list[str]) -> None:
    shelf = Shelf(keyword=keyword, vector=[("v", 1.0)], hybrid=[("h", 1.0)])
    assert found(shelf, "q", "hybrid") == ["h"]
    assert found(plant("single-hit-zero", shelf), "q", "hybrid") == expected


def test_ties_move_between_two_searches_and_nothing_else_does() -> None:
    hits = [("first", 0.9), *((f"t{number}", 0.5) for number in range(8)), ("last", 0.1)]
    healthy, planted = Shelf(keyword=hits), plant("ties-random", Shelf(keyword=hits))
    assert found(healthy, "q") == found(healthy, "q") == [name for name, _ in hits]
    orders = [found(planted, "q") for _ in range(5)]
    assert len({tuple(order) for order in orders}) > 1
    for order in orders:
        assert (order[0], order[-1]) == ("first", "last")
        assert sorted(order) == sorted(name for name, _ in hits)


def test_ties_move_alike_in_every_run() -> None:
    def three(store: Store) -> list[list[str]]:
        return [found(store, "q") for _ in range(3)]

    hits = [(f"t{number}", 0.5) for number in range(8)]
    assert three(plant("ties-random", Shelf(keyword=hits))) == three(plant("ties-random", Shelf(keyword=hits)))


def test_scores_that_differ_are_no_tie() -> None:
    hits = [(f"t{number}", 1.0 - number * 1e-8) for number in range(8)]
    assert both("ties-random", hits) == ([f"t{n}" for n in range(8)],) * 2


def test_duplicates_come_twice_and_three_times_before_the_cut() -> None:
    assert both("duplicates", LADDER, k=4) == (["c", "a", "d", "b"], ["c", "c", "a", "a"])
    assert both("duplicates", LADDER, k=10)[1] == ["c", "c", "a", "a", "a", "d", "d", "b", "b", "b"]


@pytest.mark.parametrize("name", ["distance-as-similarity", "scores-constant", "single-hit-zero", "duplicates"])
def test_a_dose_is_a_share_of_the_queries(name: str) -> None:
    hits = LADDER[:1] if name == "single-hit-zero" else LADDER
    shelf = Shelf(keyword=hits)
    store = plant(name, shelf, 0.5)
    changed = sum(found(store, f"q{n}", k=4) != found(shelf, f"q{n}", k=4) for n in range(400))
    assert 140 < changed < 260
