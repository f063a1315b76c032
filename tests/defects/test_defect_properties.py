"""What holds for every registered defect, in front of a store that behaves."""

import pytest
from fakes import LengthReranker, LetterEmbedder
from shelf import Shelf, planted

from gate.defects import DEFECTS, Defect
from gate.defects.boundary import Boundary
from gate.protocols import Deletes, Supersedes, Updates
from gate.records import ABILITIES, MODES, Document

LONG = "so " * 3000
TEXTS = ("The blue vase", "奶茶的疫苗周四打齐", "ｽｶｰﾌのｵﾚﾝｼﾞ", "골목분식 예약", "récurer", "𠮷屋", "", " ", LONG)
DOCUMENTS = [Document(f"d{at}", text, scope=frozenset({"user:a"} if at % 2 else ())) for at, text in enumerate(TEXTS)]
QUERIES = (*TEXTS, "?!", "\x00", "the", "x" * 3)


@pytest.mark.parametrize("defect", DEFECTS.values(), ids=DEFECTS)
def test_a_defect_says_what_it_is(defect: Defect) -> None:
    assert defect.modes <= set(MODES)
    if not defect.modes:
        assert isinstance(defect.in_store, type)
        assert issubclass(defect.in_store, Boundary)
        assert defect.in_store.search is Boundary.search
    assert defect.needs <= set(ABILITIES)
    assert not defect.stands_for.endswith(".")
    assert (defect.in_store or defect.in_embedder or defect.in_reranker) is not None


@pytest.mark.parametrize("dose", [0.2, 1.0])
@pytest.mark.parametrize("name", DEFECTS)
def test_nothing_raises_that_does_not_without_the_defect(name: str, dose: float) -> None:
    store = planted(name, dose)
    for stage in ("empty", "filled"):
        for mode in sorted(store.modes):
            for query in QUERIES:
                for k in (1, 7):
                    for scope in (frozenset[str](), frozenset({"user:a"})):
                        hits = store.search(query, k, mode, scope).hits
                        assert stage == "filled" or hits == ()
        store.add(DOCUMENTS)
    assert isinstance(store, Updates)
    assert isinstance(store, Deletes)
    assert isinstance(store, Supersedes)
    store.update(Document("d0", "another"))
    store.supersede("d1", "d2")
    store.delete("d3")
    assert store.environment() == Shelf().environment()
    store.close()


@pytest.mark.parametrize("name", DEFECTS)
def test_a_planted_part_keeps_its_name_and_shape(name: str) -> None:
    defect = DEFECTS[name]
    embedder = defect.plant_embedder(LetterEmbedder(), 1.0)
    assert (embedder.name, embedder.dimension) == (LetterEmbedder.name, LetterEmbedder.dimension)
    assert embedder.embed(["a", ""], "document").shape == (2, 26)
    reranker = defect.plant_reranker(LengthReranker(), 1.0)
    assert reranker.name == LengthReranker.name


@pytest.mark.parametrize("name", DEFECTS)
def test_answers_are_the_same_each_time(name: str) -> None:
    stores = [planted(name, 0.5) for _ in range(2)]
    for store in stores:
        store.add(DOCUMENTS)
    for query in QUERIES:
        once, again = (store.search(query, 5, "keyword") for store in stores)
        assert once == again == stores[0].search(query, 5, "keyword")
