"""What is kept on disk: one SQLite file of documents, their terms, vectors and facts.

Each batch is one transaction. The write-ahead log survives a killed process; after a power cut
the file is whole and may lack the last batches (`synchronous=NORMAL`).
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gate.errors import StoreError
from gate.records import Document
from gate.stores.reference.kept import Kept

FILE = "reference.sqlite3"
VERSION = 1
_SCHEMA = """
CREATE TABLE documents (
    doc_id TEXT PRIMARY KEY, text TEXT NOT NULL, session_id TEXT NOT NULL, speaker TEXT NOT NULL,
    created_at TEXT NOT NULL, lang TEXT NOT NULL, scope TEXT NOT NULL, refs TEXT NOT NULL, supersedes TEXT NOT NULL,
    index_text TEXT NOT NULL, given TEXT NOT NULL, counts TEXT NOT NULL, length INTEGER NOT NULL,
    facts TEXT NOT NULL, vector BLOB
) WITHOUT ROWID;
CREATE TABLE supersessions (old_id TEXT PRIMARY KEY, new_id TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE settings (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
"""


@dataclass(frozen=True, slots=True)
class Row:
    """A document as it is kept: with its terms and their counts, its length in words, its facts and its vector."""

    document: Document
    counts: Mapping[str, int]
    length: int
    facts: tuple[tuple[str, str], ...]
    vector: NDArray[np.float32] | None


class Storage:
    """The file, opened or made. Raises StoreError where it is no store of this version."""

    def __init__(self, folder: Path) -> None:
        self._path = Path(folder) / FILE
        # The gate drives a store from one thread, which need not be the one that opened it.
        self._db = sqlite3.connect(self._path, isolation_level=None, check_same_thread=False)
        try:
            (version,) = self._db.execute("PRAGMA user_version").fetchone()
            if version == 0:
                self._db.executescript(
                    f"PRAGMA journal_mode=WAL; BEGIN; {_SCHEMA} PRAGMA user_version={VERSION}; COMMIT;"
                )
            self._db.execute("PRAGMA synchronous=NORMAL")
        except sqlite3.DatabaseError as error:
            self._db.close()
            raise StoreError(
                "reference-file",
                f"this is not a store that can be opened: {error}",
                where=str(self._path),
                hint="Give the store an empty folder.",
            ) from None
        if version not in (0, VERSION):
            self._db.close()
            raise StoreError(
                "reference-version",
                f"this store has the format {version}; {VERSION} is understood here",
                where=str(self._path),
                hint="Build it anew in an empty folder.",
            )

    def setting(self, key: str) -> str:
        """A setting, or an empty text."""
        row = self._db.execute("SELECT value FROM settings WHERE key = ?", (key,)).fetchone()
        return row[0] if row else ""

    def set(self, key: str, value: str) -> None:
        self._db.execute("INSERT OR REPLACE INTO settings VALUES (?, ?)", (key, value))

    def write(self, rows: Iterable[Row], vectors: Mapping[str, NDArray[np.float32]] | None = None) -> None:
        """Stores rows, and vectors of documents that are there already, in one transaction."""
        with self._transaction():
            self._db.executemany(
                "INSERT OR REPLACE INTO documents VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                map(_to_columns, rows),
            )
            self._db.executemany(
                "UPDATE documents SET vector = ? WHERE doc_id = ?",
                [(_to_blob(vector), doc_id) for doc_id, vector in (vectors or {}).items()],
            )

    def forget_vectors(self) -> None:
        self._db.execute("UPDATE documents SET vector = NULL")

    def delete(self, doc_id: str) -> None:
        """Deletes a document: what it replaced leads on to what replaced it, if anything did. One transaction."""
        with self._transaction():
            self._db.execute("DELETE FROM documents WHERE doc_id = ?", (doc_id,))
            after = self._db.execute("SELECT new_id FROM supersessions WHERE old_id = ?", (doc_id,)).fetchone()
            if after is not None:
                self._db.execute("UPDATE supersessions SET new_id = ? WHERE new_id = ?", (*after, doc_id))
                self._db.execute("DELETE FROM supersessions WHERE old_id = ?", (doc_id,))

    def supersede(self, old_id: str, new_id: str) -> None:
        self._db.execute("INSERT OR REPLACE INTO supersessions VALUES (?, ?)", (old_id, new_id))

    def supersessions(self) -> dict[str, str]:
        """Old ids to new ones."""
        return dict(self._db.execute("SELECT old_id, new_id FROM supersessions ORDER BY old_id"))

    def rows(self) -> Iterator[Row]:
        """All that is stored, by document id."""
        with closing(self._db.execute("SELECT * FROM documents ORDER BY doc_id")) as cursor:
            yield from map(_from_columns, cursor)

    def row(self, doc_id: str) -> Row:
        """What is stored of one document. Raises KeyError."""
        columns = self._db.execute("SELECT * FROM documents WHERE doc_id = ?", (doc_id,)).fetchone()
        if columns is None:
            raise KeyError(doc_id)
        return _from_columns(columns)

    def texts(self, doc_ids: Sequence[str]) -> list[str]:
        """The texts of stored documents, in order."""
        read = self._db.execute
        return [read("SELECT text FROM documents WHERE doc_id = ?", (doc_id,)).fetchone()[0] for doc_id in doc_ids]

    def close(self) -> None:
        self._db.close()

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._db.execute("BEGIN IMMEDIATE")
        with self._db:
            yield


def _to_columns(row: Row) -> tuple[str | int | bytes | None, ...]:
    document = row.document
    return (
        document.doc_id,
        _encodable(document.text),
        document.session_id,
        _encodable(document.speaker),
        document.created_at,
        document.lang,
        _json(sorted(document.scope)),
        _json(document.refs),
        document.supersedes,
        _encodable(document.index_text),
        _json(document.facts),
        _json(row.counts),
        row.length,
        _json(row.facts),
        None if row.vector is None else _to_blob(row.vector),
    )


def _from_columns(columns: tuple[Any, ...]) -> Row:
    return _rows.get(columns, _size(columns), lambda: _row(columns))


def _size(columns: tuple[Any, ...]) -> int:
    """The characters and bytes of a row, as good as all of them."""
    vector = columns[-1]
    return len(columns[1]) + len(columns[11]) + (len(vector) if vector is not None else 0)


def _row(columns: tuple[Any, ...]) -> Row:
    doc_id, text, session_id, speaker, created_at, lang, scope, refs, supersedes, index_text, given = columns[:11]
    counts, length, facts, vector = columns[11:]
    document = Document(
        doc_id=doc_id,
        text=text,
        session_id=session_id,
        speaker=speaker,
        created_at=created_at,
        lang=lang,
        scope=frozenset(_list(scope)),
        refs=tuple(_list(refs)),
        supersedes=supersedes,
        index_text=index_text,
        facts=_pairs(given),
    )
    return Row(
        document=document,
        counts=json.loads(counts),
        length=length,
        facts=_pairs(facts),
        # Read-only, as it lies in the bytes: a row that is kept is given out again.
        vector=None if vector is None else np.frombuffer(vector, dtype="<f4").astype(np.float32, copy=False),
    )


_rows: Kept[Row] = Kept(limit=32_000_000)  # characters and bytes of columns: about 100 MB
_json = json.JSONEncoder(separators=(",", ":")).encode


def _pairs(text: str) -> tuple[tuple[str, str], ...]:
    return tuple((key, value) for key, value in _list(text))


def _list(text: str) -> list[Any]:
    """A list as it was written; most are empty, and a store is read whole when it is opened."""
    return json.loads(text) if text != "[]" else []


def _to_blob(vector: NDArray[np.float32]) -> bytes:
    return vector.astype("<f4").tobytes()


def _encodable(text: str) -> str:
    """Halves of surrogate pairs, which UTF-8 cannot hold, become replacement characters."""
    return text if text.isascii() else text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
