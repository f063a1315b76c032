"""The controls: what brackets every measure."""

from __future__ import annotations

import math
from collections import Counter
from pathlib import Path

import pytest

from gate.errors import UsageError
from gate.models.hashed import HashedEmbedder
from gate.protocols import KnowsLabels
from gate.records import Document
from gate.stores import exact_cosine, null, oracle, random_order, reference
from gate.stores.control import Control

DOCUMENTS = [
    Document(f"d{number:02}", f"note {number} on the budget of the {number * 7} teams") for number in range(40)
]


def open_all() -> list[Control]:
    here = Path(".")
    return [
        exact_cosine.open_store(here, HashedEmbedder()),
        null.open_store(here),
        random_order.open_store(here),
        oracle.open_store(here),
    ]


def ids(store: object, query: str, k: int, scope: frozenset[str] = frozenset()) -> list[str]:
    return [hit.doc_id for hit in store.search(query, k, "vector", scope).hits]  # type: ignore[attr-defined]


def test_every_control_counts_what_it_stores() -> None:
    for store in open_all():
        store.add(DOCUMENTS)
        store.add(DOCUMENTS[:3])
        store.delete("d00")
        store.delete("d00")
        assert store.count() == 39
        assert store.environment()["control"] == store.name
        store.close()


def test_null_finds_nothing() -> None:
    store = null.open_store(Path("."))
    store.add(DOCUMENTS)
    assert store.search("budget", 10, "hybrid").hits == ()


def test_oracle_returns_what_it_was_told_as_far_as_it_is_stored() -> None:
    store = oracle.open_store(Path("."))
    assert isinstance(store, KnowsLabels)
    store.add(DOCUMENTS)
    store.reveal({"budget": ["d05", "gone", "d01", "d02"]})
    assert ids(store, "budget", 2) == ["d05", "d01"]
    assert ids(store, "another question", 2) == []


def test_random_depends_on_query_and_ids_only() -> None:
    one, other = random_order.open_store(Path(".")), random_order.open_store(Path("."))
    one.add(DOCUMENTS)
    other.add(DOCUMENTS[::-1])
    assert ids(one, "budget", 40) == ids(other, "budget", 40)
    assert sorted(ids(one, "budget", 40)) == [document.doc_id for document in DOCUMENTS]
    assert ids(one, "budget", 40) != ids(one, "budgets", 40)
    assert ids(one, "budget", 5) == ids(one, "budget", 40)[:5]


def test_random_puts_each_document_first_about_as_often() -> None:
    store = random_order.open_store(Path("."))
    store.add(DOCUMENTS[:10])
    first = Counter(ids(store, f"question {number}", 1)[0] for number in range(1000))
    # 100 expected; five standard deviations of a binomial(1000, 0.1).
    assert all(abs(first[f"d{number:02}"] - 100) < 5 * math.sqrt(90) for number in range(10))


def test_exact_cosine_agrees_with_a_sum_in_plain_python() -> None:
    embedder = HashedEmbedder()
    store = exact_cosine.open_store(Path("."), embedder)
    store.add(DOCUMENTS)
    query = "the budget of 21 teams"

    def cosine(text: str) -> float:
        one, other = ([float(x) for x in row] for row in embedder.embed([query, text], "document"))
        return sum(map(float.__mul__, one, other)) / math.sqrt(sum(x * x for x in one) * sum(x * x for x in other))

    wanted = sorted((-round(cosine(document.text), 9), document.doc_id) for document in DOCUMENTS)
    assert ids(store, query, 40) == [doc_id for _, doc_id in wanted]


def test_exact_cosine_is_the_ceiling_that_the_embedded_store_reaches(tmp_path: Path) -> None:
    ceiling = exact_cosine.open_store(tmp_path, HashedEmbedder())
    store = reference.open_store(tmp_path, HashedEmbedder())
    ceiling.add(DOCUMENTS)
    store.add(DOCUMENTS)
    assert ids(store, "notes of the teams", 40) == ids(ceiling, "notes of the teams", 40)
    store.close()


def test_exact_cosine_without_an_embedder_says_so() -> None:
    with pytest.raises(UsageError, match="nothing without an embedder"):
        exact_cosine.open_store(Path("."))


def test_controls_honour_scopes_replacements_and_deletions() -> None:
    mine, yours = frozenset({"user:a"}), frozenset({"user:b"})
    for store in open_all():
        store.add(
            [
                Document("a1", "budget", scope=mine),
                Document("b1", "budget", scope=yours),
                Document("a2", "x", scope=mine),
            ]
        )
        if isinstance(store, oracle.OracleStore):
            store.reveal({"budget": ["b1", "a1", "a2"]})
        if store.name == "null":
            continue
        assert set(ids(store, "budget", 5, mine)) <= {"a1", "a2"}
        store.supersede("a1", "a2")
        assert "a1" not in ids(store, "budget", 5)
        assert "a2" in ids(store, "budget", 5)
        assert len(ids(store, "budget", 5)) == 2
        store.delete("a2")
        assert ids(store, "budget", 5) == ["b1"]


def test_update_changes_what_exact_cosine_finds() -> None:
    store = exact_cosine.open_store(Path("."), HashedEmbedder())
    store.add([Document("a", "lentil soup"), Document("b", "tax forms")])
    store.update(Document("b", "lentil soup recipe"))
    store.update(Document("a", "holiday photos"))
    assert ids(store, "lentil soup", 1) == ["b"]
