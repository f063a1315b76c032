"""The control that finds what stands between two places where letters end, and nothing else."""

from __future__ import annotations

from pathlib import Path

from gate.records import Document
from gate.stores import CONTROLS, find_store


def found(query: str, *texts: str, deleted: str = "", index_text: str = "") -> list[str]:
    store = find_store("whole-words")(Path())
    store.add([Document(f"d{n}", text, index_text=index_text if n == 0 else "") for n, text in enumerate(texts)])
    if deleted:
        store.delete(deleted)  # type: ignore[attr-defined]
    return [hit.doc_id for hit in store.search(query, 10, "keyword").hits]


def test_it_is_a_control() -> None:
    assert "whole-words" in CONTROLS


def test_words_are_found_whatever_their_case_and_an_inflection_is_another_word() -> None:
    assert found("Ferry", "the FERRY left", "ferries leave") == ["d0"]


def test_a_run_of_han_is_one_token() -> None:
    assert found("东京", "我们在东京开会", "东京,下周") == ["d1"]


def test_rare_words_and_short_documents_come_first() -> None:
    # boat is in both, ferry in one: idf ln(1 + 1.5/1.5) = 0.69 against ln(1 + 0.5/2.5) = 0.18.
    assert found("ferry boat", "boat boat boat boat", "ferry and much boat beside") == ["d1", "d0"]
    assert found("ferry", "ferry with many other words behind it", "ferry") == ["d1", "d0"]
    assert found("ferry", "ferry boat", "ferry boat") == ["d0", "d1"], "ties in the order of ids"


def test_what_a_writer_wants_indexed_stands_for_the_text() -> None:
    assert found("harbour", "ferry", index_text="harbour") == ["d0"]
    assert found("ferry", "ferry", index_text="harbour") == []


def test_what_is_deleted_is_gone() -> None:
    assert found("ferry", "ferry", "ferry boat", deleted="d0") == ["d1"]
