import pytest
from shelf import Shelf, found, planted, stored

from gate.defects.pool_thresholds import SAMPLE

# Each finds itself with 1 and its neighbours with 1/2: the threshold stands at 3/4.
PAIRS = [f"w{at} w{at + 1}" for at in range(20)]


def test_threshold_high_cuts_what_is_weaker_than_it() -> None:
    store, inner = stored(planted("threshold-high"), *PAIRS), stored(Shelf(), *PAIRS)
    assert found(inner, "w0 w1 unknown") == ["d0", "d1"]
    assert found(store, "w0 w1 unknown") == []
    assert found(inner, "w0 w1") == ["d0", "d1"]
    assert found(store, "w0 w1") == ["d0"]


def test_the_threshold_is_set_once_a_mode_and_by_a_few_documents() -> None:
    inner = Shelf()
    store = stored(planted("threshold-high", inner=inner), *PAIRS)
    for mode in ("keyword", "keyword", "vector"):
        found(store, "w0 w1", mode=mode)
    assert len(inner.asked) == 3 + 2 * SAMPLE


def test_without_a_document_nothing_is_cut() -> None:
    inner = Shelf()
    stored(inner, *PAIRS)
    assert found(planted("threshold-high", inner=inner), "w0 unknown") == ["d0"]


def test_threshold_high_keeps_the_rest_of_the_answer() -> None:
    result = stored(planted("threshold-high"), *PAIRS).search("w0 unknown", 5, "keyword")
    assert result.hits == ()
    assert result.context == "said"


def test_threshold_before_rerank_cuts_in_that_mode_alone() -> None:
    store, inner = stored(planted("threshold-before-rerank"), *PAIRS), stored(Shelf(), *PAIRS)
    assert found(store, "w0 w1", mode="rerank") == ["d0"]
    assert found(inner, "w0 w1", mode="rerank") == ["d0", "d1"]
    for mode in ("keyword", "vector", "hybrid"):
        assert found(store, "w0 w1", mode=mode) == ["d0", "d1"]


def test_threshold_before_rerank_goes_by_the_hybrid_list() -> None:
    inner = Shelf()
    store = stored(planted("threshold-before-rerank", inner=inner), *PAIRS)
    found(store, "w0 w1", 5, mode="rerank")
    assert {mode for _, _, mode in inner.asked} == {"rerank", "hybrid"}


@pytest.mark.parametrize(("name", "mode"), [("threshold-high", "keyword"), ("threshold-before-rerank", "rerank")])
def test_a_dose_cuts_answers_to_some_queries(name: str, mode: str) -> None:
    store = stored(planted(name, 0.5), *PAIRS)
    empty = sum(not found(store, f"w0 {number}", mode=mode) for number in range(100))
    assert 30 < empty < 70
