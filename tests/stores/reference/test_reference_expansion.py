"""What a question is widened by: slips of spelling and parts of compounds, and what it is not."""

from __future__ import annotations

from pathlib import Path

import pytest
from reference_cases import ids

from gate.records import Document
from gate.stores.reference import compounds, open_store, spelling
from gate.stores.reference.store import ReferenceStore


def filled(path: Path, *texts: str, lang: str = "en") -> ReferenceStore:
    store = open_store(path)
    store.add([Document(f"d{number}", text, lang=lang) for number, text in enumerate(texts)])
    return store


@pytest.mark.parametrize(
    "slip", ["windlas", "windlasss", "wnidlass", "windkass", "indlass", "windlassx", "winlass", "Windlzss"]
)
def test_a_word_that_occurs_nowhere_finds_those_within_one_slip(tmp_path: Path, slip: str) -> None:
    store = filled(tmp_path, "the old windlass creaks", "the old vibraphone hums", "the old lectern leans")
    assert ids(store, f"old {slip}")[0] == "d0"


@pytest.mark.parametrize("slip", ["windls", "wmdlaas", "sinwdlas", "wind"])
def test_two_slips_and_short_words_are_not_corrected(tmp_path: Path, slip: str) -> None:
    assert ids(filled(tmp_path, "the old windlass creaks"), slip) == []


def test_a_word_that_occurs_is_never_corrected(tmp_path: Path) -> None:
    store = filled(tmp_path, "a bill for tiles", "a bill for tales", "the tales of Grimm")
    assert ids(store, "tiles") == ["d0"]


def test_a_correction_counts_less_than_the_word_itself(tmp_path: Path) -> None:
    store = filled(tmp_path, "the windlass", "the lectern", "the piano")
    asked_well, asked_badly = store.search("windlass", 5, "keyword"), store.search("windlaas", 5, "keyword")
    assert asked_well.hits[0].score > asked_badly.hits[0].score > 0
    assert asked_badly.evidence is not None
    assert asked_badly.evidence.answerable


def test_neighbours_are_those_at_one_edit() -> None:
    known = {"stone", "store", "tone", "atone", "shone", "sotne", "stoned", "strange", "stonier"}
    at_one = ["atone", "shone", "sotne", "stoned", "store", "tone"]
    assert spelling.neighbours("stone", known) == at_one
    assert spelling.neighbours("книгы", {"книга", "книги", "книге"}) == ["книга", "книге", "книги"]
    assert spelling.neighbours("ston3", known) == []
    assert spelling.neighbours("s" * 4000, known) == []


@pytest.mark.parametrize(
    ("query", "document"),
    [
        ("Ventil", "Das Sicherheitsventil klemmt."),
        ("Dichtung", "Die Kolbendichtung ist neu."),
        ("Umzug", "Der Umzugshelfer kommt."),
        ("Kirche", "Der Kirchturm bleibt zu."),
        ("Wagen", "Der Einkaufswagen steht da."),
        ("Gartentor", "Das Tor zum Garten ist zu."),
        ("Gästebett", "Ein Bett für Gäste steht da."),
        ("Hundeleine", "Die Leine für den Hund fehlt."),
    ],
)
def test_parts_find_german_compounds_and_compounds_their_parts(tmp_path: Path, query: str, document: str) -> None:
    store = filled(tmp_path, document, "Die Rechnung kommt am Montag.", lang="de")
    assert ids(store, query) == ["d0"]


def test_the_whole_word_comes_before_a_compound(tmp_path: Path) -> None:
    store = filled(tmp_path, "Das Kugelventil klemmt.", "Das Ventil klemmt.", lang="de")
    assert ids(store, "Ventil") == ["d1", "d0"]


@pytest.mark.parametrize("query", ["Reis", "heit", "kla"])
def test_a_piece_that_leaves_too_little_is_no_part(tmp_path: Path, query: str) -> None:
    assert ids(filled(tmp_path, "Der Preis ist klar.", lang="de"), query) == []


def test_languages_that_do_not_write_compounds_as_one_have_no_parts(tmp_path: Path) -> None:
    assert ids(filled(tmp_path, "The noticeboard is full."), "board") == []


def test_the_split_with_the_most_frequent_parts_is_taken() -> None:
    frequency = {"stau": 1, "becken": 9, "staub": 4, "ecken": 5}
    # 1 x 9 is less than 4 x 5.
    assert compounds.split("staubecken", str, lambda stem: frequency.get(stem, 0)) == ("staub", "ecken")
    assert compounds.split("staubecken", str, lambda stem: 0) is None
    assert compounds.split("staub-ecken", str, lambda stem: 1) is None
