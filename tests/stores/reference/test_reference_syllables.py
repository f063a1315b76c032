"""Vietnamese: words of two syllables with a space between."""

from __future__ import annotations

import unicodedata
from pathlib import Path
from typing import Literal

import pytest

from gate.records import Document
from gate.stores.reference.store import ReferenceStore
from gate.stores.reference.syllables import pairs
from gate.stores.reference.text import asked, written


@pytest.mark.parametrize(
    ("text", "neighbours"),
    [
        ("Không gian  mạng", ["không gian", "gian mạng"]),
        ("máy in, bàn phím", ["máy in", "bàn phím"]),
        ("ba\nmô-đun a_b c2 d", []),
        ("phòng 3 tầng hai", ["tầng hai"]),
        ("một", []),
    ],
)
def test_neighbours_are_what_only_a_space_parts(text: str, neighbours: list[str]) -> None:
    assert pairs(text) == neighbours


def test_pairs_are_of_vietnamese_texts_and_questions_alone() -> None:
    assert "không gian" in written("không gian", (), "vi")[0]
    assert "room key" not in written("room key", ())[0]
    assert "Schlüssel hier".casefold() not in written("Schlüssel hier", ("de",), "de")[0]
    weights = {term: weight for one in asked("Không gian này ở đâu?") for term, weight in one.terms}
    assert weights["không gian"] == 0.5
    assert not any(" " in term for one in asked("Where is this room?") for term, _ in one.terms)


def test_a_word_is_found_before_its_syllables_in_other_words(tmp_path: Path) -> None:
    store = ReferenceStore(tmp_path)
    store.add(
        [
            Document("a", "Gian phòng này không có cửa sổ."),
            Document("b", "Phòng này có không gian rộng."),
        ]
    )
    assert [hit.doc_id for hit in store.search("Có không gian nào không?", 2, "keyword").hits] == ["b", "a"]
    store.close()


@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_both_normal_forms_make_the_same_pairs(form: Literal["NFC", "NFD"]) -> None:
    terms = {term for one in asked(unicodedata.normalize(form, "Bàn phím của bạn ở đâu?")) for term, _ in one.terms}
    assert unicodedata.normalize("NFC", "bàn phím") in terms
