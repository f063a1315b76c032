from collections.abc import Mapping, Sequence
from itertools import pairwise

import pytest

from gate.defects import DEFECTS
from gate.defects.boundary import Boundary
from gate.protocols import Deletes, KnowsLabels, Store, Supersedes, Updates
from gate.records import Document, ScoredDoc, SearchResult


class Plain:
    """A store without abilities that writes down every call."""

    name = "plain"
    modes = frozenset({"keyword", "vector"})
    abilities: frozenset[str] = frozenset()

    def __init__(self) -> None:
        self.calls: list[tuple[object, ...]] = []

    def environment(self) -> Mapping[str, str]:
        return {"device": "cpu"}

    def add(self, documents: Sequence[Document]) -> None:
        self.calls.append(("add", *documents))

    def count(self) -> int:
        return 7

    def search(self, query: str, k: int, mode: str, scope: frozenset[str] = frozenset()) -> SearchResult:
        self.calls.append(("search", query, k, mode, scope))
        return SearchResult((ScoredDoc("a", 1.0),), degraded=frozenset({"embedder"}), context="c")

    def close(self) -> None:
        self.calls.append(("close",))


class Able(Plain):
    """The same with every optional method."""

    abilities = frozenset({"update", "delete", "supersede"})

    def update(self, document: Document) -> None:
        self.calls.append(("update", document))

    def delete(self, doc_id: str) -> None:
        self.calls.append(("delete", doc_id))

    def supersede(self, old_id: str, new_id: str) -> None:
        self.calls.append(("supersede", old_id, new_id))

    def reveal(self, answers: Mapping[str, Sequence[str]]) -> None:
        self.calls.append(("reveal", answers))


class Louder(Boundary):
    """Rewrites everything that passes."""

    def rewrite_document(self, document: Document) -> Document:
        return Document(document.doc_id, document.text.upper())

    def rewrite_query(self, query: str) -> str:
        return query.upper()

    def rewrite_depth(self, query: str, k: int) -> int:
        return k + 1

    def rewrite_result(self, query: str, k: int, result: SearchResult) -> SearchResult:
        return SearchResult(result.hits, context=f"{query} {k}")


def test_a_boundary_without_a_rewrite_passes_everything_through() -> None:
    inner = Plain()
    store: Store = Boundary(inner, 1.0)
    document = Document("a", "text")
    store.add([document])
    result = store.search("q", 5, "keyword", frozenset({"u"}))
    store.close()
    assert inner.calls == [("add", document), ("search", "q", 5, "keyword", frozenset({"u"})), ("close",)]
    assert result == SearchResult((ScoredDoc("a", 1.0),), degraded=frozenset({"embedder"}), context="c")
    assert (store.name, store.modes, store.abilities) == (inner.name, inner.modes, inner.abilities)
    assert (store.count(), store.environment()) == (7, {"device": "cpu"})


@pytest.mark.parametrize("kind", [Updates, Deletes, Supersedes, KnowsLabels])
def test_a_boundary_has_exactly_the_optional_methods_of_its_store(kind: type) -> None:
    assert not isinstance(Boundary(Plain(), 1.0), kind)
    assert isinstance(Boundary(Able(), 1.0), kind)


def test_optional_calls_reach_the_store() -> None:
    inner = Able()
    store: Store = Boundary(inner, 1.0)
    document = Document("a", "text")
    assert isinstance(store, Updates)
    assert isinstance(store, Deletes)
    assert isinstance(store, Supersedes)
    assert isinstance(store, KnowsLabels)
    store.update(document)
    store.delete("a")
    store.supersede("a", "b")
    store.reveal({"q": ("a",)})
    assert inner.calls == [("update", document), ("delete", "a"), ("supersede", "a", "b"), ("reveal", {"q": ("a",)})]


def test_a_defect_can_rewrite_documents_queries_depth_and_results() -> None:
    inner = Able()
    store: Store = Louder(inner, 1.0)
    assert isinstance(store, Updates)
    store.add([Document("a", "text")])
    store.update(Document("b", "more"))
    result = store.search("q", 5, "keyword")
    assert inner.calls == [
        ("add", Document("a", "TEXT")),
        ("update", Document("b", "MORE")),
        ("search", "Q", 6, "keyword", frozenset()),
    ]
    assert result.context == "q 5"


def test_a_full_dose_touches_everything() -> None:
    assert all(Boundary(Plain(), 1.0).touches(f"query {number}") for number in range(1000))


@pytest.mark.parametrize("dose", [0.1, 0.25, 0.5, 0.9])
def test_a_dose_is_the_share_that_is_touched(dose: float) -> None:
    touched = sum(Boundary(Plain(), dose).touches(f"query {number}") for number in range(4000))
    # Four standard deviations of a fair draw.
    assert abs(touched / 4000 - dose) < 4 * (dose * (1 - dose) / 4000) ** 0.5


def test_a_bigger_dose_touches_all_that_a_smaller_one_does() -> None:
    keys = [f"d{number}" for number in range(500)]
    doses = [{key for key in keys if Boundary(Plain(), dose).touches(key)} for dose in (0.05, 0.2, 0.6, 1.0)]
    assert all(small < big for small, big in pairwise(doses))


def test_what_is_touched_never_changes() -> None:
    # CRC-32 of "123456789" is 0xCBF43926, the check value of its definition: 0.7967 of the range.
    assert not Boundary(Plain(), 0.796).touches("123456789")
    assert Boundary(Plain(), 0.797).touches("123456789")


@pytest.mark.parametrize("name", DEFECTS)
def test_a_planted_store_is_still_the_same_store(name: str) -> None:
    store = DEFECTS[name].plant(Able(), 1.0)
    assert (store.name, store.modes, store.abilities) == (Able.name, Able.modes, Able.abilities)
    assert isinstance(store, Updates)
    assert not isinstance(DEFECTS[name].plant(Plain(), 1.0), Updates)
