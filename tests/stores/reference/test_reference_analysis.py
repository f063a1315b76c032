"""What is worked out once for each text: the same for whoever asks, and never that of another text."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from pathlib import Path

import pytest
from reference_cases import DOCUMENTS, everything, ids

from gate.models.hashed import HashedEmbedder
from gate.records import Document
from gate.stores.reference import analysis, open_store, text
from gate.stores.reference.kept import Kept
from gate.stores.reference.storage import Storage


@pytest.fixture(autouse=True)
def _nothing_kept() -> Iterator[None]:
    analysis.forget()
    yield
    analysis.forget()


def counted_texts(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    seen: list[str] = []
    written = text.written

    def watched(indexed: str, languages: tuple[str, ...] = (), lang: str = "") -> tuple[list[str], int]:
        seen.append(indexed)
        return written(indexed, languages, lang)

    monkeypatch.setattr("gate.stores.reference.text.written", watched)
    return seen


def test_a_text_that_was_stored_elsewhere_is_not_taken_apart_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = counted_texts(monkeypatch)
    answers = []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        store = open_store(tmp_path / name, HashedEmbedder())
        store.add(DOCUMENTS)
        answers.append(everything(store))
        store.close()
    assert sorted(seen) == sorted(document.text for document in DOCUMENTS)
    assert answers[0] == answers[1]


def test_another_text_another_language_and_another_conversion_are_taken_apart_anew(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seen = counted_texts(monkeypatch)
    plain, length = analysis.counted("die Häuser", "", "none")
    german, _ = analysis.counted("die Häuser", "de", "none")
    analysis.counted("die Häuser", "de", "another 1.0")
    analysis.counted("die Mauern", "de", "none")
    assert seen == ["die Häuser", "die Häuser", "die Häuser", "die Mauern"]
    assert length == 2
    assert "~german:haus" in german
    assert "~german:haus" not in plain


def test_stores_that_hold_other_texts_under_the_same_id_do_not_mix(tmp_path: Path) -> None:
    """What is kept of rows goes by all that is in them."""
    texts = {"one": "the ladder is in the garage", "two": "the anchor is in the harbour"}
    for name, said in texts.items():
        (tmp_path / name).mkdir()
        store = open_store(tmp_path / name, HashedEmbedder())
        store.add([Document("d", said)])
        store.close()
    for _ in range(2):
        for name, other in (("one", "two"), ("two", "one")):
            store = open_store(tmp_path / name, HashedEmbedder())
            assert ids(store, texts[name].split()[1]) == ["d"]
            assert ids(store, texts[other].split()[1]) == []
            store.close()


def test_a_row_that_was_written_again_is_read_as_it_is_now(tmp_path: Path) -> None:
    store = open_store(tmp_path, HashedEmbedder())
    store.add(DOCUMENTS)
    storage = Storage(tmp_path)
    before = storage.row("d1")
    assert storage.row("d1") is before, "the same columns are the same row"
    store.update(dataclasses.replace(DOCUMENTS[0], text="The kettle is new."))
    assert storage.row("d1").document.text == "The kettle is new."
    assert storage.row("d1").counts != before.counts
    storage.close()
    store.close()


def test_what_is_kept_has_a_size_and_all_is_forgotten_beyond_it() -> None:
    made: list[str] = []
    kept: Kept[str] = Kept(limit=10)

    def get(key: str, size: int) -> str:
        def make() -> str:
            made.append(key)
            return key.upper()

        return kept.get(key, size, make)

    assert [get("a", 4), get("b", 6), get("a", 4)] == ["A", "B", "A"]
    assert made == ["a", "b"]
    get("c", 1)
    assert [get("c", 1), get("a", 4)] == ["C", "A"]
    assert made == ["a", "b", "c", "a"]
