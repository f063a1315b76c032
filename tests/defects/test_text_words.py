import unicodedata

import pytest
from shelf import Shelf, found, planted, stored, with_and_without

from gate.protocols import Updates
from gate.records import Document

THE_RUN = "把夜班巡檢記錄改成自動歸檔流程"


@pytest.mark.parametrize(
    ("name", "written", "asked"),
    [
        ("one-token-per-run", THE_RUN, "自動歸檔"),
        ("one-token-per-run", "ทำไมต้องเลื่อนเปิดตัว", "เลื่อน"),
        ("min-length-3", "唢呐在路上", "唢呐"),
        ("min-length-3", "an ox", "ox"),
        ("stop-words-required", "the blue vase", "where is the blue vase"),
        ("stop-words-required", "奶茶的疫苗周四打齐", "奶茶的疫苗哪天打齐"),
    ],
)
def test_a_word_is_not_found(name: str, written: str, asked: str) -> None:
    broken, sound = with_and_without(name)
    assert sound(asked, written) == ["d0"]
    assert broken(asked, written) == []


@pytest.mark.parametrize(
    ("name", "written", "asked"),
    [
        ("one-token-per-run", THE_RUN, THE_RUN),
        ("one-token-per-run", "库存MongoDB超时", "mongodb"),
        ("one-token-per-run", unicodedata.normalize("NFD", "골목분식"), "골목분식"),
        ("single-characters", THE_RUN, "自動歸檔"),
        ("single-characters", unicodedata.normalize("NFD", "골목분식"), "골목분식"),
        ("min-length-3", THE_RUN, "自動歸檔"),
        ("stop-words-required", "The blue vase", "blue vase"),
    ],
)
def test_other_words_are_still_found(name: str, written: str, asked: str) -> None:
    broken, sound = with_and_without(name)
    assert sound(asked, written) == broken(asked, written) == ["d0"]


def test_a_run_with_other_characters_is_another_word() -> None:
    broken, _ = with_and_without("one-token-per-run")
    assert broken("大学", "大家", "大学") == ["d1"]


def test_single_characters_match_where_the_word_is_not() -> None:
    broken, sound = with_and_without("single-characters")
    assert sound("蜜蜂", "买了蜂蜜") == []
    assert broken("蜜蜂", "买了蜂蜜") == ["d0"]


def test_a_word_in_many_documents_weighs_nothing() -> None:
    texts = ["the red vase", *(f"the item {number}" for number in range(400))]
    broken, sound = with_and_without("idf-zero")
    assert sound("the vase", *texts)[0] == broken("the vase", *texts)[0] == "d0"
    assert len(sound("the vase", *texts)) == 10
    assert broken("the vase", *texts) == ["d0"]
    assert broken("the", *texts) == []


def test_how_often_a_word_occurs_follows_what_is_stored() -> None:
    store = stored(planted("idf-zero"), "vase", *(f"item {number}" for number in range(250)))
    assert found(store, "vase") == ["d0"]
    assert isinstance(store, Updates)
    store.update(Document("d1", "vase"))
    assert found(store, "vase") == []
    store.add([Document(f"e{number}", "another thing") for number in range(200)])
    assert found(store, "vase") == ["d0", "d1"]


def test_words_required_follow_what_is_stored() -> None:
    store = stored(planted("stop-words-required"), "the vase")
    assert found(store, "a vase") == []
    assert isinstance(store, Updates)
    store.update(Document("d0", "a vase"))
    assert found(store, "a vase") == ["d0"]
    store.add([Document("d0", "no vase")])
    assert found(store, "a vase") == []


def test_a_document_that_was_stored_before_is_let_through() -> None:
    inner = Shelf()
    stored(inner, "the vase")
    assert found(planted("stop-words-required", inner=inner), "one vase") == ["d0"]


def test_a_dose_requires_all_words_of_some_queries() -> None:
    store = stored(planted("stop-words-required", 0.5), "vase")
    lost = sum(not found(store, f"vase {number}") for number in range(200))
    assert 70 < lost < 130
