"""What is left of a store that was closed and opened again, with a defect and without."""

from typing import Any

from small_shelf import Shelf, found, plant, told

from gate.protocols import Store
from gate.records import Document


def reopened(name: str, dose: float = 1.0) -> tuple[Store, Shelf]:
    """The store opened again after two batches, and what is in it."""
    inner = Shelf()
    store = plant(name, inner, dose)
    store.add(told(a="red tin", b="blue tin"))
    store.add(told(c="green tin"))
    assert (found(store, "tin"), store.count()) == (["a", "b", "c"], 3), "all is there before it is closed"
    store.close()
    return plant(name, inner, dose), inner


def test_only_what_the_last_batch_wrote_is_there_after_a_reopen() -> None:
    store, inner = reopened("last-writer-wins")
    assert (found(store, "tin"), store.count(), inner.closed) == (["c"], 1, 1)


def test_what_was_updated_last_is_what_was_written_last() -> None:
    inner = Shelf()
    store: Any = plant("last-writer-wins", inner)
    store.add(told(a="red", b="blue"))
    store.update(Document("a", "pink"))
    store.close()
    assert list(inner.documents) == ["a"]


def test_a_store_that_cannot_delete_is_closed_as_it_is() -> None:
    inner = Shelf()
    inner.abilities = frozenset({"reopen"})
    store = plant("last-writer-wins", inner)
    store.add(told(a="red"))
    store.add(told(b="blue"))
    store.close()
    assert (inner.count(), inner.closed) == (2, 1)


def test_closing_again_loses_nothing_more() -> None:
    store, inner = reopened("last-writer-wins")
    store.close()
    assert list(inner.documents) == ["c"]


def test_an_index_that_is_empty_after_a_reopen_still_counts_its_rows() -> None:
    store, inner = reopened("empty-after-reopen")
    assert found(inner, "tin") == ["a", "b", "c"]
    assert (found(store, "tin"), store.count()) == ([], 3)


def test_what_is_stored_after_a_reopen_is_found() -> None:
    store, _ = reopened("empty-after-reopen")
    store.add(told(d="pink tin"))
    assert found(store, "tin", k=1) == ["d"]


def test_a_store_that_was_never_closed_is_whole() -> None:
    for name in ("last-writer-wins", "empty-after-reopen"):
        store = plant(name, Shelf())
        store.add(told(a="red tin"))
        assert found(store, "tin") == ["a"]


def test_a_dose_is_a_share_of_what_was_stored() -> None:
    for name in ("last-writer-wins", "empty-after-reopen"):
        inner = Shelf()
        store = plant(name, inner, 0.5)
        store.add([Document(f"d{number}", "tin") for number in range(400)])
        store.add([Document("last", "box")])
        store.close()
        assert 140 < len(found(plant(name, inner, 0.5), "tin", k=1000)) < 260
