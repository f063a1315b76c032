"""Texts whose language nobody declares, as in public collections: what plain BM25 with the right tokens finds."""

from __future__ import annotations

from pathlib import Path

import pytest

from gate.records import Document
from gate.stores.reference.store import ReferenceStore
from gate.stores.reference.text import asked, language


@pytest.mark.parametrize(
    ("lang", "text"),
    [
        ("pl", "Czy rzeka, która płynie przez miasto, jest dłuższa niż ta na północy?"),
        ("cs", "Která řeka, jež protéká městem, je delší než ta na severu?"),
        ("hu", "Melyik folyó hosszabb, mint az, amely a városban van?"),
        ("da", "Hvilken flod er længere end den, der løber ud i havet ved byen?"),
        ("nb", "Hvilken elv er lengre enn den som renner ut i havet ved byen, og hvor ble den målt?"),
        ("ro", "Care este râul mai lung decât cel din nord și unde se varsă?"),
        ("fa", "کدام رود از رود شمال بلندتر است و به کجا می‌ریزد؟"),
        ("", "Which river is longer than the one in the north?"),
    ],
)
def test_a_text_tells_its_language_by_its_function_words(lang: str, text: str) -> None:
    assert language(text) == lang


@pytest.mark.parametrize(
    ("question", "answer", "other"),
    [
        (
            "Gdzie leżą kopalnie soli?",
            "Na południu kraju jest kopalnia soli, która działa od średniowiecza.",
            "Na północy kraju jest kopalnia węgla, która działa od stu lat.",
        ),
        (
            "Kde jsou lázně s horkými prameny?",
            "Do lázní na západě země jezdí lidé už po staletí, protože je tam horký pramen.",
            "Do muzea na západě země jezdí lidé už po staletí, protože je tam starý hrad.",
        ),
        (
            "Melyik városban vannak a gyógyfürdők?",
            "A fővárosban több gyógyfürdő is van, és az egyik négyszáz éves.",
            "A fővárosban több könyvtár is van, és az egyik kétszáz éves.",
        ),
    ],
)
def test_word_forms_of_an_undeclared_language_are_found(tmp_path: Path, question: str, answer: str, other: str) -> None:
    store = ReferenceStore(tmp_path)
    store.add([Document("a", other), Document("b", answer)])
    assert store.search(question, 2, "keyword").hits[0].doc_id == "b"
    store.close()


def test_vietnamese_that_is_asked_with_tones_is_found_with_these_tones_first(tmp_path: Path) -> None:
    store = ReferenceStore(tmp_path)
    store.add([Document("a", "Cái mà này rất to."), Document("b", "Cái mã này rất to."), Document("c", "Cái ma kia.")])
    assert store.search("Cái mã này là cái nào?", 3, "keyword").hits[0].doc_id == "b"
    assert {hit.doc_id for hit in store.search("mã", 3, "keyword").hits} == {"a", "b", "c"}
    store.close()


def test_function_words_of_english_are_left_out_and_those_of_other_languages_asked_lightly() -> None:
    weights = {one.terms[-1][0]: sum(weight for _, weight in one.terms) for one in asked("Không có nguồn")}
    assert weights == {"không": 0.3, "có": 0.3, "nguon": pytest.approx(1.3)}
    assert all(term != "the" for one in asked("the water of the river") for term, _ in one.terms)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("发电厂在哪里", "长江上游有三座电站。"),
        ("製鉄所はどこですか", "鉄をつくる工場は海のそばにある。"),
        ("도서관에서", "책은 관내에서 읽는다."),
    ],
)
def test_a_character_alone_finds_where_pairs_do_not(tmp_path: Path, question: str, answer: str) -> None:
    store = ReferenceStore(tmp_path)
    store.add([Document("a", "abc"), Document("b", answer)])
    assert [hit.doc_id for hit in store.search(question, 2, "keyword").hits] == ["b"]
    store.close()


def test_a_pair_that_is_all_of_a_question_is_not_found_by_one_of_its_characters(tmp_path: Path) -> None:
    store = ReferenceStore(tmp_path)
    store.add([Document("a", "東京の桜")])
    assert store.search("京都", 5, "keyword").hits == ()
    store.close()
