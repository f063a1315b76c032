"""What documents are indexed under and what questions ask for."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

import pytest

from gate.stores.reference import han
from gate.stores.reference.stems import extra_language
from gate.stores.reference.text import asked, written


def terms(text: str, *languages: str) -> set[str]:
    return set(written(text, languages)[0])


def asks(text: str, *languages: str) -> dict[str, float]:
    """Each term with its weight; terms that are asked as one each have the weight of all."""
    return {
        term: weight
        for one in asked(text, languages)
        for terms, weight in one.terms
        for term in ((terms,) if isinstance(terms, str) else terms)
    }


def found_by(query: str, document: str) -> bool:
    return bool(asks(query).keys() & terms(document))


def test_a_word_is_indexed_as_itself_without_accents_and_as_stems() -> None:
    assert terms("Cafés") == {"cafés", "cafes", "~english:café", "~english:cafe"}


def test_a_question_asks_for_stem_and_exact_word_and_the_stem_weighs_more() -> None:
    weights = asks("invoices")
    assert weights["~english:invoic"] > weights["invoices"] > 0


@pytest.mark.parametrize(
    ("query", "document"),
    [
        ("invoice", "INVOICES"),
        ("cafe", "café"),
        ("café", "cafe"),
        ("café", "cafe\u0301"),
        ("ＡＢＣ", "abc"),
        ("straße", "STRASSE"),
        ("istanbul", "İSTANBUL"),
        ("книга", "книги"),
        ("елка", "ёлка"),
        ("email", "e-mail"),
        ("e-mail", "email"),
        ("dont", "don't"),
        ("don’t", "don't"),
        ("Anna", "Anna's"),
        ("école", "l'école"),
        ("retry count", "retryCount"),
        ("retryCount", "retry_count"),
        ("retry_count", "RETRY_COUNT"),
        ("http", "HTTPServer"),
        ("null.py", "gate/stores/null.py"),
        ("gate/stores/null.py", "see gate/stores/null.py for it"),
        ("v2.14.0", "upgraded to v2.14.0."),
        ("ana@example.org", "write to ana@example.org, please"),
        ("python", "python3"),
        ("京都", "京都ラーメン"),
        ("大学", "大学のカフェテリア"),
        ("大学", "大学宿舍"),
        ("自動歸檔", "把夜班巡檢記錄改成自動歸檔流程"),
        ("記錄", "把夜班巡檢記錄改成自動歸檔流程"),
        ("檔", "把夜班巡檢記錄改成自動歸檔流程"),
        ("ｶﾌｪ", "カフェテリア"),
        ("서울", "서울에서 만나요"),
        ("กาแฟ", "ร้านกาแฟใหม่"),
        ("किताब", "यह किताब अच्छी है"),
        ("🎉", "launch day 🎉🎉"),
        ("the", "over the hills"),
        ("的", "我的猫"),
    ],
)
def test_finds_across_inflection_case_width_accents_and_unbroken_runs(query: str, document: str) -> None:
    assert found_by(query, document)


@pytest.mark.parametrize(
    ("query", "document"),
    [("cat", "category"), ("京都", "東京"), ("v2.14.0", "v3.1"), ("invoice", "voice"), ("서울", "부산")],
)
def test_does_not_find_what_only_looks_alike(query: str, document: str) -> None:
    assert not found_by(query, document)


def test_an_identifier_weighs_more_whole_than_its_parts_elsewhere() -> None:
    weights = asks("gate/stores/null.py")
    same = sum(weights[term] for term in weights.keys() & terms("gate/stores/null.py"))
    parts = sum(weights[term] for term in weights.keys() & terms("the gate stores a null py"))
    assert same > parts


def test_function_words_are_left_out_of_a_question_that_has_others() -> None:
    assert asks("Where is the invoice?").keys() == asks("invoice").keys()
    assert asks("what's the parcel").keys() == asks("parcel").keys()
    assert asks("to be or not to be").keys() == asks("not").keys()
    assert "who" in asks("the who")
    assert "的" not in asks("我的城市")
    assert asks("什么") != {}


def test_pairs_across_a_word_boundary_weigh_less_than_words() -> None:
    weights = asks("数据库备份")
    assert weights["数据"] == weights["备份"] > weights["库备"] > 0


def test_a_name_that_the_dictionary_lacks_is_asked_for_pair_by_pair() -> None:
    assert asks("寮檗")["寮檗"] == asks("数据")["数据"]


def test_a_language_adds_its_stem_and_takes_none_away() -> None:
    german = terms("Häuser", "de")
    assert "~german:haus" in german
    assert terms("Häuser") < german
    assert "häuser" in german
    assert asks("Haus", "de").keys() & german
    assert extra_language("de-AT") == "de"
    assert extra_language("zh-Hans") == extra_language("") == extra_language("en") == ""


def test_length_counts_words_and_two_characters_of_unspaced_scripts() -> None:
    assert written("three plain words")[1] == 3
    assert written("state-of-the-art")[1] == 4
    assert written("自動歸檔")[1] == 2
    assert written("?!")[1] == 0


def test_a_very_long_question_is_cut() -> None:
    assert len(asked("word " * 5000 + "自" * 5000)) == 256


@pytest.fixture
def no_jieba(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setitem(sys.modules, "jieba", None)
    han._segmenter.cache_clear()
    asked.cache_clear()
    yield
    monkeypatch.undo()
    han._segmenter.cache_clear()
    asked.cache_clear()


@pytest.mark.usefixtures("no_jieba")
def test_without_jieba_both_sides_use_pairs_and_the_environment_says_so() -> None:
    assert found_by("自动归档", "改成自动归档流程")
    assert "数据库" not in terms("数据库")
    assert asks("数据库").keys() == {"数据", "据库", "数", "据", "库"}
    assert han.segmentation() == "bigrams"


def test_segmentation_is_named_with_its_version() -> None:
    assert han.segmentation().startswith("jieba 0.")


def test_jieba_is_loaded_only_for_han_and_prints_nothing() -> None:
    program = (
        "import sys\n"
        "from gate.stores.reference.text import asked, written\n"
        "written('Plain words, カフェ, 서울'); asked('words')\n"
        "assert 'jieba' not in sys.modules\n"
        "written('数据库备份')\n"
        "assert 'jieba' in sys.modules\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
