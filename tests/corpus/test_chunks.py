"""Pieces of a text: 300 words, 50 repeated, at most 6,000 characters, and nothing that belongs together is cut."""

from __future__ import annotations

import unicodedata
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.corpus.chunks import CHARACTERS, OVERLAP, WORDS, chunks


def pieces(text: str) -> list[str]:
    return [text[start:end] for start, end in chunks(text)]


def numbered(count: int) -> str:
    return " ".join(f"w{number}" for number in range(count))


def test_the_sizes_are_the_published_ones() -> None:
    assert (WORDS, OVERLAP, CHARACTERS) == (300, 50, 6000)


@pytest.mark.parametrize("count", [1, 299, 300])
def test_a_text_of_up_to_300_words_is_one_piece(count: int) -> None:
    assert pieces(numbered(count)) == [numbered(count)]


def test_the_301st_word_begins_a_piece_that_repeats_the_50_before_it() -> None:
    found = [piece.split() for piece in pieces(numbered(301))]
    assert [(words[0], words[-1], len(words)) for words in found] == [("w0", "w299", 300), ("w250", "w300", 51)]


def test_every_further_piece_starts_250_words_on() -> None:
    found = [piece.split() for piece in pieces(numbered(800))]
    assert [(words[0], words[-1]) for words in found] == [("w0", "w299"), ("w250", "w549"), ("w500", "w799")]


def test_a_piece_never_has_more_than_6000_characters() -> None:
    # 300 words of 29 letters would be 8,999 characters: 200 of them are 5,999. A sixth of 200 are repeated.
    found = [piece.split() for piece in pieces(" ".join(f"{number:029d}" for number in range(400)))]
    assert [(int(words[0]), int(words[-1])) for words in found] == [(0, 199), (167, 366), (334, 399)]


def test_blanks_around_a_piece_are_not_in_it_and_those_inside_stay() -> None:
    assert pieces("  two\n\n  words \n") == ["two\n\n  words"]


@pytest.mark.parametrize("text", ["", " \n\t "])
def test_a_text_without_words_is_one_piece(text: str) -> None:
    assert pieces(text) == [text]


@pytest.mark.parametrize(
    "character",
    ["汉", "漢", "か", "カ", "ｶ", "ก", "ກ", "က", "ក", "𠮷"],
    ids=["Hans", "Hant", "hiragana", "katakana", "halfwidth", "thai", "lao", "burmese", "khmer", "astral"],
)
def test_a_character_is_a_word_where_no_spaces_part_words(character: str) -> None:
    assert [len(piece) for piece in pieces(character * 301)] == [300, 51]


def test_korean_words_are_parted_by_spaces() -> None:
    assert len(pieces("한국어 " * 300)) == 1


def test_punctuation_counts_with_the_character_before_it() -> None:
    found = pieces("汉，" * 301)
    assert [len(piece) for piece in found] == [600, 102]
    assert found[1].startswith("汉")


@pytest.mark.parametrize("cluster", ["ที่", "กำ", "ｶﾞ", "か\u3099", "葛\U000e0100", "ខ្មែ", "က္က"])
def test_marks_stay_with_the_character_that_they_are_written_on(cluster: str) -> None:
    assert pieces(cluster * 301) == [cluster * 300, cluster * 51]


def test_latin_and_numbers_among_han_are_words_of_their_own() -> None:
    # 用, Redis, 缓, 存, 3, 天: six words, so that fifty times are 300, and word 250 is the fifth of them.
    assert pieces("用Redis缓存3天" * 50 + "好")[1].startswith("3天用Redis缓存")
    assert len(pieces("用Redis缓存3天" * 50)) == 1


@pytest.mark.parametrize(
    "cluster",
    ["e\u0301", "👩\u200d👩\u200d👧", "👍🏽", "🇩🇰", "한\u11a8", "\u1112\u1161\u11ab", "☂\ufe0f", "नि"],
    ids=["accent", "family", "skin", "flag", "hangul", "jamo", "variation", "devanagari"],
)
def test_a_word_longer_than_a_piece_is_cut_between_graphemes(cluster: str) -> None:
    text = "x" + cluster * (CHARACTERS // len(cluster) + 5) + "y"
    parts = pieces(text)
    assert len(parts) == 2
    assert "".join(parts) == text, "so long a word leaves nothing to repeat"
    assert parts[1].startswith(cluster)
    assert all(len(part) <= CHARACTERS for part in parts)


def test_a_grapheme_longer_than_a_piece_is_cut_at_its_limit() -> None:
    assert [len(piece) for piece in pieces("e" + "\u0301" * 7000)] == [6000, 1001]


TEXTS = st.text(
    st.sampled_from([*"ab汉字かナกี่ ,。\n", "\u0301", "\u200d", "🇩", "🇰", "👩", "\U00020bb7", "한"]), max_size=3000
)


@given(TEXTS)
def test_pieces_are_in_order_overlap_and_leave_no_word_out(text: str) -> None:
    found = chunks(text)
    covered: set[int] = set()
    for start, end in found:
        assert 0 <= start <= end <= len(text)
        assert end - start <= CHARACTERS
        covered.update(range(start, end))
    assert [start for start, _ in found] == sorted({start for start, _ in found})
    assert all(later < end for (_, end), (later, _) in pairwise(found))
    assert all(character.isspace() or at in covered for at, character in enumerate(text))


@given(TEXTS)
def test_no_piece_begins_with_a_mark_unless_its_text_does(text: str) -> None:
    for start, _ in chunks(text):
        if start and not text[start - 1].isspace():
            assert not unicodedata.category(text[start]).startswith("M")
