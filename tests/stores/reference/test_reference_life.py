"""The embedded store over time: replacing, deleting, batches, reopening, other processes."""

from __future__ import annotations

import dataclasses
import itertools
import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from reference_cases import DOCUMENTS, MINE, QUERIES, YOURS, everything, ids

from gate.errors import StoreError
from gate.models.hashed import HashedEmbedder
from gate.protocols import Vectors
from gate.records import Document
from gate.stores.reference import open_store
from gate.stores.reference.parts import CANARY
from gate.stores.reference.store import ReferenceStore


@pytest.fixture
def store(tmp_path: Path) -> Iterator[ReferenceStore]:
    opened = open_store(tmp_path, HashedEmbedder())
    yield opened
    opened.close()


class CountingEmbedder(HashedEmbedder):
    def __init__(self) -> None:
        self.texts: list[str] = []

    def embed(self, texts: Sequence[str], kind: str) -> Vectors:
        self.texts += texts
        return super().embed(texts, kind)


# --- replacing and deleting ---------------------------------------------------------------


@pytest.mark.parametrize("mode", ["keyword", "vector", "hybrid"])
def test_hits_on_what_was_replaced_lead_to_the_newest(store: ReferenceStore, mode: str) -> None:
    store.add(
        [
            Document("old", "standup at nine"),
            Document("mid", "daily at ten"),
            Document("new", "we meet at noon"),
            Document("z", "lunch"),
        ]
    )
    store.supersede("old", "mid")
    store.supersede("mid", "new")
    assert ids(store, "standup", 4, mode)[0] == "new"
    assert not {"old", "mid"} & set(ids(store, "standup daily nine ten", 4, mode))
    assert ids(store, "lunch", 4, mode)[0] == "z"
    assert store.count() == 4
    known = store.search("standup", 4, mode).evidence
    assert known is not None
    assert known.coverage == 1.0, "what was replaced is evidence for what replaced it"


def test_a_replacement_out_of_scope_is_not_shown(store: ReferenceStore) -> None:
    store.add([Document("old", "standup at nine", scope=MINE), Document("new", "we meet at noon", scope=YOURS)])
    store.supersede("old", "new")
    assert ids(store, "standup", scope=MINE) == []
    assert ids(store, "standup", scope=YOURS) == []
    assert ids(store, "standup", scope=MINE | YOURS) == ["new"]


def test_supersedes_is_metadata_until_the_store_is_told(store: ReferenceStore) -> None:
    store.add([Document("old", "standup at nine"), Document("new", "we meet at noon", supersedes="old")])
    assert ids(store, "standup") == ["old"]


def test_circles_and_unknown_replacements_are_refused(store: ReferenceStore) -> None:
    store.add(DOCUMENTS[:3])
    store.supersede("d1", "d2")
    with pytest.raises(ValueError, match="'d1' cannot replace 'd2'"):
        store.supersede("d2", "d1")
    with pytest.raises(ValueError, match="cannot replace"):
        store.supersede("d3", "d3")
    with pytest.raises(KeyError, match="no document 'd9'"):
        store.supersede("d1", "d9")
    with pytest.raises(KeyError, match="no document 'd9' to update"):
        store.update(Document("d9", "x"))


def test_deleting_inside_a_chain_keeps_the_rest_of_it(store: ReferenceStore) -> None:
    store.add([Document("a", "standup at nine"), Document("b", "daily at ten"), Document("c", "we meet at noon")])
    store.supersede("a", "b")
    store.supersede("b", "c")
    store.delete("b")
    assert ids(store, "standup") == ["c"]
    store.add([Document("b", "daily at ten")])
    assert ids(store, "daily") == ["b"]
    store.delete("c")
    assert ids(store, "standup") == []


@pytest.mark.parametrize("mode", ["keyword", "vector", "hybrid"])
def test_deleted_is_gone_everywhere_and_can_come_back(store: ReferenceStore, mode: str) -> None:
    store.add(DOCUMENTS)
    store.delete("d1")
    store.delete("d1")
    assert "d1" not in ids(store, "archived invoices", 10, mode)
    assert store.count() == 7
    store.add([DOCUMENTS[0]])
    assert "d1" in ids(store, "archived invoices", 2, mode)


def test_a_history_of_changes_ends_where_a_fresh_store_begins(store: ReferenceStore, tmp_path: Path) -> None:
    store.add([Document(f"x{number}", "archived invoice database Häuser 数据库", lang="fr") for number in range(50)])
    store.add([dataclasses.replace(document, text="archived invoice") for document in DOCUMENTS])
    store.add(DOCUMENTS)
    store.add(DOCUMENTS)
    for number in range(50):
        store.delete(f"x{number}")
    (tmp_path / "fresh").mkdir()
    fresh = open_store(tmp_path / "fresh", HashedEmbedder())
    fresh.add(DOCUMENTS)
    assert everything(store) == everything(fresh)
    fresh.close()


# --- order, batches, disk -----------------------------------------------------------------


def test_order_of_arrival_and_size_of_batches_change_nothing(tmp_path: Path) -> None:
    answers = []
    for number, order in enumerate(itertools.islice(itertools.permutations(DOCUMENTS), 0, 40320, 8000)):
        folder = tmp_path / str(number)
        folder.mkdir()
        store = open_store(folder, HashedEmbedder())
        for start in range(0, len(order), number + 1):
            store.add(order[start : start + number + 1])
        store.supersede("d1", "d7")
        answers.append(everything(store))
        store.close()
    assert all(answer == answers[0] for answer in answers)


