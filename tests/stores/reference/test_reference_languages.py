"""What depends on the language or script of a text: function words, stems, conversion, particles."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from reference_cases import ids

from gate.records import Document
from gate.stores.reference import conversion, open_store
from gate.stores.reference.function_words import BY_LANGUAGE, language_of
from gate.stores.reference.text import asked, language, written

LANGUAGES = ("de", "es", "fi", "fr", "it", "pt", "tr")


def content(query: str, *languages: str) -> list[str]:
    return [one.word for one in asked(query, languages) if one.content]


@pytest.mark.parametrize(
    ("lang", "text"),
    [
        ("de", "Wo ist die Rechnung von der Werkstatt?"),
        ("es", "¿Dónde está la factura del taller?"),
        ("fr", "Où est la facture de l'atelier ?"),
        ("it", "Dov'è la fattura della bottega?"),
        ("pt", "Onde está a fatura da oficina?"),
        ("ru", "Где счёт из мастерской?"),
        ("tr", "Bu fatura nerede ve kimin?"),
        ("fi", "Missä se lasku on?"),
        ("nl", "Waar is de rekening van het atelier?"),
        ("sv", "Var är räkningen från verkstaden?"),
        ("vi", "Hóa đơn của xưởng ở đâu?"),
        ("", "Where is the bill of the workshop?"),
        ("", "world war"),
        ("", "Port Lincoln"),
        ("", ""),
    ],
)
def test_function_words_tell_the_language_of_a_text(lang: str, text: str) -> None:
    assert language(text) == lang


def test_words_that_english_has_too_tell_nothing_alone() -> None:
    assert language_of(["die", "war"]) == ""
    assert language_of(["die", "war", "wir"]) == "de"


@pytest.mark.parametrize(
    ("query", "left"),
    [
        ("Was war mit unserem Kessel los?", ["kessel", "los"]),
        ("Кто и на чём едет в город?", ["чём", "едет", "город"]),
        ("¿Quién tiene la llave?", ["llave"]),
        ("Où se trouve l'échelle ?", ["trouve", "échelle"]),
        ("the war of the roses", ["war", "roses"]),
    ],
)
def test_function_words_of_the_question_s_own_language_are_left_out(query: str, left: list[str]) -> None:
    assert content(query) == left


def test_a_question_of_nothing_but_function_words_asks_for_them() -> None:
    assert [term for one in asked("wo sind wir") for term, _ in one.terms] == ["wo", "sind", "wir"]


def test_languages_of_other_documents_take_nothing_from_a_word_s_stem() -> None:
    alone = sum(weight for one in asked("invoices") for _, weight in one.terms)
    among = sum(weight for one in asked("invoices", ("es", "fr", "it", "tr")) for _, weight in one.terms)
    assert alone == among == pytest.approx(1.3)


def test_english_is_ranked_the_same_whatever_other_languages_are_stored(tmp_path: Path) -> None:
    english = [
        Document("a", "Ana archived the last invoices", lang="en"),
        Document("b", "the invoice of the archive", lang="en"),
        Document("c", "a parcel for Ana", lang="en"),
    ]
    others = [
        Document(f"x{lang}{number}", text, lang=lang)
        for lang, text in {
            "de": "Wir haben Kisten",
            "es": "Tenemos cajas",
            "it": "Abbiamo scatole",
            "pt": "Temos caixas",
        }.items()
        for number in range(3)
    ]
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    alone, among = open_store(tmp_path / "one"), open_store(tmp_path / "two")
    alone.add(english)
    among.add([*english, *others])
    for query in ("archived invoice", "Ana", "parcels"):
        assert ids(alone, query) == ids(among, query)


def test_a_document_without_a_declared_language_has_the_stems_of_the_one_it_is_in(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    store.add([Document("d", "Die Häuser an der Straße wurden von uns verkauft."), Document("e", "Wir sind hier.")])
    assert ids(store, "Haus") == ["d"]


def test_function_words_of_the_document_s_language_have_no_stems() -> None:
    assert "~spanish:los" not in written("los libros", ("es",))[0]
    assert "los" in written("los libros", ("es",))[0]


def test_lists_are_of_folded_words_that_stand_once() -> None:
    for lang, words in BY_LANGUAGE.items():
        assert words, lang
        assert all(word == word.lower() for word in words)


@pytest.mark.parametrize("digits", [7, 8, 12, 13, 30, 40])
def test_a_prefix_finds_a_long_hash(tmp_path: Path, digits: int) -> None:
    full = "6c2d4ae3282f43db38d1f2cfa3f315b03a2cf8fa"
    other = "6c2d4af0282f43db38d1f2cfa3f315b03a2cf8fa"
    store = open_store(tmp_path)
    store.add([Document("a", f"bisected to {other}"), Document("b", f"bisected to {full}.")])
    assert ids(store, f"bisected {full[:digits]}")[0] == "b"
    assert ids(store, full[:digits].upper())[0] == "b"


def test_fewer_than_seven_digits_and_plain_words_are_no_prefix() -> None:
    full = written("6c2d4ae3282f43db38d1f2cfa3f315b03a2cf8fa")[0]
    assert not {term for one in asked("6c2d4a") for term, _ in one.terms} & set(full)
    assert not any(term.startswith("~hexadecimal") for term in written("defaced facade 12345678")[0])


def test_a_rare_character_beyond_the_first_plane_finds_its_documents(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    store.add([Document("a", "科学课上𬬭的展板归第三组做"), Document("b", "科学课上的展板归第四组做")])
    assert ids(store, "𬬭怎么样了？")[0] == "a"


def weights_of(query: str) -> dict[str, float]:
    return {str(term): weight for one in asked(query) for term, weight in one.terms}


def test_hiragana_weigh_less_than_kanji_and_katakana() -> None:
    weights = weights_of("カフェは京都にあった")
    assert weights["京都"] > weights["カフ"] > weights["った"] > 0


def test_a_pair_of_two_scripts_weighs_as_what_straddles_a_boundary() -> None:
    weights = weights_of("部屋のカギを使う")
    assert weights["部屋"] == weights["カギ"] == 1.0
    assert weights["屋の"] == weights["のカ"] == weights["を使"] == 0.3


def test_a_kanji_alone_among_kana_is_a_word() -> None:
    weights = weights_of("この角を丸くする")
    assert weights["角"] == weights["丸"] == 1.0
    assert weights_of("三角")["三角"] == 1.0
    assert "角" not in weights_of("三角")


def test_pairs_of_a_long_word_weigh_less_each_and_more_together() -> None:
    # One of n characters has n - 1 pairs: one weighs 1, each more 0.4, and all the same.
    long, short = weights_of("テキストを消す"), weights_of("カギを消す")
    assert long["テキ"] == long["キス"] == long["スト"] == pytest.approx(1.8 / 3)
    assert short["カギ"] == 1.0
    korean = weights_of("도서관")
    assert korean["도서"] == korean["서관"] == pytest.approx(1.4 / 2)


def test_a_longer_chinese_word_is_asked_for_by_the_words_in_it() -> None:
    weights = weights_of("应用程序用巧克力")
    assert weights["应用"] == weights["程序"] == weights["巧克力"] == 1.0
    assert "应用程序" not in weights


def test_korean_question_words_and_particles_weigh_less_than_nouns() -> None:
    weights = {term: weight for one in asked("대여료는 얼마예요") for term, weight in one.terms}
    assert weights["대여"] > weights["료는"] > 0
    assert "얼마" not in weights
    assert asked("얼마예요")


@pytest.fixture
def no_opencc(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setitem(sys.modules, "opencc", None)
    conversion._converter.cache_clear()
    asked.cache_clear()
    yield
    monkeypatch.undo()
    conversion._converter.cache_clear()
    asked.cache_clear()


@pytest.mark.usefixtures("no_opencc")
def test_without_opencc_each_script_is_found_in_itself_and_the_environment_says_so(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    store.add([Document("t", "燙頭髮去巷口的髮廊"), Document("s", "去巷口烫头发")])
    assert ids(store, "頭髮")[0] == "t"
    assert ids(store, "头发")[0] == "s"
    assert "t" not in ids(store, "头发")
    assert store.environment()["conversion"] == "none"


@pytest.mark.parametrize(
    ("query", "text"),
    [("头发", "燙頭髮去巷口"), ("頭髮", "去巷口烫头发"), ("后天面馆", "後天麵館講課"), ("乾淨", "洗干净了")],
)
def test_with_opencc_either_script_finds_the_other(tmp_path: Path, query: str, text: str) -> None:
    pytest.importorskip("opencc")
    store = open_store(tmp_path)
    store.add([Document("d", text), Document("e", "數據庫備份"), Document("f", "数据库恢复")])
    assert ids(store, query) == ["d"]
    assert store.environment()["conversion"].startswith("opencc ")
