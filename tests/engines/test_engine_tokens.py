"""The tokens of engines, worked out by hand."""

from __future__ import annotations

import pytest

from gate.engines.numbers import normal_numbers, telling_numbers
from gate.engines.tokens import (
    Tokens,
    ascii_letters,
    between_spaces,
    bigrams_and_trigrams_of_words,
    characters_and_pairs,
    dictionary_words,
    first_plane_only,
    five_grams_of_words,
    folded_words,
    four_grams_of_words,
    pairs_as_written,
    pairs_of_characters,
    pairs_of_syllables,
    refusing_expressions,
    simplified_characters,
    stems,
    trigrams_of_chunks,
    trigrams_of_runs,
    trigrams_of_words,
    trigrams_without_spaces,
    whole_runs,
    wholes_and_parts,
    words,
    words_as_written,
    words_that_tell,
)


@pytest.mark.parametrize(
    ("tokens", "text", "expected"),
    [
        (words, "Ｃａｆé, No. 7", ["café", "no", "7"]),
        (words_as_written, "Ｃａｆé", ["ｃａｆé"]),
        (folded_words, "Đà Nẵng", ["đa", "nang"]),
        (words_that_tell, "Where is the boat", ["boat"]),
        (stems("english"), "the boats sailing", ["boat", "sail"]),
        (stems("german"), "die Körbe", ["korb"]),
        (stems("finnish"), "taloissa", ["talo"]),
        (pairs_of_characters, "ｻｰﾊﾞ OK", ["サー", "ーバ", "ok"]),
        (pairs_as_written, "ＯＫ 订单号", ["ｏｋ", "订单", "单号"]),
        (characters_and_pairs, "订单 a 猫", ["订单", "a", "猫", "订", "单"]),
        (first_plane_only, "𠮷野 🐈", ["野"]),
        (trigrams_of_runs, "订单 订单号", ["订单号"]),
        (whole_runs, "订单号ok", ["订单号", "ok"]),
        (trigrams_of_words, "the lamp", ["#la", "lam", "amp", "mp#"]),
        (four_grams_of_words, "Öl Tür", ["#ol#", "#tur", "tur#"]),
        (five_grams_of_words, "Tür", ["#tur#"]),
        (bigrams_and_trigrams_of_words, "the tea", ["#t", "te", "ea", "a#", "#te", "tea", "ea#"]),
        (dictionary_words, "数据库 Redis", ["数据", "据库", "数据库", "redis"]),
        (trigrams_without_spaces, "数据库备 Redis 猫", ["数据库", "据库备", "redis", "猫"]),
        (pairs_of_syllables, "Đà Nẵng đẹp", ["đa", "nang", "đep", "đa nang", "nang đep"]),
        (trigrams_of_chunks, "A.b:3, x", ["a.b", ".b:", "b:3", ":3,", "x"]),
        (between_spaces, "At a.b:3, now", ["at", "a.b:3,", "now"]),
        (ascii_letters, "1,200 crates", ["crates"]),
        (refusing_expressions, "plain words", ["plain", "words"]),
        (refusing_expressions, "plain (words", []),
        (wholes_and_parts, "retryLimit v1.2", ["retry", "limit", "v1", "2", "1.2"]),
    ],
)
def test_tokens_are_these(tokens: Tokens, text: str, expected: list[str]) -> None:
    assert tokens(text) == expected


def test_a_commit_is_found_by_its_first_seven_digits() -> None:
    commit = "0123456789abcdef0123456789abcdef01234567"
    assert {commit, "0123456"} <= {*wholes_and_parts(f"Fixed in {commit}.")}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("1,200", "1200"),
        ("5 March 2026", "2026-03-05"),
        ("March 5, 2026", "5 Mar 2026"),
        ("2:30 pm", "14:30"),
        ("12:05am", "00:05"),
        ("2.5 million", "2,500,000"),
        ("80k", "80,000"),
        ("thirty-four", "34"),
        ("10km", "10 kilometres"),
        ("3.5 per cent", "3.5%"),
    ],
)
def test_one_number_is_one_token_however_it_is_written(one: str, other: str) -> None:
    assert normal_numbers(one) == normal_numbers(other)


def test_numbers_tell_and_function_words_do_not() -> None:
    assert telling_numbers("The crate of 1,200") == ["crate", "1200"]


def test_converted_characters_are_those_of_the_other_script() -> None:
    pytest.importorskip("opencc", reason="OpenCC is not installed: pip install -e '.[dev]'")
    assert simplified_characters("訂單 OK") == ["订", "单", "ok"]


def test_near_numbers_stay_apart() -> None:
    assert normal_numbers("1,200") != normal_numbers("1,201")
    assert normal_numbers("5 March 2026") != normal_numbers("6 March 2026")
