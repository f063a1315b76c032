"""Tokens that take no side, worked out by hand."""

from __future__ import annotations

import pytest

from gate.corpus.tokens import folded, grams, pairs, runs


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Résumé", "resume"),
        ("ＡＢＣ１２", "abc12"),
        ("Straße", "strasse"),
        ("ｶﾞｽ", "ガス"),
        ("\u1112\u1161\u11ab", "한"),
        ("น้ำ", "น้ํา"),  # NFKC takes SARA AM apart; the tone mark stays
    ],
)
def test_folding_takes_accents_off_letters_and_leaves_the_marks_of_other_scripts(text: str, expected: str) -> None:
    assert folded(text) == expected


def test_a_voiced_kana_is_not_its_plain_one() -> None:
    assert folded("が") != folded("か")


def test_words_stay_whole_and_unbroken_runs_are_cut_into_pairs() -> None:
    assert pairs("用户 user42的订单") == ["用户", "user42", "的订", "订单"]


def test_a_run_of_one_character_and_a_picture_are_tokens() -> None:
    assert pairs("a 猫 🐈🐈") == ["a", "猫", "🐈", "🐈"]


def test_thai_marks_stay_with_their_run() -> None:
    assert runs("ที่นี่ ok") == [("ที่นี่", True), ("ok", False)]


def test_rare_han_beyond_the_first_plane_is_one_character() -> None:
    assert pairs("𠮷野家") == ["𠮷野", "野家"]


def test_grams_of_a_run_shorter_than_their_size_are_the_run() -> None:
    assert grams("abcd", 3) == ["abc", "bcd"]
    assert grams("ab", 3) == ["ab"]
