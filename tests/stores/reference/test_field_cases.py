"""Small cases that broke stores in the field, with the right behaviour of the embedded store."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from gate.models.hashed import HashedEmbedder
from gate.records import Document
from gate.stores.reference import open_store
from gate.stores.reference.store import ReferenceStore


@pytest.fixture
def store(tmp_path: Path) -> Iterator[ReferenceStore]:
    opened = open_store(tmp_path, HashedEmbedder())
    yield opened
    opened.close()


def add(store: ReferenceStore, texts: Mapping[str, str]) -> None:
    store.add([Document(doc_id, text) for doc_id, text in texts.items()])


def found(
    store: ReferenceStore, query: str, k: int = 10, mode: str = "keyword", scope: frozenset[str] = frozenset()
) -> list[str]:
    return [hit.doc_id for hit in store.search(query, k, mode, scope).hits]


def test_a_document_in_han_alone_takes_none_in_kanji_and_kana_away(store: ReferenceStore) -> None:
    add(store, {"cafe": "京都カフェ", "festival": "京都の桜まつり", "noodles": "京都ラーメン"})
    assert set(found(store, "京都")) == {"cafe", "festival", "noodles"}
    add(store, {"law": "京都特別条例"})
    assert set(found(store, "京都")) == {"cafe", "festival", "noodles", "law"}


def test_a_word_that_japanese_and_chinese_share_finds_both(store: ReferenceStore) -> None:
    add(store, {"ja": "大学のカフェテリア", "zh": "大学宿舍"})
    assert set(found(store, "大学")) == {"ja", "zh"}


@pytest.mark.parametrize("query", ["自動歸檔", "夜班", "巡檢", "記錄", "自動", "歸檔", "流程"])
def test_a_word_inside_an_unbroken_run_finds_it(store: ReferenceStore, query: str) -> None:
    add(store, {"run": "把夜班巡檢記錄改成自動歸檔流程", "other": "明天下午三點開會"})
    assert found(store, query) == ["run"]


def test_a_short_word_counts_and_documents_that_hold_both_come_first(store: ReferenceStore) -> None:
    both = {f"both-{n}": f"pipeline run {n} ok" for n in range(8)}
    add(store, {**{f"one-{n}": f"pipeline run {n} late" for n in range(12)}, **both})
    assert set(found(store, "pipeline ok", 20)[:8]) == set(both)
    assert set(found(store, "ok", 20)) == set(both)
    assert len(found(store, "pipeline", 50)) == 20


@pytest.mark.parametrize("mode", ["keyword", "vector", "hybrid"])
def test_a_filter_is_applied_before_the_best_are_taken(store: ReferenceStore, mode: str) -> None:
    a, b = frozenset({"a"}), frozenset({"b"})
    store.add([Document(f"a-{n}", f"invoice reminder {n} invoice", scope=a) for n in range(1000)])
    text = "a long letter about the garden, which mentions one invoice and no"
    store.add([Document(f"b-{n}", f"{text} {n}", scope=b) for n in range(5)])
    assert set(found(store, "invoice reminder", 5, mode, b)) == {f"b-{n}" for n in range(5)}


@pytest.mark.parametrize("mode", ["keyword", "vector", "hybrid"])
def test_a_document_that_is_stored_three_times_comes_back_once(store: ReferenceStore, mode: str) -> None:
    for _ in range(3):
        add(store, {"same": "the boiler was serviced in March", "other": "the roof was tiled in May"})
    assert found(store, "boiler serviced", 10, mode).count("same") == 1
    assert store.count() == 2


@pytest.mark.parametrize("mode", ["vector", "hybrid"])
def test_an_update_reaches_the_vector(store: ReferenceStore, mode: str) -> None:
    add(store, {"moved": "the spare tyre lies in the cellar", "stays": "a spare tyre may lie in any cellar"})
    store.update(Document("moved", "our tandem hangs under some rafters"))
    assert found(store, "tandem rafters", 1, mode) == ["moved"]
    assert found(store, "spare tyre cellar", 1, mode) == ["stays"]
