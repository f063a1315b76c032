"""Vectors that were made before: the right ones, from several processes at once, and never in the way of a run."""

from __future__ import annotations

import gc
import os
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest

from gate.models import cache as caching
from gate.models.cache import VectorCache, cache_file, key_of
from gate.models.cached import CachedEmbedder, KeptTokens
from gate.protocols import Vectors
from gate.stopwatch import now
from gate.stores.reference.parts import PATIENCE as EMBEDDER_PATIENCE


class Counting:
    """An embedder that notes what it is asked to embed: a text's vector is its length and its kind's."""

    name, dimension = "counting", 2

    def __init__(self) -> None:
        self.asked: list[tuple[str, str]] = []

    def embed(self, texts: Sequence[str], kind: str) -> Vectors:
        self.asked += [(text, kind) for text in texts]
        return np.array([[len(text), len(kind)] for text in texts], dtype=np.float32)

    def cuts(self, texts: Sequence[str], kind: str) -> list[bool]:
        return [len(text) > 5 for text in texts]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "vectors" / "vectors.sqlite"


def test_a_vector_is_made_once_for_all_that_share_the_file(file: Path) -> None:
    first, second = Counting(), Counting()
    made = CachedEmbedder(first, VectorCache(file), "m").embed(["one", "three", "one"], "document")
    again = CachedEmbedder(second, VectorCache(file), "m").embed(["three", "one"], "document")
    assert made.tolist() == [[3, 8], [5, 8], [3, 8]]
    assert again.tolist() == [[5, 8], [3, 8]]
    assert first.asked == [("one", "document"), ("three", "document")]
    assert second.asked == []


@pytest.mark.parametrize(("said", "kind"), [("other model", "document"), ("m", "query")])
def test_another_model_or_side_has_vectors_of_its_own(file: Path, said: str, kind: str) -> None:
    CachedEmbedder(Counting(), VectorCache(file), "m").embed(["one"], "document")
    asked = Counting()
    CachedEmbedder(asked, VectorCache(file), said).embed(["one"], kind)
    assert asked.asked == [("one", kind)]


def test_live_queries_are_made_for_each_search_and_documents_are_not(file: Path) -> None:
    asked = Counting()
    embedder = CachedEmbedder(asked, VectorCache(file), "m", live=True)
    for _ in range(2):
        embedder.embed(["one"], "query")
        embedder.embed(["one"], "document")
    assert asked.asked == [("one", "query"), ("one", "document"), ("one", "query")]


def test_queries_that_are_not_live_are_looked_up(file: Path) -> None:
    asked = Counting()
    for _ in range(2):
        CachedEmbedder(asked, VectorCache(file), "m").embed(["one"], "query")
    assert asked.asked == [("one", "query")]


def test_documents_that_were_cut_are_counted_looked_up_or_made(file: Path) -> None:
    for _ in range(2):
        embedder = CachedEmbedder(Counting(), VectorCache(file), "m")
        embedder.embed(["long text", "short", "long text"], "document")
        embedder.embed(["long query"], "query")
        assert embedder.truncated == 1


def test_what_was_cut_is_counted_though_nothing_is_kept() -> None:
    asked = Counting()
    embedder = CachedEmbedder(asked, None, "m")
    for _ in range(2):
        assert embedder.embed(["long text", "short"], "document").tolist() == [[9, 8], [5, 8]]
    assert embedder.truncated == 1
    assert len(asked.asked) == 4


