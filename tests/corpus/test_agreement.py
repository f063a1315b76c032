"""Articles that follow the class of their noun."""

from __future__ import annotations

from typing import Any

import pytest

from gate.corpus.agreement import Agreement
from gate.corpus.entry import Entry
from gate.errors import UsageError

CLASSES = {"masc": {"le": "le ", "du": "du "}, "vowel": {"le": "l'", "du": "de l'"}}


def entry(data: Any) -> Entry:
    return Entry(data, "words.yml: words.3")


def test_a_noun_gets_the_articles_of_its_class() -> None:
    agreement = Agreement.of(entry({"agreement": CLASSES}))
    assert agreement.around(entry({"agrees": "masc"})) == {"le": "le ", "du": "du "}
    assert agreement.around(entry({"agrees": "vowel"})) == {"le": "l'", "du": "de l'"}


def test_a_noun_without_a_class_gets_none() -> None:
    assert Agreement.of(entry({"agreement": CLASSES})).around(entry({})) == {}
    assert Agreement.of(entry({})).around(entry({})) == {}


@pytest.mark.parametrize("language", [{"agreement": CLASSES}, {}])
def test_an_unknown_class_is_refused_at_its_noun(language: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match="no class 'fem'") as caught:
        Agreement.of(entry(language)).around(entry({"agrees": "fem"}))
    assert caught.value.where == "words.yml: words.3"


def test_a_class_that_lacks_an_article_is_refused() -> None:
    with pytest.raises(UsageError, match="le, du") as caught:
        Agreement.of(entry({"agreement": {**CLASSES, "fem": {"le": "la "}}}))
    assert caught.value.where.endswith("agreement.fem")
