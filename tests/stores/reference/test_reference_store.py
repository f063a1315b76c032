"""The embedded store as it is searched: every mode, scopes, references, reranking."""

from __future__ import annotations

import dataclasses
import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from reference_cases import DOCUMENTS, MINE, YOURS, ids

from gate.models.hashed import HashedEmbedder
from gate.protocols import Deletes, Supersedes, Updates
from gate.records import ABILITIES, MODES, Document
from gate.stores.reference import open_store
from gate.stores.reference.store import ReferenceStore


@pytest.fixture
def store(tmp_path: Path) -> Iterator[ReferenceStore]:
    opened = open_store(tmp_path, HashedEmbedder())
    yield opened
    opened.close()


class LengthReranker:
    """Longer texts are better."""

    name = "length"

    def score(self, query: str, texts: Sequence[str]) -> list[float]:
        return [float(len(text)) for text in texts]


# --- what it declares ---------------------------------------------------------------------


def test_declares_what_its_parts_allow(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    plain = open_store(tmp_path / "a")
    assert plain.modes == {"keyword", "facts"}
    assert "embedder" not in plain.abilities
    (tmp_path / "b").mkdir()
    full = open_store(tmp_path / "b", HashedEmbedder(), LengthReranker())
    assert full.modes == set(MODES)
    assert full.abilities == set(ABILITIES)
    assert isinstance(full, Updates)
    assert isinstance(full, Deletes)
    assert isinstance(full, Supersedes)
    plain.close()
    full.close()


def test_a_mode_that_is_not_declared_is_refused(store: ReferenceStore) -> None:
    with pytest.raises(ValueError, match="no mode 'rerank'"):
        store.search("x", 5, "rerank")


def test_environment_names_what_runs(store: ReferenceStore) -> None:
    live = store.environment()
    assert live["embedder"] == "hashed-384-v1"
    assert live["keyword"] == "bm25 k1=1.2 b=0.75 longest=5.0 terms=5"
    assert live["sqlite"] == sqlite3.sqlite_version
    assert live["stemmer"].startswith("PyStemmer ")
    assert all(isinstance(value, str) for value in live.values())


# --- the small cases ----------------------------------------------------------------------


def test_a_document_of_han_only_does_not_hide_mixed_ones(store: ReferenceStore) -> None:
    store.add([Document("a", "京都カフェ"), Document("b", "京都の桜まつり"), Document("c", "京都ラーメン")])
    assert sorted(ids(store, "京都")) == ["a", "b", "c"]
    store.add([Document("d", "京都特別条例")])
    assert sorted(ids(store, "京都")) == ["a", "b", "c", "d"]


def test_one_word_finds_japanese_and_chinese(store: ReferenceStore) -> None:
    store.add([Document("ja", "大学のカフェテリア"), Document("zh", "大学宿舍")])
    assert sorted(ids(store, "大学")) == ["ja", "zh"]


@pytest.mark.parametrize("query", ["自動歸檔", "自動", "歸檔", "記錄", "流程", "夜班", "檔"])
def test_words_inside_an_unbroken_run_find_it(store: ReferenceStore, query: str) -> None:
    store.add([Document("d", "把夜班巡檢記錄改成自動歸檔流程"), Document("e", "午餐吃牛肉麵")])
    assert ids(store, query) == ["d"]


def test_two_words_rank_above_one(store: ReferenceStore) -> None:
    both = [f"d{number:02}" for number in range(8)]
    store.add([Document(f"d{number:02}", "pipeline ok" if number < 8 else "pipeline") for number in range(20)])
    assert ids(store, "pipeline ok", 20)[:8] == both
    assert len(ids(store, "pipeline ok", 20)) == 20
    assert ids(store, "ok", 20) == both


@pytest.mark.parametrize("mode", ["keyword", "vector", "hybrid"])
def test_a_filter_that_keeps_few_still_fills_k(store: ReferenceStore, mode: str) -> None:
    store.add([Document(f"a{number:03}", "budget budget plan", scope=MINE) for number in range(1000)])
    store.add([Document(f"b{number}", "a long note that mentions the budget once", scope=YOURS) for number in range(5)])
    assert ids(store, "budget plan", 5, mode, YOURS) == ["b0", "b1", "b2", "b3", "b4"]


@pytest.mark.parametrize("mode", ["keyword", "vector", "hybrid"])
def test_an_update_is_found_by_its_new_words_in_every_mode(store: ReferenceStore, mode: str) -> None:
    store.add([Document("a", "lentil soup recipe"), Document("b", "bicycle tyre repair")])
    store.update(Document("a", "quarterly tax declaration"))
    assert ids(store, "tax declarations", 1, mode) == ["a"]
    assert ids(store, "lentil soup", 1, mode) != ["a"]
    assert store.count() == 2


# --- searching ----------------------------------------------------------------------------


@pytest.mark.parametrize("mode", ["keyword", "vector", "hybrid", "facts"])
@pytest.mark.parametrize("query", ["", "  \n\t"])
def test_a_blank_query_finds_nothing_and_is_not_degraded(store: ReferenceStore, mode: str, query: str) -> None:
    store.add(DOCUMENTS)
    answer = store.search(query, 10, mode)
    assert answer.hits == ()
    assert answer.degraded == frozenset()


@pytest.mark.parametrize("query", ["???", "\x00", "\ud800", "x" * 100_000, "' OR 1=1 --", "%s {0} \\", "a " * 20_000])
def test_hostile_queries_are_answered(store: ReferenceStore, query: str) -> None:
    store.add(DOCUMENTS)
    for mode in sorted(store.modes):
        assert store.search(query, 3, mode).degraded == frozenset()


@pytest.mark.parametrize("mode", ["keyword", "vector", "hybrid"])
def test_a_smaller_k_is_the_head_of_a_larger_one(store: ReferenceStore, mode: str) -> None:
    store.add(
        [
            Document(f"d{number:03}", f"note {number % 7} on topic {number % 11}", refs=(f"d{number // 2:03}",))
            for number in range(300)
        ]
    )
    full = store.search("note 3 topic 5", 300, mode).hits
    assert len({hit.doc_id for hit in full}) == len(full) == 300
    assert [hit.score for hit in full] == sorted((hit.score for hit in full), reverse=True)
    for k in (1, 2, 3, 4, 5, 50, 210):
        assert store.search("note 3 topic 5", k, mode).hits == full[:k]


def test_a_typo_is_found_by_vectors_and_ranked_first_by_hybrid(store: ReferenceStore) -> None:
    store.add(DOCUMENTS)
    assert ids(store, "postgress databse", 1, "vector") == ["d2"]
    assert ids(store, "postgress databse", 1, "hybrid") == ["d2"]


def test_declared_language_finds_more_and_the_exact_word_is_never_lost(store: ReferenceStore) -> None:
    store.add([Document("right", "alte Häuser", lang="de"), Document("wrong", "two houses stand", lang="de")])
    assert ids(store, "Haus") == ["right"]
    assert ids(store, "houses") == ["wrong"]
    assert ids(store, "house") == ["wrong"]


def test_index_text_stands_in_for_the_text(store: ReferenceStore) -> None:
    store.add([Document("a", "as above", index_text="the parcel is at the neighbour")])
    assert ids(store, "parcel") == ["a"]
    assert ids(store, "above") == []


def test_references_of_the_first_hits_follow_the_third(store: ReferenceStore) -> None:
    store.add(
        [
            Document("a", "parcel parcel parcel", refs=("far", "gone", "a")),
            Document("b", "parcel parcel and one"),
            Document("c", "parcel and one other"),
            Document("d", "a parcel and one more or two"),
            Document("far", "ask the neighbour", scope=MINE),
        ]
    )
    assert ids(store, "parcel") == ["a", "b", "c", "far", "d"]
    assert ids(store, "parcel", 3) == ["a", "b", "c"]
    store.delete("far")
    assert ids(store, "parcel") == ["a", "b", "c", "d"]


def test_references_do_not_cross_scopes(store: ReferenceStore) -> None:
    store.add([Document("a", "parcel", scope=MINE, refs=("b",)), Document("b", "the neighbour has it", scope=YOURS)])
    assert ids(store, "parcel", scope=MINE) == ["a"]
    assert ids(store, "parcel") == ["a", "b"]


def test_a_document_of_several_scopes_needs_all_of_them(store: ReferenceStore) -> None:
    store.add([Document("both", "parcel", scope=MINE | YOURS), Document("open", "parcel")])
    assert ids(store, "parcel", scope=MINE) == ["open"]
    assert ids(store, "parcel", scope=MINE | YOURS) == ["both", "open"]
    assert ids(store, "parcel", scope=frozenset({"user:c"})) == ["open"]


def test_facts_mode_gives_sources_and_context(store: ReferenceStore) -> None:
    store.add(DOCUMENTS)
    answer = store.search("Which city do I live in?", 5, "facts", MINE)
    assert [hit.doc_id for hit in answer.hits] == ["d6"]
    assert answer.context == "city: Braga (since 2026-01-06)"
    assert store.search("Which city?", 5, "facts", YOURS).hits == ()
    assert store.search("Which passport?", 5, "facts").hits == ()
    store.delete("d6")
    assert store.search("Which city?", 5, "facts").context == "city: Porto (since 2026-01-04)"
    store.update(dataclasses.replace(DOCUMENTS[3], text="My city is Faro."))
    assert store.search("Which city?", 5, "facts").context == "city: Faro (since 2026-01-04)"
    store.supersede("d4", "d1")
    assert store.search("Which city?", 5, "facts").hits == ()


def test_evidence_tells_a_covered_question_from_an_uncovered_one(store: ReferenceStore) -> None:
    store.add(DOCUMENTS)
    covered = store.search("Where are the archived invoices?", 5, "keyword").evidence
    partly = store.search("archived zeppelin schedules", 5, "keyword").evidence
    nothing = store.search("zeppelin", 5, "keyword").evidence
    assert covered is not None
    assert partly is not None
    assert nothing is not None
    assert (covered.answerable, covered.coverage) == (True, 1.0)
    assert not partly.answerable
    assert 0 < partly.coverage < 0.5
    assert (nothing.answerable, nothing.coverage) == (False, 0.0)


def test_reranking_orders_the_first_fifty_and_keeps_the_rest_behind(tmp_path: Path) -> None:
    store = open_store(tmp_path, HashedEmbedder(), LengthReranker())
    store.add([Document(f"d{number:03}", "parcel" + " x" * (number % 60)) for number in range(120)])
    hybrid = ids(store, "parcel", 120, "hybrid")
    reranked = ids(store, "parcel", 120, "rerank")
    lengths = {f"d{number:03}": number % 60 for number in range(120)}
    assert reranked[:50] == sorted(hybrid[:50], key=lambda doc_id: (-lengths[doc_id], doc_id))
    assert reranked[50:] == hybrid[50:]
    assert ids(store, "parcel", 4, "rerank") == reranked[:4]
    scores = [hit.score for hit in store.search("parcel", 120, "rerank").hits]
    assert scores == sorted(scores, reverse=True)
    store.close()
