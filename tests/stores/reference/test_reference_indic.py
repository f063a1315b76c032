"""Scripts of South Asia: words that are found by what their inflections share."""

from __future__ import annotations

from pathlib import Path

import pytest

from gate.records import Document, Evidence
from gate.stores.reference.indic import pairs
from gate.stores.reference.stems import stem_terms
from gate.stores.reference.store import ReferenceStore
from gate.stores.reference.text import asked, written


@pytest.mark.parametrize(
    ("word", "found"),
    [
        ("నగరం", ["^న", "నగ", "గరం"]),
        ("மரம்", ["^ம", "மர", "ரம்"]),
        ("क्या", ["^क्", "क्या"]),
        ("বই", ["^ব", "বই"]),
        ("பூ", ["^பூ"]),
        ("்", ["^்"]),
        ("stone", []),
        ("камень", []),
        ("สวน", []),
    ],
)
def test_vowel_signs_stay_with_their_letter_in_pairs_of_south_asian_words_alone(word: str, found: list[str]) -> None:
    assert pairs(word) == [f"~pair:{pair}" for pair in found]


def test_what_says_how_letters_are_drawn_makes_no_other_pairs() -> None:
    assert pairs("సర్వర్\u200cలో") == pairs("సర్వర్లో")


def test_pairs_stand_for_the_stem_where_none_is_known_and_halve_one_that_is_guessed() -> None:
    (telugu,) = asked("నగరం")
    assert telugu.terms == (("నగరం", 0.3),)
    assert dict(telugu.lent) == pytest.approx({"~pair:^న": 0.6, "~pair:నగ": 0.6, "~pair:గరం": 0.6})
    (tamil,) = asked("மரங்கள்")
    assert tamil.terms == ((stem_terms("மரங்கள்", ())[0], 0.5), ("மரங்கள்", 0.3))
    (english,) = asked("stones")
    assert english.lent == ()
    (number,) = asked("௨௦௨௬")
    assert number.lent == ()


def test_what_is_asked_is_what_is_written() -> None:
    for word in ("నగరం", "மரங்கள்", "पुस्तक", "వీధి3"):
        (one,) = asked(word)
        assert {term for term, _ in one.terms + one.lent} <= set(written(word)[0])


@pytest.mark.parametrize(
    ("question", "answer", "other"),
    [
        ("పుస్తకాలు ఎక్కడ?", "ఆ పుస్తకం బల్ల మీద ఉంది.", "ఆ కుర్చీ బల్ల పక్కన ఉంది."),
        ("নদীগুলো কোথায়?", "নদীর জল এখন ঘোলা।", "পথের ধুলো এখন ভেজা।"),
        ("પુસ્તકો ક્યાં છે?", "પુસ્તક ટેબલ પર પડ્યું.", "ખુરશી ટેબલ પાસે પડી."),
        ("ಪುಸ್ತಕಗಳು ಎಲ್ಲಿವೆ?", "ಆ ಪುಸ್ತಕ ಮೇಜಿನ ಮೇಲಿದೆ.", "ಆ ಕುರ್ಚಿ ಮೇಜಿನ ಪಕ್ಕದಲ್ಲಿದೆ."),
        ("പുസ്തകങ്ങൾ എവിടെ?", "ആ പുസ്തകം മേശപ്പുറത്തുണ്ട്.", "ആ കസേര മേശയ്ക്കരികിലുണ്ട്."),
        ("पुस्तकांमध्ये काय लिहिले?", "जुन्या पुस्तकाची पाने पिवळी झाली.", "जुन्या घराची भिंत पिवळी झाली."),
        ("மரங்கள் எங்கே?", "அந்த மரம் தெரு முனையில் உள்ளது.", "அந்த வீடு தெரு முனையில் உள்ளது."),
        ("ஓடினான்", "அவன் தெருவில் ஓடுகிறான்.", "அவன் தெருவில் நிற்கிறான்."),
    ],
)
def test_other_inflections_are_found(tmp_path: Path, question: str, answer: str, other: str) -> None:
    store = ReferenceStore(tmp_path)
    store.add([Document("a", other), Document("b", answer)])
    assert store.search(question, 2, "keyword").hits[0].doc_id == "b"
    store.close()


def test_the_word_itself_is_found_before_another_that_begins_like_it(tmp_path: Path) -> None:
    store = ReferenceStore(tmp_path)
    store.add([Document("a", "నగరాల మీద పొగ ఉంది."), Document("b", "నగరం మీద పొగ ఉంది.")])
    assert [hit.doc_id for hit in store.search("నగరం", 2, "keyword").hits] == ["b", "a"]
    store.close()


def test_what_only_shares_letters_is_no_evidence(tmp_path: Path) -> None:
    store = ReferenceStore(tmp_path)
    store.add([Document("a", "నగరాల మీద పొగ ఉంది.")])
    found = store.search("నగరం", 1, "keyword")
    assert [hit.doc_id for hit in found.hits] == ["a"]
    assert found.evidence == Evidence(answerable=False, coverage=0.0)
    assert store.search("నగరాల పొగ", 1, "keyword").evidence == Evidence(answerable=True, coverage=1.0)
    store.close()
