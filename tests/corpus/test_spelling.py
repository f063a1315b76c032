"""Spellings of one text; expected forms are those of the Unicode charts."""

from __future__ import annotations

import unicodedata

import pytest

from gate.corpus.spelling import SPELLINGS, fullwidth, halfwidth, unaccented


@pytest.mark.parametrize(
    ("full", "half"),
    [
        ("サーバー", "\uff7b\uff70\uff8a\uff9e\uff70"),
        ("パスワード", "\uff8a\uff9f\uff7d\uff9c\uff70\uff84\uff9e"),
        ("ヴ", "\uff73\uff9e"),
        ("ッャュョァィゥェォ", "\uff6f\uff6c\uff6d\uff6e\uff67\uff68\uff69\uff6a\uff6b"),
        ("データ・センター", "\uff83\uff9e\uff70\uff80\uff65\uff7e\uff9d\uff80\uff70"),
    ],
)
def test_katakana_becomes_half_width_with_its_sound_marks(full: str, half: str) -> None:
    assert halfwidth(full) == half
    assert unicodedata.normalize("NFKC", half) == full


def test_what_is_not_katakana_or_has_no_half_width_stays() -> None:
    assert halfwidth("漢字とひらがなが、「Abc」。") == "漢字とひらがなが、「Abc」。"
    assert halfwidth("ヰヱヵヶヮ") == "ヰヱヵヶヮ"


def test_ascii_becomes_full_width() -> None:
    assert fullwidth("Az 09!~") == "\uff21\uff5a\u3000\uff10\uff19\uff01\uff5e"
    assert fullwidth("漢字é\n") == "漢字é\n"


def test_marks_are_dropped_and_letters_of_their_own_stay() -> None:
    assert unaccented("résumé, naïve, Việt Nam") == "resume, naive, Viet Nam"
    assert unaccented("re\u0301sume\u0301") == "resume"
    assert unaccented("smørrebrød, đường, Łódź") == "smørrebrød, đuong, Łodz"
    assert unaccented("한국어") == "한국어"


def test_normal_forms_compose_and_decompose() -> None:
    assert SPELLINGS["nfd"]("각é") == "\u1100\u1161\u11a8e\u0301"
    assert SPELLINGS["nfc"]("\u1100\u1161\u11a8e\u0301") == "각é"


@pytest.mark.parametrize("name", sorted(SPELLINGS))
def test_spelling_a_spelt_text_again_changes_nothing(name: str) -> None:
    once = SPELLINGS[name]("Việt résumé サーバー・ガ 한국어 漢字 A1")
    assert SPELLINGS[name](once) == once
