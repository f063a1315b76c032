"""Snowball stemmers for rules on word forms."""

from __future__ import annotations

import pytest

from gate.corpus.stemmer import stemmer
from gate.errors import UsageError


@pytest.mark.parametrize(
    ("algorithm", "words", "stem"),
    [
        # From the vocabularies that snowballstem.org publishes with each algorithm.
        ("english", ["consist", "consisted", "consistency", "consisting", "consists"], "consist"),
        ("german", ["aufeinander"], "aufeinand"),
        ("french", ["continu", "continua", "continuait", "continuant"], "continu"),
        ("spanish", ["chicha", "chicho"], "chich"),
    ],
)
def test_forms_of_a_word_have_the_published_stem(algorithm: str, words: list[str], stem: str) -> None:
    assert {stemmer(algorithm, "here")(word) for word in words} == {stem}


def test_the_case_of_letters_changes_nothing() -> None:
    stem = stemmer("german", "here")
    assert stem("Äpfel") == stem("äpfel") == stem("Apfel")


def test_an_unknown_algorithm_is_refused_with_those_that_exist() -> None:
    with pytest.raises(UsageError, match="klingon") as caught:
        stemmer("klingon", "words.yml: stemmer")
    assert caught.value.where == "words.yml: stemmer"
    assert "portuguese" in caught.value.hint
