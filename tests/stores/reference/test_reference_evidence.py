"""What the embedded store takes as evidence that a question is answered."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from gate.records import Document
from gate.stores.reference import conversion, open_store
from gate.stores.reference.asking_words import asks, languages_asked_in
from gate.stores.reference.text import asked

# Enough that a word of few documents is rare.
_ENOUGH = [
    Document(f"x{number:03}", f"Parcel {number} went to shelf {number % 7}.", lang="en") for number in range(200)
]


def answerable(folder: Path, query: str, *documents: tuple[str, str]) -> bool:
    folder.mkdir(exist_ok=True)
    store = open_store(folder)
    store.add([*(Document(f"d{at}", text, lang=lang) for at, (lang, text) in enumerate(documents)), *_ENOUGH])
    found = store.search(query, 5, "keyword").evidence
    store.close()
    assert found is not None
    return found.answerable


@pytest.mark.parametrize(
    ("lang", "text", "query", "other"),
    [
        ("de", "Die Leiter lehnt an der Garage.", "Weiß jemand, wer die Leiter braucht?", "Wer braucht die Säge?"),
        ("fr", "L'échelle est au garage.", "Qui doit prendre l'échelle ?", "Qui doit prendre la scie ?"),
        ("es", "La escalera está en el garaje.", "¿Quién quiere esa escalera?", "¿Quién quiere esa sierra?"),
        ("it", "La scala è in garage.", "Chi vuole quella scala?", "Chi vuole quella sega?"),
        ("pt", "A escada fica na garagem.", "Alguem sabe daquela escada?", "Alguem sabe da serra?"),
        ("ru", "Лестница стоит в гараже.", "кто знает о лестнице?", "кто знает о пиле?"),
        ("tr", "Merdiven garajda duruyor.", "merdiveni kim aldı?", "testereyi kim aldı?"),
        ("fi", "Tikkaat ovat autotallissa.", "kuka tarvitsee tikkaita?", "kuka tarvitsee sahaa?"),
        ("nl", "De ladder staat in de schuur.", "Wie weet waar de ladder ligt?", "Wie weet waar de zaag ligt?"),
        ("en", "The ladder is in the garage.", "does anybody know the ladder?", "does anybody know the saw?"),
    ],
)
def test_words_a_question_is_asked_with_need_no_evidence(
    tmp_path: Path, lang: str, text: str, query: str, other: str
) -> None:
    assert answerable(tmp_path / "asked", query, (lang, text))
    assert not answerable(tmp_path / "other", other, (lang, text))


def test_asking_words_are_those_of_the_question_s_language() -> None:
    assert asks("braucht", ("de",))
    assert not asks("braucht", ("en",))
    assert asks("alguem", ("pt",)), "accents are often left out"
    assert asks("needed", ("en",)), "a listed word stands for its inflections"
    assert not asks("ladder", ("en",))


def test_all_languages_that_are_as_likely_count() -> None:
    assert languages_asked_in(["kuka", "toi", "lapiot"]) == ("fi",)
    assert "tr" in languages_asked_in(["kim", "anlar"])
    assert languages_asked_in(["ladder"]) == ("en",)


def test_a_question_of_nothing_but_asking_words_asks_for_them(tmp_path: Path) -> None:
    known = ("en", "We found it and gave it back.")
    assert answerable(tmp_path / "held", "who found it?", known)
    assert not answerable(tmp_path / "lacking", "who remembers?", known)


def test_a_word_that_occurs_nowhere_weighs_less_than_one_that_is_held(tmp_path: Path) -> None:
    assert answerable(tmp_path, "who varnished the ladder?", ("en", "Linseed oil was put on the ladder."))


@pytest.mark.parametrize("name", ["Quarvendal", "QV-4471", "qv4471"])
def test_a_name_that_occurs_nowhere_is_missed(tmp_path: Path, name: str) -> None:
    known = ("en", "The contract of the cleaners ends in May.")
    assert answerable(tmp_path / "without", "When does the contract end?", known)
    assert not answerable(tmp_path / "named", f"When does the contract with {name} end?", known)


def test_capitals_tell_names_only_where_their_place_does_not_explain_them() -> None:
    named = [one.word for one in asked("Ladders break. Carpenters of Faro use macOS") if one.named]
    assert "faro" in named
    assert "ladders" not in named
    assert "carpenters" not in named
    assert not any(one.named for one in asked("WHERE ARE THE LADDERS"))
    assert not any(one.named for one in asked("Wo ist die Leiter?"))


def test_the_parts_of_a_compound_hold_it(tmp_path: Path) -> None:
    apart = ("de", "Das Geländer am Balkon wackelt.")
    assert answerable(tmp_path / "both", "Wer hat das Balkongeländer gestrichen?", apart)
    only = [("de", "Der Balkon wird gefegt."), ("de", "Das Geländer der Treppe wackelt.")]
    assert not answerable(tmp_path / "one", "Wer hat das Balkongeländer gestrichen?", *only)


def test_two_words_that_were_written_as_one_are_held_by_both(tmp_path: Path) -> None:
    query = "gardenhose metres, colour and owner"
    assert answerable(tmp_path / "both", query, ("en", "The hose for the garden measures ten metres."))
    assert not answerable(tmp_path / "one", query, ("en", "The hose measures ten metres."), ("en", "No garden."))


def test_a_quantity_is_held_without_its_unit(tmp_path: Path) -> None:
    assert answerable(tmp_path / "alone", "who pays 18.5 percent?", ("en", "Interest: 18.5 this year."))
    assert not answerable(tmp_path / "other", "who pays 18.5 percent?", ("en", "Interest: 19.5 this year."))


@pytest.mark.parametrize(
    ("text", "query", "other"),
    [
        ("脚立は車庫の奥に立てかけてあります。", "脚立のことを教えてくれますか？", "鋸のことを教えてくれますか？"),
        ("𠮷田さんは車庫にいます。", "𠮷田さんの近況は何でしょうか？", "桑原さんの近況は何でしょうか？"),
        ("ＢＸ４１２は車庫にあります。", "ＢＸ４１２、使えるのはいつまで？", "ＢＹ９７３、使えるのはいつまで？"),
    ],
)
def test_japanese_is_judged_by_its_words_not_by_endings(tmp_path: Path, text: str, query: str, other: str) -> None:
    assert answerable(tmp_path / "asked", query, ("ja", text))
    assert not answerable(tmp_path / "other", other, ("ja", text))


def test_chinese_characters_that_ask_make_no_names(tmp_path: Path) -> None:
    pytest.importorskip("jieba")
    known = ("zh-Hans", "梯子放在车库最里面。")
    assert answerable(tmp_path / "asked", "梯子被谁借去用了？", known)
    assert not answerable(tmp_path / "other", "锯子被谁借去用了？", known)


def test_korean_endings_need_no_evidence(tmp_path: Path) -> None:
    known = ("ko", "사다리는 차고 안쪽에 있다.")
    assert answerable(tmp_path / "asked", "사다리는 어디까지 올라가나요?", known)
    assert not answerable(tmp_path / "other", "톱날은 어디까지 올라가나요?", known)


def test_evidence_does_not_depend_on_conversion(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conversion, "_converter", cache(lambda: None))
    asked.cache_clear()
    try:
        assert answerable(tmp_path, "梯子現在被誰借去了？", ("zh-Hant", "梯子放在車庫最裡面。"))
    finally:
        asked.cache_clear()
