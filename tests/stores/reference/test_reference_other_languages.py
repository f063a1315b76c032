"""Texts whose language nobody declares, as in public collections: what plain BM25 with the right tokens finds."""

from __future__ import annotations

from pathlib import Path

import pytest

from gate.records import Document
from gate.stores.reference.stems import stem_terms
from gate.stores.reference.store import ReferenceStore
from gate.stores.reference.text import asked, language


@pytest.mark.parametrize(
    ("lang", "text"),
    [
        ("pl", "Czy rzeka, która płynie przez miasto, jest dłuższa niż ta na północy?"),
        ("cs", "Která řeka, jež protéká městem, je delší než ta na severu?"),
        ("hu", "Melyik folyó hosszabb, mint az, amely a városban van?"),
        ("da", "Hvilken flod er længere end den, der løber ud i havet ved byen?"),
        ("nb", "Hvilken elv er lengre enn den som renner ut i havet ved byen, og hvor ble den målt?"),
        ("ro", "Care este râul mai lung decât cel din nord și unde se varsă?"),
        ("fa", "کدام رود از رود شمال بلندتر است و به کجا می‌ریزد؟"),
        ("ca", "Quin riu és més llarg que aquest del nord i on neix?"),
        ("id", "Sungai mana yang lebih panjang dari sungai di utara itu dan ke mana airnya?"),
        ("lt", "Kuri upė yra ilgesnė nei ta, kuri teka per miestą?"),
        ("et", "Milline jõgi on pikem kui see, mis voolab läbi linna?"),
        ("eu", "Zein ibai da iparraldekoa baino luzeagoa eta non dago?"),
        ("ga", "Cén abhainn atá níos faide ná an ceann sa tuaisceart agus cá bhfuil sí?"),
        ("", "Which river is longer than the one in the north?"),
    ],
)
def test_a_text_tells_its_language_by_its_function_words(lang: str, text: str) -> None:
    assert language(text) == lang


@pytest.mark.parametrize(
    ("question", "answer", "other"),
    [
        (
            "Gdzie leżą kopalnie soli?",
            "Na południu kraju jest kopalnia soli, która działa od średniowiecza.",
            "Na północy kraju jest kopalnia węgla, która działa od stu lat.",
        ),
        (
            "Kde jsou lázně s horkými prameny?",
            "Do lázní na západě země jezdí lidé už po staletí, protože je tam horký pramen.",
            "Do muzea na západě země jezdí lidé už po staletí, protože je tam starý hrad.",
        ),
        (
            "Melyik városban vannak a gyógyfürdők?",
            "A fővárosban több gyógyfürdő is van, és az egyik négyszáz éves.",
            "A fővárosban több könyvtár is van, és az egyik kétszáz éves.",
        ),
        (
            "Com es connecten els auriculars?",
            "Per a connectar l'auricular, obriu el quadre que hi ha a la dreta.",
            "Per a apagar la pantalla, obriu el quadre que hi ha a la dreta.",
        ),
        (
            "Bagaimana menyambungkan kabel?",
            "Kabel itu disambungkan ke bagian yang ada di belakang layar dan lampu menyala.",
            "Gambar itu digeserkan ke bagian yang ada di belakang layar dan lampu menyala.",
        ),
    ],
)
def test_word_forms_of_an_undeclared_language_are_found(tmp_path: Path, question: str, answer: str, other: str) -> None:
    store = ReferenceStore(tmp_path)
    store.add([Document("a", other), Document("b", answer)])
    assert store.search(question, 2, "keyword").hits[0].doc_id == "b"
    store.close()


def test_vietnamese_that_is_asked_with_tones_is_found_with_these_tones_first(tmp_path: Path) -> None:
    store = ReferenceStore(tmp_path)
    store.add([Document("a", "Cái mà này rất to."), Document("b", "Cái mã này rất to."), Document("c", "Cái ma kia.")])
    assert store.search("Cái mã này là cái nào?", 3, "keyword").hits[0].doc_id == "b"
    assert {hit.doc_id for hit in store.search("mã", 3, "keyword").hits} == {"a", "b", "c"}
    store.close()


def test_words_that_a_text_quotes_do_not_tell_its_language() -> None:
    latin = (
        "Flumen longissimum regionis ortum montibus septentrionalibus multas urbes veteres praeterfluit antequam mari "
        "miscetur multaque oppida mercatoribus nautisque celebria ripas utrasque ornant"
    )
    assert 20 < len(frozenset(latin.split())) + 5 < 40, "one in twenty is two words"
    assert language(f"{latin} (au bord de la Seine)") == "fr"
    assert language(f"{latin} prope Rue de Rivoli") == ""
    assert language("长江是中国最长的河流 (le fleuve)") == ""


