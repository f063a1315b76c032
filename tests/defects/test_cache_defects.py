"""Answers that are given again to whom they were not meant for."""

from typing import Any

import pytest
from small_shelf import Shelf, found, plant, told

from gate.records import Document


def people() -> list[Document]:
    return [Document(user, "plan", scope=frozenset({user})) for user in ("ann", "bob")]


def test_a_cache_without_scope_shows_one_what_another_may_see() -> None:
    healthy, planted = Shelf(), plant("cache-without-scope", Shelf())
    for store in (healthy, planted):
        store.add(people())
        assert found(store, "plan", scope="ann") == ["ann"]
    assert found(healthy, "plan", scope="bob") == ["bob"]
    assert found(planted, "plan", scope="bob") == ["ann"]
    assert found(planted, "plan", "vector", scope="bob") == ["bob"]


def test_a_cache_without_mode_answers_as_the_first_mode_did() -> None:
    modes = {"keyword": [("k", 1.0)], "vector": [("v", 1.0)]}
    healthy, planted = Shelf(**modes), plant("cache-without-mode", Shelf(**modes))
    for store in (healthy, planted):
        assert found(store, "q", "keyword") == ["k"]
    assert found(healthy, "q", "vector") == ["v"]
    assert found(planted, "q", "vector") == ["k"]
    assert found(planted, "another", "vector") == ["v"]


@pytest.mark.parametrize("change", ["add", "update", "delete", "supersede"])
def test_a_cache_is_emptied_by_what_changes_the_store(change: str) -> None:
    store: Any = plant("cache-without-mode", Shelf())
    store.add(told(a="red tin", b="blue tin"))
    assert found(store, "red", "keyword") == ["a"]
    if change == "add":
        store.add(told(c="red box"))
        expected = ["a", "c"]
    elif change == "update":
        store.update(Document("b", "red too"))
        expected = ["a", "b"]
    elif change == "delete":
        store.delete("a")
        expected = []
    else:
        store.supersede("a", "b")
        expected = ["b"]
    assert found(store, "red", "keyword") == expected


def test_a_dose_caches_a_share_of_the_queries() -> None:
    store = plant("cache-without-mode", Shelf(keyword=[("k", 1.0)], vector=[("v", 1.0)]), 0.5)
    for number in range(400):
        found(store, f"q{number}", "keyword")
    assert 140 < sum(found(store, f"q{number}", "vector") == ["k"] for number in range(400)) < 260
