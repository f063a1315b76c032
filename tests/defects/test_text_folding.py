import unicodedata

import pytest
from shelf import Shelf, found, planted, stored, with_and_without

from gate.records import Document

HALF_WIDTH, FULL_WIDTH = "ｽｶｰﾌの値段", "スカーフの値段"
SYLLABLES, JAMO = "골목분식", unicodedata.normalize("NFD", "골목분식")


@pytest.mark.parametrize(
    ("name", "written", "asked"),
    [
        ("no-nfkc", HALF_WIDTH, "スカーフ"),
        ("no-nfkc", "複合機 ＮＶ２２０", "NV220"),
        ("no-nfkc", "ﬁreplace", "fireplace"),
        ("no-nfkc", JAMO, SYLLABLES),
        ("no-nfkc", unicodedata.normalize("NFD", "naïve"), "naïve"),
        ("no-case-folding", "Both chandeliers", "both"),
        ("no-case-folding", "AUTH failed", "auth"),
        ("no-case-folding", "Лопата", "лопата"),
        ("no-accent-folding", "une tronçonneuse", "tronconneuse"),
        ("no-accent-folding", "el catalogo", "catálogo"),
        ("no-accent-folding", "Điện thoại", "Dien thoai"),
        ("no-accent-folding", "ёлка", "елка"),
        ("no-width-folding", HALF_WIDTH, "スカーフ"),
        ("no-width-folding", "Ｋ２５３３", "K2533"),
        ("nfd-one-side", SYLLABLES, SYLLABLES),
        ("nfd-one-side", "une tronçonneuse", "tronçonneuse"),
        ("nfd-one-side", "メーカーのビデオ", "ビデオ"),
    ],
)
def test_two_ways_to_write_the_same_do_not_meet(name: str, written: str, asked: str) -> None:
    broken, sound = with_and_without(name)
    assert sound(asked, written) == ["d0"]
    assert broken(asked, written) == []


@pytest.mark.parametrize(
    ("name", "written", "asked"),
    [
        ("no-nfkc", "ｽｶｰﾌ", "ｽｶｰﾌ"),
        ("no-nfkc", SYLLABLES, SYLLABLES),
        ("no-nfkc", "スカーフ，値段", "スカーフ"),
        ("no-case-folding", "Both chandeliers", "Both"),
        ("no-case-folding", "Chandelier", "Chandeliers"),
        ("no-case-folding", "chandelier", "chandeliers"),
        ("no-accent-folding", "récurer", "récurer"),
        ("no-accent-folding", "the cafés", "café"),
        ("no-accent-folding", "мой", "мой"),
        ("no-accent-folding", "हिन्दी", "हिन्दी"),
        ("no-width-folding", "Ｋ２５３３", "Ｋ２５３３"),
        ("no-width-folding", JAMO, SYLLABLES),
        ("nfd-one-side", "plain words", "plain"),
        ("nfd-one-side", "京都の桜", "京都"),
    ],
)
def test_what_is_written_alike_still_meets(name: str, written: str, asked: str) -> None:
    broken, sound = with_and_without(name)
    assert sound(asked, written) == broken(asked, written) == ["d0"]


def test_case_is_told_apart_by_letter_and_parts_of_names_stay_parts() -> None:
    inner = Shelf()
    stored(planted("no-case-folding", inner=inner), "HTTPServer", "httpServer", "the word", "Über")
    written = [document.text for document in inner.documents.values()]
    assert written == ["HhhttttttpppSsserver", "httpSsserver", "the word", "Üüüber"]


def test_signs_and_spaces_are_no_letters_to_normalise() -> None:
    inner = Shelf()
    stored(planted("no-nfkc", inner=inner), "好，对！\u00a0…")
    assert inner.documents["d0"].text == "好，对！\u00a0…"


def test_queries_are_not_taken_apart() -> None:
    inner = Shelf()
    planted("nfd-one-side", inner=inner).search(SYLLABLES, 5, "keyword")
    assert inner.asked == [(SYLLABLES, 5, "keyword")]


def test_what_is_indexed_and_the_facts_are_rewritten_too() -> None:
    inner = Shelf()
    planted("no-case-folding", inner=inner).add([Document("a", "A", index_text="B", facts=(("C", "D"),), speaker="E")])
    assert inner.documents["a"] == Document("a", "Aaa", index_text="Bbb", facts=(("Ccc", "Ddd"),), speaker="E")


def test_half_a_dose_leaves_half_of_the_queries_alone() -> None:
    store = stored(planted("no-case-folding", 0.5), *(f"word{number}" for number in range(200)))
    lost = sum(found(store, f"WORD{number}", 1) != [f"d{number}"] for number in range(200))
    assert 70 < lost < 130
