import pytest
from shelf import Shelf, planted, stored, with_and_without


@pytest.mark.parametrize(
    ("name", "written", "asked"),
    [
        ("unstemmed", "two chandeliers", "chandelier"),
        ("unstemmed", "she sharpened it", "sharpening"),
        ("stemmed-one-side", "two chandeliers", "chandelier"),
        ("stemmed-one-side", "the same chandelier", "chandelier"),
    ],
)
def test_inflected_forms_do_not_meet(name: str, written: str, asked: str) -> None:
    broken, sound = with_and_without(name)
    assert sound(asked, written) == ["d0"]
    assert broken(asked, written) == []


@pytest.mark.parametrize(
    ("name", "written", "asked"),
    [
        ("unstemmed", "two chandeliers", "chandeliers"),
        ("unstemmed", "奶茶的疫苗", "奶茶"),
        ("stemmed-one-side", "a garden wall", "garden"),
        ("stemmed-one-side", "route 1287", "1287"),
        ("over-stemmed", "two chandeliers", "chandelier"),
    ],
)
def test_other_words_still_meet(name: str, written: str, asked: str) -> None:
    broken, sound = with_and_without(name)
    assert sound(asked, written) == broken(asked, written) == ["d0"]


def test_words_that_begin_alike_are_one() -> None:
    broken, sound = with_and_without("over-stemmed")
    assert sound("contract", "the contest") == []
    assert broken("contract", "the contest") == ["d0"]


def test_short_words_numbers_and_scripts_without_spaces_stay_as_they_are() -> None:
    inner = Shelf()
    for name in ("unstemmed", "stemmed-one-side", "over-stemmed"):
        text = "the 12345 of 自動歸檔流程 and ทำไมต้องเลื่อน"
        stored(planted(name, inner=inner), text)
        assert inner.documents["d0"].text == text