def test_no_search_waits_to_hear_whether_its_query_was_cut(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked, looked = Counting(), list[str]()

    def cuts(texts: Sequence[str], kind: str) -> list[bool]:
        looked.append(kind)
        return [False] * len(texts)

    monkeypatch.setattr(asked, "cuts", cuts)
    CachedEmbedder(asked, VectorCache(file), "m", live=True).embed(["long query"], "query")
    assert looked == []


def test_no_texts_give_no_rows(file: Path) -> None:
    assert CachedEmbedder(Counting(), VectorCache(file), "m").embed([], "document").shape == (0, 2)


def test_a_vector_of_another_length_is_made_anew(file: Path) -> None:
    cache = VectorCache(file)
    cache.put({key_of("embedding", "m", "document", "one"): (b"\0" * 12, False)})
    asked = Counting()
    assert CachedEmbedder(asked, cache, "m").embed(["one"], "document").tolist() == [[3, 8]]
    assert asked.asked == [("one", "document")]


@pytest.mark.parametrize("value", ["a text", 5, 1.5, b"", b"\0" * 8, b"\0" * 16])
def test_a_row_that_was_not_written_here_is_made_anew_and_replaced(file: Path, value: object) -> None:
    CachedEmbedder(Counting(), VectorCache(file), "m").embed(["one"], "document")
    with sqlite3.connect(file) as connection:
        connection.execute("UPDATE vector SET value = ?", (value,))
    connection.close()
    for made in ([("one", "document")], []):
        asked = Counting()
        assert CachedEmbedder(asked, VectorCache(file), "m").embed(["one"], "document").tolist() == [[3, 8]]
        assert asked.asked == made


def test_a_vector_with_another_bit_is_made_anew(file: Path) -> None:
    CachedEmbedder(Counting(), VectorCache(file), "m").embed(["one"], "document")
    with sqlite3.connect(file) as connection:
        ((value,),) = connection.execute("SELECT value FROM vector")
        connection.execute("UPDATE vector SET value = ?", (bytes([value[0] ^ 1]) + value[1:],))
    connection.close()
    assert CachedEmbedder(Counting(), VectorCache(file), "m").embed(["one"], "document").tolist() == [[3, 8]]


@pytest.mark.parametrize("table", ["mine (a)", "vector (id, x)"])
def test_the_database_of_another_program_is_left_as_it_is(file: Path, table: str) -> None:
    file.parent.mkdir()
    with sqlite3.connect(file) as connection:
        connection.execute(f"CREATE TABLE {table}")
    connection.close()
    before = file.read_bytes()
    assert CachedEmbedder(Counting(), VectorCache(file), "m").embed(["one"], "document").tolist() == [[3, 8]]
    assert file.read_bytes() == before


def test_a_file_that_somebody_holds_is_waited_for_less_than_a_store_waits_for_its_embedder(file: Path) -> None:
    VectorCache(file).put({key_of("one"): (b"1", False)})
    with closing(sqlite3.connect(file, isolation_level=None)) as held:
        held.execute("BEGIN IMMEDIATE")
        began = now()
        embedder = CachedEmbedder(Counting(), VectorCache(file), "m")
        assert embedder.embed(["one"], "query").tolist() == [[3, 5]]
        assert embedder.embed(["two"], "query").tolist() == [[3, 5]]
    assert now() - began < EMBEDDER_PATIENCE


def test_no_two_lists_of_parts_share_a_key() -> None:
    assert key_of("ab", "c") != key_of("a", "bc") != key_of("a", "b", "c")
    assert key_of("\ud800") != key_of("?")


def test_a_file_that_is_no_cache_costs_time_and_no_result(file: Path, capfd: pytest.CaptureFixture[str]) -> None:
    file.parent.mkdir()
    file.write_bytes(b"this is not a database, and long enough to be looked at as one" * 9)
    embedder = CachedEmbedder(Counting(), VectorCache(file), "m")
    assert embedder.embed(["one"], "document").tolist() == [[3, 8]]
    assert embedder.embed(["one"], "document").tolist() == [[3, 8]]
    assert capfd.readouterr().err.count("Vectors are not kept") == 1
    assert file.read_bytes().startswith(b"this is not a database")


def test_a_folder_that_cannot_be_made_costs_time_and_no_result(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    embedder = CachedEmbedder(Counting(), VectorCache(tmp_path / "file" / "vectors.sqlite"), "m")
    assert embedder.embed(["one"], "document").tolist() == [[3, 8]]


def test_several_processes_write_at_once_and_lose_nothing(file: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from gate.models.cache import VectorCache, key_of\n"
        "cache = VectorCache(Path(sys.argv[1]))\n"
        "for at in range(60): cache.put({key_of(sys.argv[2], str(at)): (sys.argv[2].encode(), False)})\n"
    )
    writers = [subprocess.Popen([sys.executable, "-c", code, str(file), str(number)]) for number in range(4)]
    assert [writer.wait(timeout=120) for writer in writers] == [0, 0, 0, 0]
    found = VectorCache(file).get([key_of(str(number), str(at)) for number in range(4) for at in range(60)])
    assert len(found) == 240


def test_the_oldest_go_when_there_is_too_much(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(caching, "LARGEST", 200_000)
    cache = VectorCache(file)
    for at in range(100):
        cache.put({key_of(str(at)): (b"x" * 4000, False)})
    found = cache.get([key_of(str(at)) for at in range(100)])
    assert key_of("99") in found
    assert key_of("0") not in found
    assert 20 < len(found) < 80


@pytest.mark.parametrize("given", ["off", " OFF "])
def test_the_cache_can_be_switched_off(monkeypatch: pytest.MonkeyPatch, given: str) -> None:
    monkeypatch.setenv(caching.FILE, given)
    assert cache_file() is None


def test_the_cache_stands_where_it_is_told_to(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(caching.FILE, str(tmp_path / "mine.sqlite"))
    assert cache_file() == tmp_path / "mine.sqlite"


def test_token_vectors_are_kept_in_memory_and_in_the_file(file: Path) -> None:
    matrix = np.arange(-6, 6, dtype=np.int8).reshape(6, 2)
    kept = KeptTokens(VectorCache(file), "m", 2)
    kept.put({"one": matrix})
    for seen in (kept, KeptTokens(VectorCache(file), "m", 2)):
        assert set(seen.get(["one", "two"])) == {"one"}
        assert seen.get(["one"])["one"].tolist() == matrix.tolist()
    assert KeptTokens(VectorCache(file), "other", 2).get(["one"]) == {}


def test_token_vectors_in_memory_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gate.models.cached.HELD", 100)
    kept = KeptTokens(None, "m", 2)
    for name in ("one", "two", "three"):
        kept.put({name: np.zeros((20, 2), dtype=np.int8)})
    assert set(kept.get(["one", "two", "three"])) == {"two", "three"}


class Noting(sqlite3.Connection):
    """A connection that notes the process in which it was closed without being asked."""

    gone: ClassVar[list[int]] = []

    def __del__(self) -> None:
        self.gone.append(os.getpid())


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no forks on this system")
def test_a_forked_process_opens_the_file_anew_and_leaves_the_connection_it_finds(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    connect = sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", lambda *args, **more: connect(*args, factory=Noting, **more))
    cache, key = VectorCache(file), key_of("one")
    stored, ended = threading.Event(), threading.Event()

    def store() -> None:
        """As the thread of a store, which is there while others are forked."""
        cache.put({key: (b"here", False)})
        stored.set()
        ended.wait(60)

    thread = threading.Thread(target=store)
    thread.start()
    assert stored.wait(60)
    cache.get([key])
    child = os.fork()
    if child == 0:
        found = cache.get([key]) == {key: (b"here", False)}
        cache.put({key_of("two"): (b"there", False)})
        gc.collect()  # a connection and the statements that it knows hold one another
        os._exit(len(Noting.gone) if found else 9)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    ended.set()
    thread.join()
    assert cache.get([key, key_of("two")]) == {key: (b"here", False), key_of("two"): (b"there", False)}


def test_threads_that_use_it_at_once_lose_nothing(file: Path) -> None:
    cache = VectorCache(file)

    def write(name: int) -> None:
        for at in range(40):
            cache.put({key_of(str(name), str(at)): (b"x", False)})

    threads = [threading.Thread(target=write, args=(name,)) for name in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(cache.get([key_of(str(name), str(at)) for name in range(4) for at in range(40)])) == 160