def test_reopening_counts_instead_of_segmenting_and_embedding_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = open_store(tmp_path, HashedEmbedder())
    store.add(DOCUMENTS)
    store.supersede("d1", "d7")
    store.delete("d2")
    before = everything(store)
    store.close()
    assert [entry.name for entry in tmp_path.iterdir()] == ["reference.sqlite3"]
    embedder = CountingEmbedder()
    monkeypatch.setattr("gate.stores.reference.text.written", lambda *_: pytest.fail("segmented again"))
    monkeypatch.setattr("gate.stores.reference.facts.stated", lambda *_: pytest.fail("read again"))
    again = open_store(tmp_path, embedder)
    assert embedder.texts == []
    assert everything(again) == before
    assert again.count() == 7
    again.close()


def test_reopening_where_characters_are_converted_otherwise_reads_the_texts_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Questions would be converted and documents not, or the other way round."""
    taken = {"頭": "头", "髮": "发"}
    store = open_store(tmp_path, HashedEmbedder())
    store.add([Document("d", "燙頭髮去巷口"), *DOCUMENTS])
    store.close()
    monkeypatch.setattr("gate.stores.reference.conversion.conversion", lambda: "another 1.0")
    monkeypatch.setattr(
        "gate.stores.reference.runs.simplified", lambda run: "".join(taken.get(letter, letter) for letter in run)
    )
    embedder = CountingEmbedder()
    again = open_store(tmp_path, embedder)
    assert embedder.texts == []
    assert ids(again, "头发") == ids(again, "頭髮") == ["d"]
    assert again.count() == 9
    again.close()


def test_what_was_added_survives_a_process_that_is_killed(tmp_path: Path) -> None:
    program = (
        "import os, sys; from pathlib import Path\n"
        "from gate.records import Document; from gate.stores.reference import open_store\n"
        "store = open_store(Path(sys.argv[1])); store.add([Document('a', 'parcel')]); os._exit(9)\n"
    )
    assert subprocess.run([sys.executable, "-c", program, str(tmp_path)], check=False).returncode == 9
    store = open_store(tmp_path)
    assert ids(store, "parcel") == ["a"]
    store.close()


def test_another_embedder_makes_its_own_vectors(tmp_path: Path) -> None:
    class Other(CountingEmbedder):
        name = "other-384"

    store = open_store(tmp_path, HashedEmbedder())
    store.add(DOCUMENTS)
    store.close()
    other = Other()
    store = open_store(tmp_path, other)
    assert sorted(other.texts) == sorted((CANARY, *(document.text for document in DOCUMENTS)))
    assert store.search("database", 1, "vector").degraded == frozenset()
    store.close()


def test_documents_keep_all_their_metadata_on_disk(tmp_path: Path) -> None:
    full = Document(
        "d",
        "t\ud800",
        "s",
        "Ana",
        "2026-01-01",
        "de-AT",
        MINE | YOURS,
        ("x", "y"),
        "old",
        "i",
        (("k", "v"), ("k", "w")),
    )
    store = open_store(tmp_path)
    store.add([full])
    assert store._storage.row("d").document == dataclasses.replace(full, text="t\ufffd")
    store.close()


@pytest.mark.parametrize(
    ("content", "slug"), [(b"this is no database at all, only text", "reference-file"), (None, "reference-version")]
)
def test_a_file_that_is_no_store_is_an_error_with_what_to_do(tmp_path: Path, content: bytes | None, slug: str) -> None:
    if content is not None:
        (tmp_path / "reference.sqlite3").write_bytes(content)
    else:
        other = sqlite3.connect(tmp_path / "reference.sqlite3")
        other.execute("PRAGMA user_version = 99")
        other.close()
    with pytest.raises(StoreError) as caught:
        open_store(tmp_path)
    assert caught.value.slug == slug
    assert "empty folder" in caught.value.hint


_PROGRAM = """
import json, sys, tempfile
from pathlib import Path
from gate.models.hashed import HashedEmbedder
from gate.records import Document
from gate.stores.reference import open_store
from gate.stores.reference.parts import CANARY
with tempfile.TemporaryDirectory() as folder:
    store = open_store(Path(folder), HashedEmbedder())
    store.add([Document(i, t, lang=l, scope=frozenset(s)) for i, t, l, s in json.loads(sys.argv[1])])
    for mode in sorted(store.modes):
        for query in json.loads(sys.argv[2]):
            answer = store.search(query, 20, mode)
            print(mode, query, answer.hits, answer.context, answer.evidence)
    store.close()
"""


def test_same_bytes_under_any_hash_seed() -> None:
    documents = json.dumps([[one.doc_id, one.text, one.lang, sorted(one.scope)] for one in DOCUMENTS])
    outputs = {
        subprocess.run(
            [sys.executable, "-c", _PROGRAM, documents, json.dumps(QUERIES)],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONIOENCODING": "utf-8"},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "4242")
    }
    assert len(outputs) == 1
    assert b"d7" in outputs.pop()