@pytest.mark.parametrize(
    ("lang", "text"),
    [
        ("", "Αρχεία καταγραφής υπάρχουν στον φάκελο /var/log κάθε μέρα"),
        ("", "నమోదులు /var/log లో ఉంటాయి"),
        ("tr", "Bahçede elma var"),
        ("ru", "Где лежит gate/stores/null.py?"),
    ],
)
def test_latin_words_do_not_tell_the_language_of_a_text_in_another_script(lang: str, text: str) -> None:
    assert language(text) == lang


@pytest.mark.parametrize(
    ("lang", "question"),
    [
        ("vi", "máy in nào"),
        ("vi", "Máy in của bạn ở đâu?"),
        ("", "Where is the bill of the workshop?"),
        ("de", "Wo ist die Rechnung von der Werkstatt?"),
    ],
)
def test_a_question_is_in_the_language_of_most_documents_unless_it_tells_of_another(lang: str, question: str) -> None:
    assert language(question, "vi") == lang


def test_an_english_function_word_is_a_word_of_content_in_another_language(tmp_path: Path) -> None:
    store = ReferenceStore(tmp_path)
    store.add([Document("a", "Bạn có thể mở trang này."), Document("b", "Bạn có thể in trang này.")])
    assert [hit.doc_id for hit in store.search("in trang nào", 2, "keyword").hits] == ["b", "a"]
    store.add([Document(f"{n}", "This is the page that you can open.") for n in range(3)])
    assert [hit.doc_id for hit in store.search("in trang nào", 2, "keyword").hits] == ["a", "b"], (
        "now English is at home"
    )
    for n in range(3):
        store.delete(f"{n}")
    assert [hit.doc_id for hit in store.search("in trang nào", 2, "keyword").hits] == ["b", "a"]
    store.close()


@pytest.mark.parametrize(
    ("question", "whole"),
    [("Où est l'école du village ?", False), ("Dove è l'acqua che era nel pozzo?", False), ("Where is l'école?", True)],
)
def test_an_elided_article_and_its_word_are_asked_for_as_the_word_alone(question: str, whole: bool) -> None:
    terms = {term for one in asked(question) for term, _ in one.terms}
    assert bool(terms & {"l'école", "l'acqua"}) is whole
    assert terms & {"école", "acqua"}


@pytest.mark.parametrize(("home", "weight"), [("vi", 0.6), ("", 0.3), ("de", 0.3)])
def test_a_function_word_is_worth_more_where_its_language_is_at_home(home: str, weight: float) -> None:
    asked_for = {term: share for one in asked("Không có nguồn", (), home) for term, share in one.terms}
    assert (asked_for["không"], asked_for["có"]) == (weight, weight)


@pytest.mark.parametrize(("home", "weight"), [("de", 0.4), ("", 0.8), ("vi", 0.8)])
def test_a_part_of_a_compound_is_worth_less_where_compounds_are_at_home(home: str, weight: float) -> None:
    (one,) = asked("Urlaub", ("de",), home)
    assert [share for term, share in one.terms if term == "~german-part:urlaub"] == [weight]


def test_function_words_of_english_are_left_out_and_those_of_other_languages_asked_lightly() -> None:
    weights = {one.terms[-1][0]: sum(weight for _, weight in one.terms) for one in asked("Không có nguồn")}
    assert {term: weight for term, weight in weights.items() if " " not in term} == {
        "không": 0.3,
        "có": 0.3,
        "nguon": pytest.approx(1.3),
    }
    assert all(term != "the" for one in asked("the water of the river") for term, _ in one.terms)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("发电厂在哪里", "长江上游有三座电站。"),
        ("製鉄所はどこですか", "鉄をつくる工場は海のそばにある。"),
        ("도서관에서", "책은 관내에서 읽는다."),
    ],
)
def test_a_character_alone_finds_where_pairs_do_not(tmp_path: Path, question: str, answer: str) -> None:
    store = ReferenceStore(tmp_path)
    store.add([Document("a", "abc"), Document("b", answer)])
    assert [hit.doc_id for hit in store.search(question, 2, "keyword").hits] == ["b"]
    store.close()


def test_a_pair_that_is_all_of_a_question_is_not_found_by_one_of_its_characters(tmp_path: Path) -> None:
    store = ReferenceStore(tmp_path)
    store.add([Document("a", "東京の桜")])
    assert store.search("京都", 5, "keyword").hits == ()
    store.close()


def test_a_stem_that_is_too_short_to_tell_words_apart_is_the_word() -> None:
    assert stem_terms("का", ()) == ("~hindi:का",)
    assert stem_terms("उपकरणों", ()) == stem_terms("उपकरण", ())
    assert stem_terms("உங்கள்", ()) == ("~tamil:உங்கள்",)
    assert stem_terms("மொழியை", ()) == stem_terms("மொழி", ())
