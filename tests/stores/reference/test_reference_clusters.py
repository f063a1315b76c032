"""Scripts of South-East Asia: clusters, and what is found by pairs of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from gate.records import Document
from gate.stores.reference.clusters import clusters
from gate.stores.reference.store import ReferenceStore
from gate.stores.reference.text import asked, written


@pytest.mark.parametrize(
    ("run", "pieces"),
    [
        ("เกินไป", ["เกิ", "น", "ไป"]),
        ("เล็ก", ["เล็", "ก"]),
        ("กาแฟ", ["กา", "แฟ"]),
        ("ເຂົ້າ", ["ເຂົ້າ"]),
        ("ပုသိမ်", ["ပု", "သိ", "မ်"]),
        ("ကျောင်း", ["ကျော", "င်း"]),
        ("မန္တလေး", ["မ", "န္တ", "လေး"]),
        ("ខ្មែរ", ["ខ្មែ", "រ"]),
        ("ិก", ["ិ", "ก"]),
        ("เ", ["เ"]),
        ("", []),
    ],
)
def test_vowels_and_marks_stay_with_their_letter(run: str, pieces: list[str]) -> None:
    assert clusters(run) == pieces


def test_a_word_keeps_its_clusters_between_others() -> None:
    assert "|".join(clusters("ร้านกาแฟใหม่")) == "ร้า|น|กา|แฟ|ให|ม่"


def test_thai_is_asked_in_pairs_of_clusters_around_question_words() -> None:
    asks = [term for one in asked("ใครซื้อกาแฟ") for term, _ in one.terms]
    assert asks == ["ซื้อ", "อกา", "กาแฟ"]
    assert [term for one in asked("ใคร") for term, _ in one.terms] == ["ใคร"]
    assert set(asks) <= set(written("เขาซื้อกาแฟแล้ว")[0])


@pytest.mark.parametrize(
    ("question", "answer", "other"),
    [
        ("กล่องเล็กเกินไป", "ห้องนี้เล็กเกินไป", "เขากินเกลือในกล่อง"),
        ("ຮ້ານກາເຟ", "ກາເຟຢູ່ໃນຮ້ານ", "ຮ້ອນກວ່າແຕ່ກ່ອນ"),
        ("កាហ្វេក្តៅ", "ខ្ញុំផឹកកាហ្វេ", "កាលពីម្សិលមិញក្ដៅណាស់"),
    ],
)
def test_words_are_found_and_letters_that_happen_to_meet_are_not_taken_for_them(
    tmp_path: Path, question: str, answer: str, other: str
) -> None:
    store = ReferenceStore(tmp_path)
    store.add([Document("a", other), Document("b", answer)])
    assert store.search(question, 2, "keyword").hits[0].doc_id == "b"
    store.close()
