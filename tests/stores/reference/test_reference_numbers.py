"""Numbers in normal form: read by hand from what each text says."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from gate.stores.reference.normal import normalised
from gate.stores.reference.numbers import numbers
from gate.stores.reference.text import asked, written


def forms(text: str) -> list[str]:
    return [form for number in numbers(normalised(text)) for form in number.forms]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1,200 rows", ["1200"]),
        ("over 12,345,678.50 in all", ["12345678.50"]),
        ("on 5 March 2026", ["2026-03-05", "--03-05"]),
        ("on March 5, 2026", ["2026-03-05", "--03-05"]),
        ("the 5th of March 2026", ["2026-03-05", "--03-05"]),
        ("5 Mar. 2026", ["2026-03-05", "--03-05"]),
        ("due 2026-03-05", ["--03-05"]),
        ("due 2026/3/5", ["2026-03-05", "--03-05"]),
        ("every 24 December", ["--12-24"]),
        ("at 2:30 pm", ["14:30"]),
        ("at 2:30pm", ["14:30"]),
        ("at 2 p.m. sharp", ["14:00"]),
        ("12:05 am", ["00:05"]),
        ("12 pm", ["12:00"]),
        ("at 9:05", ["09:05"]),
        ("10km", ["10"]),
        ("10 km", ["10km", "10"]),
        ("10 kilometres", ["10km", "10"]),
        ("a 10-kilometre walk", ["10km", "10"]),
        ("3.50 percent", ["3.5%", "3.50"]),
        ("3.5 per cent", ["3.5%", "3.5"]),
        ("€4,050", ["4050eur", "4050"]),
        ("EUR 4,050", ["4050eur", "4050"]),
        ("4050 euros", ["4050eur", "4050"]),
        ("15k", ["15000"]),
        ("2.5 million", ["2500000"]),
        ("$2.5M", ["2500000usd", "2500000"]),
        ("twenty-four crates", ["24"]),
        ("Twenty four crates", ["24"]),
        ("sixteen", ["16"]),
        ("twelve thousand", ["12000"]),
        ("thirty minutes", ["30min", "30"]),
    ],
)
def test_a_number_has_these_normal_forms(text: str, expected: list[str]) -> None:
    assert forms(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "1200",
        "14:30",
        "one of them",
        "often",
        "weighty",
        "v2.14.0",
        "192.168.1.20",
        "E-17",
        "05/03/2026",
        "1.200",
        "3.10",
        "page 12.",
        "2026-13-05",
        "13:75 pm",
        "src/mail.py:120",
        "10-20",
        "12,34",
        "#1042",
    ],
)
def test_what_is_in_normal_form_or_no_plain_number_is_left_alone(text: str) -> None:
    assert forms(text) == []


@pytest.mark.parametrize(
    ("query", "document", "value"),
    [
        ("who has 1,200 rows?", "the import has 1200 rows", "1200"),
        ("who has 1200 rows?", "the import has 1,200 rows", "1200"),
        ("decided on 5 March 2026", "2026-03-05: decided", "2026-03-05"),
        ("meeting at 14:30", "the meeting is at 2:30pm", "14:30"),
        ("takes 446 milliseconds", "it takes 446ms", "446ms"),
        ("sold for €3,306", "sold for 3306 euros", "3306eur"),
        ("ninety-six singers", "a choir of 96 singers", "96"),
    ],
)
def test_question_and_document_meet_in_the_value(query: str, document: str, value: str) -> None:
    weights = {term: weight for one in asked(query) for term, weight in one.terms}
    assert weights[value] >= 0.5
    assert written(document)[0].count(value) == 1


def test_a_value_weighs_as_much_as_a_word_with_its_stem() -> None:
    weights = {term: weight for one in asked("the grant of 1,200 dollars") for term, weight in one.terms}
    assert weights["1200usd"] == weights["grant"] + weights["~english:grant"]


def test_the_words_of_a_number_do_not_count_as_content_beside_its_value() -> None:
    content = [one for one in asked("decided on 5 March 2026") if one.content]
    assert [one.terms[0][0] for one in content] == ["2026-03-05", "~english:decid"]


@settings(max_examples=300, deadline=None)
@given(st.text(max_size=40) | st.text(alphabet="0123456789 .,:-/€%kMpmaısx一三🙂'", max_size=20))
@example("´")
def test_no_text_breaks_the_analysis(text: str) -> None:
    written(text, ("de", "tr"))
    asked(text, ("de", "tr"))


@pytest.mark.parametrize("text", ["5 mın", "sıx", "9" * 5000 + " million", "1" * 20000 + "x", "5 " * 3000])
def test_strange_numbers_are_read_or_left_but_break_nothing(text: str) -> None:
    numbers(normalised(text))
