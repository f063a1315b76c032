"""What is stored is what was handed over, counted and in the order of its events; a second time it is the same."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from fakes import Switches, declared, fruit_corpus, make_corpus, make_subject

from gate.corpus.digest import CorpusDigest
from gate.errors import StoreError, StoreHung
from gate.guard import Guard, Stopped
from gate.ingest import BATCH, Subject, answers, ingest, open_again
from gate.records import Corpus, Document, Ingest, Topic
from gate.stop import Stop

NO_QRELS: dict[str, dict[str, int]] = {}
# d2 replaces d1 and d3 replaces d2, but d3 arrives first.
CHAIN = (
    Document("d3", "the office is in Oslo", created_at="2026-03-01", supersedes="d2"),
    Document("d1", "the office is in Bergen", created_at="2026-01-01"),
    Document("d2", "the office is in Trondheim", created_at="2026-02-01", supersedes="d1"),
)


def digest_of(corpus: Corpus) -> str:
    digest = CorpusDigest(corpus)
    for document in corpus.documents():
        digest.add(document)
    return digest.hexdigest()


def opened(subject: Subject, switches: Switches, path: Path) -> Guard:
    return subject.open(path, declared(switches))


def stored(switches: Switches, corpus: Corpus, path: Path, timeout: float = 30.0) -> Ingest:
    subject = make_subject(switches, timeout=timeout)
    return ingest(opened(subject, switches, path), corpus, subject.stop, lambda _: None)


def test_everything_is_stored_and_told(switches: Switches, tmp_path: Path) -> None:
    ticks: list[int] = []
    subject, corpus = make_subject(switches), fruit_corpus()
    result = ingest(opened(subject, switches, tmp_path), corpus, subject.stop, ticks.append)
    assert result.failure == ""
    assert result.documents == 12
    assert result.environment == {"engine": "fake 1"}
    assert result.digest == digest_of(corpus)
    assert result.seconds >= 0
    assert ticks == [12]


def test_documents_are_streamed_in_batches(switches: Switches, tmp_path: Path) -> None:
    made: list[str] = []
    seen_when_added: list[int] = []

    def stream() -> Iterator[Document]:
        for number in range(BATCH + 1):
            made.append(f"d{number}")
            yield Document(f"d{number}", "text")

    def tick(_: int) -> None:
        seen_when_added.append(len(made))

    corpus = replace(fruit_corpus(), documents=stream)
    subject = make_subject(switches)
    result = ingest(opened(subject, switches, tmp_path), corpus, subject.stop, tick)
    assert result.documents == BATCH + 1
    assert [len(batch) for batch in switches.asked("add")] == [BATCH, 1]
    assert seen_when_added == [BATCH, BATCH + 1]


def test_replacements_follow_the_order_of_events_not_of_arrival(switches: Switches, tmp_path: Path) -> None:
    result = stored(switches, make_corpus(CHAIN, [], NO_QRELS), tmp_path)
    assert result.failure == ""
    assert switches.asked("supersede") == [("d1", "d2"), ("d2", "d3")]


def test_deletions_come_last_once_each_and_are_counted(switches: Switches, tmp_path: Path) -> None:
    result = stored(switches, make_corpus(CHAIN, [], NO_QRELS, deletions=("d2", "d1", "d2")), tmp_path)
    assert result.failure == ""
    assert [call[0] for call in switches.log] == ["add", "supersede", "supersede", "delete", "delete"]
    assert switches.asked("delete") == [("d2",), ("d1",)]


def test_a_store_without_the_abilities_is_not_asked_for_them(switches: Switches, tmp_path: Path) -> None:
    switches.abilities = frozenset()
    result = stored(switches, make_corpus(CHAIN, [], NO_QRELS, deletions=("d1",)), tmp_path)
    assert result.failure == ""
    assert [call[0] for call in switches.log] == ["add"]


@pytest.mark.parametrize("off_by", [-1, 1])
def test_a_store_that_miscounts_is_not_searched(switches: Switches, tmp_path: Path, off_by: int) -> None:
    switches.count_off_by = off_by
    result = stored(switches, fruit_corpus(), tmp_path)
    assert result.failure == f"fake says that it holds {12 + off_by} documents; 12 should be there"


def test_an_empty_corpus_is_a_failure(switches: Switches, tmp_path: Path) -> None:
    assert stored(switches, make_corpus({}, [], NO_QRELS), tmp_path).failure == "the corpus has no documents"


@pytest.mark.parametrize("method", ["add", "supersede", "delete", "count", "environment"])
def test_an_error_while_storing_names_store_call_and_cause(switches: Switches, tmp_path: Path, method: str) -> None:
    switches.raises[method] = OSError("disk full")
    result = stored(switches, make_corpus(CHAIN, [], NO_QRELS, deletions=("d1",)), tmp_path)
    assert result.failure.startswith(f"fake, {method}")
    assert result.failure.endswith("OSError: disk full")


def test_a_store_that_hangs_while_storing_is_a_failure(switches: Switches, tmp_path: Path) -> None:
    switches.hangs.add("add")
    assert "no answer within 0.2 s" in stored(switches, fruit_corpus(), tmp_path, timeout=0.2).failure


def test_a_wish_to_stop_ends_storing(switches: Switches, tmp_path: Path) -> None:
    stop = Stop()
    guard = opened(make_subject(switches, stop=stop), switches, tmp_path)
    stop.signal = "SIGINT"
    with pytest.raises(Stopped):
        ingest(guard, fruit_corpus(), stop, lambda _: None)
    assert switches.asked("add") == []


def test_answers_are_the_relevant_documents_of_each_query_best_first() -> None:
    topics = [Topic("t1", "where"), Topic("t2", "where"), Topic("t3", "who")]
    qrels = {"t1": {"b": 1, "a": 1, "c": 3, "x": 0}, "t2": {"d": 2, "c": 1}}
    told = answers(make_corpus({}, topics, qrels))
    assert told == {"where": ("c", "a", "b", "d"), "who": ()}


# --- opening -----------------------------------------------------------------------------------


def test_a_store_declares_itself_and_is_closed_again(switches: Switches, tmp_path: Path) -> None:
    assert make_subject(switches).declare(tmp_path / "new") == declared(switches)
    assert switches.closed == 1


def test_a_store_that_declares_something_else_later_is_an_error(switches: Switches, tmp_path: Path) -> None:
    before = declared(switches)
    switches.modes = frozenset({"keyword"})
    with pytest.raises(StoreError, match="than when it was first opened"):
        make_subject(switches).open(tmp_path, before)
    assert switches.closed == 1


def test_a_folder_that_cannot_be_made_is_an_error_of_the_store(switches: Switches, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(StoreError, match="cannot be made"):
        make_subject(switches).declare(tmp_path / "file" / "store")


# --- opening again -----------------------------------------------------------------------------


def master_of(switches: Switches, corpus: Corpus, path: Path) -> tuple[Subject, Ingest]:
    """A closed store at `path` that holds the corpus."""
    subject = make_subject(switches)
    guard = opened(subject, switches, path)
    result = ingest(guard, corpus, subject.stop, lambda _: None)
    guard.close()
    switches.log.clear()
    return subject, result


def test_a_copy_is_reopened_without_storing_again(switches: Switches, tmp_path: Path) -> None:
    corpus = fruit_corpus()
    subject, first = master_of(switches, corpus, tmp_path / "master")
    guard = open_again(subject, declared(switches), corpus, tmp_path / "copy", first, tmp_path / "master")
    assert switches.asked("add") == []
    assert guard.count() == 12
    guard.delete("d1")
    assert (tmp_path / "master" / "d1.doc").is_file()
    guard.close()


def test_without_a_master_the_corpus_is_stored_again(switches: Switches, tmp_path: Path) -> None:
    corpus = fruit_corpus()
    subject, first = master_of(switches, corpus, tmp_path / "master")
    guard = open_again(subject, declared(switches), corpus, tmp_path / "again", first, None)
    assert len(switches.asked("add")) == 1
    assert guard.count() == 12
    guard.close()


def test_a_store_that_loses_documents_when_it_is_reopened_is_found_out(switches: Switches, tmp_path: Path) -> None:
    corpus = fruit_corpus()
    subject, first = master_of(switches, corpus, tmp_path / "master")
    (tmp_path / "master" / "d3.doc").unlink()
    with pytest.raises(StoreError, match="holds 11 documents; 12 should be there"):
        open_again(subject, declared(switches), corpus, tmp_path / "copy", first, tmp_path / "master")
    assert switches.closed == switches.opened


def test_deleted_documents_stay_deleted_in_a_copy(switches: Switches, tmp_path: Path) -> None:
    corpus = replace(fruit_corpus(), deletions=("d1",))
    subject, first = master_of(switches, corpus, tmp_path / "master")
    guard = open_again(subject, declared(switches), corpus, tmp_path / "copy", first, tmp_path / "master")
    assert guard.count() == 11
    guard.close()


def test_a_corpus_that_changed_in_between_is_found_out(switches: Switches, tmp_path: Path) -> None:
    subject, first = master_of(switches, fruit_corpus(), tmp_path / "master")
    other = replace(fruit_corpus(), documents=lambda: iter([Document(f"d{n}", "else") for n in range(12)]))
    with pytest.raises(StoreError, match="the corpus tiny@smoke has changed"):
        open_again(subject, declared(switches), other, tmp_path / "again", first, None)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_folder_that_cannot_be_copied_is_an_error_of_the_store(switches: Switches, tmp_path: Path) -> None:
    corpus = fruit_corpus()
    subject, first = master_of(switches, corpus, tmp_path / "master")
    os.mkfifo(tmp_path / "master" / "pipe")
    with pytest.raises(StoreError, match=r"cannot be copied: .*pipe"):
        open_again(subject, declared(switches), corpus, tmp_path / "copy", first, tmp_path / "master")


def test_nothing_is_copied_once_somebody_wants_to_stop(switches: Switches, tmp_path: Path) -> None:
    corpus = fruit_corpus()
    subject, first = master_of(switches, corpus, tmp_path / "master")
    subject.stop.signal = "SIGTERM"
    with pytest.raises(Stopped):
        open_again(subject, declared(switches), corpus, tmp_path / "copy", first, tmp_path / "master")
    assert not (tmp_path / "copy").exists()


def test_a_store_that_hangs_when_it_is_opened_again_is_an_error(switches: Switches, tmp_path: Path) -> None:
    corpus = fruit_corpus()
    subject, first = master_of(switches, corpus, tmp_path / "master")
    switches.hangs.add("open")
    with pytest.raises(StoreHung):
        open_again(
            replace(subject, timeout=0.2), declared(switches), corpus, tmp_path / "copy", first, tmp_path / "master"
        )
