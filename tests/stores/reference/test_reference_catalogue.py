"""What may be seen of what was found: each replaced document as what replaces it, and once."""

from __future__ import annotations

import numpy as np

from gate.stores.reference.catalogue import Catalogue

NOBODY = frozenset[str]()


def seen(catalogue: Catalogue, found: dict[str, float], scope: frozenset[str] = NOBODY) -> dict[str, float]:
    slots = np.array([catalogue.slot(doc_id) for doc_id in found], dtype=np.intp)
    slots, scores = catalogue.visible(slots, np.array(list(found.values())), scope)
    assert len(set(slots.tolist())) == len(slots)
    return {catalogue.doc_ids[slot]: score for slot, score in zip(slots.tolist(), scores.tolist(), strict=True)}


def replaced(scopes: dict[str, frozenset[str]] | None = None) -> Catalogue:
    """`a` and `b` are replaced by `c`, and `d` by a document that is not stored."""
    catalogue = Catalogue()
    for doc_id in "abcde":
        catalogue.put(doc_id, (scopes or {}).get(doc_id, NOBODY))
    for old, new in (("a", "b"), ("b", "c"), ("d", "gone")):
        catalogue.supersede(old, new)
    return catalogue


def test_a_replacement_has_the_best_score_of_its_own_and_of_what_it_replaces() -> None:
    catalogue = replaced()
    assert seen(catalogue, {"e": 1.0, "a": 3.0, "b": 2.0, "c": 0.5}) == {"e": 1.0, "c": 3.0}
    assert seen(catalogue, {"c": 4.0, "a": 3.0, "e": 1.0}) == {"e": 1.0, "c": 4.0}


def test_a_replacement_that_was_not_found_itself_is_found_once() -> None:
    assert seen(replaced(), {"a": -2.0, "b": -1.0}) == {"c": -1.0}


def test_a_replaced_document_whose_replacement_is_gone_is_not_seen() -> None:
    assert seen(replaced(), {"d": 1.0, "a": 0.0}) == {"c": 0.0}


def test_one_search_leaves_nothing_to_the_next() -> None:
    catalogue = replaced()
    assert seen(catalogue, {"a": 9.0, "e": 8.0}) == {"c": 9.0, "e": 8.0}
    assert seen(catalogue, {"b": 1.0, "e": 2.0}) == {"c": 1.0, "e": 2.0}
    assert seen(catalogue, {"c": 1.0, "d": 2.0}) == {"c": 1.0}


def test_a_replacement_out_of_scope_is_not_seen_through_what_it_replaces() -> None:
    catalogue = replaced({"c": frozenset({"secret"})})
    assert seen(catalogue, {"a": 1.0, "e": 0.5}, frozenset({"open"})) == {"e": 0.5}
    assert seen(catalogue, {"a": 1.0, "e": 0.5}, frozenset({"secret"})) == {"c": 1.0, "e": 0.5}
