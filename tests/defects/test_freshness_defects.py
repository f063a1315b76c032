"""What a search finds of documents that were changed, deleted, replaced or added late, with a defect and without."""

from collections.abc import Callable
from typing import Any

import pytest
from small_shelf import Shelf, found, plant, told

from gate.records import Document

Change = Callable[[Any], None]


def lived(name: str, *changes: Change) -> tuple[Any, Any]:
    """A shelf without the defect and one with it, after the same life."""
    stores: tuple[Any, Any] = (Shelf(), plant(name, Shelf()))
    for store in stores:
        store.add(told(a="red tin", b="blue tin", c="green tin"))
        for change in changes:
            change(store)
    return stores


def delete(doc_id: str) -> Change:
    return lambda store: store.delete(doc_id)


def update(doc_id: str, text: str) -> Change:
    return lambda store: store.update(Document(doc_id, text))


def supersede(old: str, new: str) -> Change:
    return lambda store: store.supersede(old, new)


def add(**texts: str) -> Change:
    return lambda store: store.add(told(**texts))


def test_a_ghost_comes_back_and_is_not_counted() -> None:
    healthy, planted = lived("ghost-after-delete", delete("a"))
    assert (found(healthy, "tin"), healthy.count()) == (["b", "c"], 2)
    assert (found(planted, "tin"), planted.count()) == (["a", "b", "c"], 2)


def test_a_ghost_that_is_stored_again_is_none() -> None:
    healthy, planted = lived("ghost-after-delete", delete("a"), add(a="red tin"))
    assert healthy.count() == planted.count() == 3


def test_a_ghost_is_gone_once_the_store_is_closed() -> None:
    inner = Shelf()
    store: Any = plant("ghost-after-delete", inner)
    store.add(told(a="red tin", b="blue tin"))
    store.delete("a")
    store.close()
    assert (list(inner.documents), inner.closed) == (["b"], 1)
    reopened = plant("ghost-after-delete", inner)
    assert (found(reopened, "tin"), reopened.count()) == (["b"], 1)


def test_tombstones_take_places_and_are_left_out() -> None:
    healthy, planted = lived("tombstones-eat-k", delete("a"))
    assert (found(healthy, "tin", k=2), found(planted, "tin", k=2)) == (["b", "c"], ["b"])
    assert (found(planted, "tin", k=3), planted.count()) == (["b", "c"], 2)


def test_rows_after_the_first_batch_are_invisible_to_vectors() -> None:
    healthy, planted = lived("rows-invisible", add(d="tin"))
    assert found(healthy, "tin", "vector") == ["a", "b", "c", "d"]
    assert found(planted, "tin", "vector") == ["a", "b", "c"]
    assert found(planted, "tin", "keyword") == ["a", "b", "c", "d"]
    assert planted.count() == 4


def test_invisible_rows_take_no_places() -> None:
    inner = Shelf(vector=[("new", 1.0), ("old", 0.5)])
    store = plant("rows-invisible", inner)
    store.add(told(old="tin"))
    store.add(told(new="tin"))
    assert (found(inner, "tin", "vector", k=1), found(store, "tin", "vector", k=1)) == (["new"], ["old"])


def test_rows_become_visible_when_the_store_is_opened_again() -> None:
    inner = Shelf()
    store = plant("rows-invisible", inner)
    store.add(told(a="tin"))
    store.add(told(b="tin"))
    assert found(plant("rows-invisible", inner), "tin", "vector") == ["a", "b"]


def test_what_was_superseded_comes_back() -> None:
    healthy, planted = lived("superseded-returned", supersede("a", "b"))
    assert found(healthy, "red") == ["b"]
    assert found(planted, "red") == ["a"]
    assert healthy.count() == planted.count()


def test_the_true_fact_is_retired_in_favour_of_the_old_one() -> None:
    healthy, planted = lived("true-fact-retired", supersede("a", "b"))
    assert (found(healthy, "red"), found(healthy, "blue")) == (["b"], ["b"])
    assert (found(planted, "red"), found(planted, "blue")) == (["a"], ["a"])


def test_an_update_reaches_keyword_search_alone() -> None:
    healthy, planted = lived("update-one-mode", update("a", "yellow box"))
    for mode in ("keyword", "vector", "hybrid"):
        assert (found(healthy, "yellow", mode), found(healthy, "red", mode)) == (["a"], [])
    assert (found(planted, "yellow"), found(planted, "red")) == (["a"], [])
    assert (found(planted, "yellow", "vector"), found(planted, "red", "vector")) == ([], ["a"])
    assert (found(planted, "yellow", "hybrid"), found(planted, "red", "hybrid")) == (["a"], ["a"])
    assert found(planted, "red box", "hybrid") == ["a"]
    assert planted.count() == 3


def test_a_document_that_is_updated_twice_is_hidden_in_its_first_state_and_shown_in_its_last() -> None:
    _, planted = lived("update-one-mode", update("a", "yellow"), update("a", "pink"))
    assert (found(planted, "pink"), found(planted, "yellow"), found(planted, "red", "vector")) == (["a"], [], ["a"])
    assert planted.count() == 3


def test_an_updated_document_is_deleted_whole_and_superseded_whole() -> None:
    healthy, planted = lived("update-one-mode", update("a", "yellow"), delete("a"))
    assert (found(planted, "yellow red"), planted.count()) == (found(healthy, "yellow red"), 2) == ([], 2)
    _, planted = lived("update-one-mode", update("a", "yellow"), supersede("a", "b"))
    assert (found(planted, "yellow"), found(planted, "red", "vector")) == (["b"], ["b"])


def test_an_update_hides_no_place_among_the_best_k() -> None:
    _, planted = lived("update-one-mode", update("a", "yellow"))
    assert found(planted, "tin", k=2) == ["b", "c"]
    assert found(planted, "tin", "vector", k=2) == ["a", "b"]


def test_what_is_stored_again_stands_there_twice() -> None:
    healthy, planted = lived("reingest-duplicates", add(a="red tin"))
    assert (found(healthy, "tin"), healthy.count()) == (["a", "b", "c"], 3)
    assert (found(planted, "tin"), planted.count()) == (["a", "b", "c", "a"], 4)


def test_what_stands_there_twice_is_deleted_and_superseded_whole() -> None:
    _, planted = lived("reingest-duplicates", add(a="red tin"), add(a="red tin"), delete("a"))
    assert (found(planted, "tin"), planted.count()) == (["b", "c"], 2)
    _, planted = lived("reingest-duplicates", add(a="red tin"), supersede("a", "b"))
    assert found(planted, "red") == ["b"]


@pytest.mark.parametrize(
    "name", ["ghost-after-delete", "superseded-returned", "true-fact-retired", "reingest-duplicates"]
)
def test_a_dose_is_a_share_of_the_documents(name: str) -> None:
    inner = Shelf()
    store: Any = plant(name, inner, 0.5)
    store.add([Document(f"d{number}", "tin") for number in range(400)])
    store.add([Document("new", "box")])
    for number in range(400):
        if name == "ghost-after-delete":
            store.delete(f"d{number}")
        elif name == "reingest-duplicates":
            store.add([Document(f"d{number}", "tin")])
        else:
            store.supersede(f"d{number}", "new")
    kept = len(inner.documents) - 401 if name == "reingest-duplicates" else len(found(store, "tin", k=1000))
    assert 140 < kept < 260
