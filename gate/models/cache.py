"""Vectors that were made before, in one SQLite file that several processes may share.

What changes a vector is part of its key: the model with its files and settings, the device by its
name, the version of what runs the model, the side of a prefix, and the text. A search whose vectors
are looked up says nothing about time, so arms that do it have no latency to measure.
"""

from __future__ import annotations

import os
import sqlite3
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from hashlib import blake2b, sha256
from pathlib import Path

from gate.models.paths import at_home
from gate.models.place import fetched_folder

FILE = "GATE_VECTORS"  # the variable that names the file; `off` keeps nothing
OFF = "off"
LARGEST = 4 << 30  # bytes; beyond it the oldest quarter goes
PATIENCE = 30.0  # seconds to wait for another process that writes
SHORT = 0.2  # the same for each text that a store waits for: it waits little longer for its embedder
OPENING = 2.0  # seconds to wait for another process that makes the file
PAUSE = 0.02  # seconds between two tries to open a new file that others open too
AT_ONCE = 500  # keys in one question
SEAL = 8  # bytes that prove a row: SQLite does not notice when a bit of a value is another
_SCHEMA = "CREATE TABLE IF NOT EXISTS vector (key BLOB PRIMARY KEY, value BLOB NOT NULL, cut INTEGER NOT NULL)"


def cache_file() -> Path | None:
    """Where vectors are kept: GATE_VECTORS, else beside the fetched models; None where they are not."""
    given = os.environ.get(FILE, "")
    if given.strip().lower() == OFF:
        return None
    return at_home(given, FILE) if given else fetched_folder().parent / "vectors.sqlite"


def key_of(*parts: str) -> bytes:
    """The key of what `parts` tell apart. No two lists of parts share one."""
    digest = sha256()
    for part in parts:
        raw = part.encode("utf-8", "surrogatepass")
        digest.update(len(raw).to_bytes(8, "big"))
        digest.update(raw)
    return digest.digest()


class VectorCache:
    """Bytes by key, each with whether its text was cut. A file that cannot be used costs time, never a result.

    Threads take turns at one connection. A forked process opens its own, and never touches the one that it finds:
    SQLite's locks are broken even by closing that (https://www.sqlite.org/howtocorrupt.html, section 2.6).
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock, self._process = threading.Lock(), os.getpid()
        self._connection: sqlite3.Connection | None = None
        self._of_parents: list[sqlite3.Connection | None] = []
        self._broken = False

    def get(self, keys: Sequence[bytes]) -> dict[bytes, tuple[bytes, bool]]:
        """What is known of those keys."""
        found: dict[bytes, tuple[bytes, bool]] = {}

        def read(connection: sqlite3.Connection) -> None:
            for start in range(0, len(keys), AT_ONCE):
                part = keys[start : start + AT_ONCE]
                marks = ",".join("?" * len(part))
                rows = connection.execute(f"SELECT key, value, cut FROM vector WHERE key IN ({marks})", part)
                for key, value, cut in rows:
                    # Another program may have put anything there.
                    if isinstance(key, bytes) and isinstance(value, bytes) and len(value) >= SEAL:
                        known = value[:-SEAL]
                        if value[-SEAL:] == _seal(key, known, bool(cut)):
                            found[key] = known, bool(cut)

        self._use(read)
        return found

    def put(self, made: Mapping[bytes, tuple[bytes, bool]], patience: float = PATIENCE) -> None:
        """Keeps what was made, in the place of a row that could not be used."""

        def write(connection: sqlite3.Connection) -> None:
            connection.execute(f"PRAGMA busy_timeout={min(patience, PATIENCE) * 1000:.0f}")
            with connection:
                rows = [(key, value + _seal(key, value, cut), int(cut)) for key, (value, cut) in made.items()]
                connection.executemany(
                    "INSERT INTO vector VALUES (?, ?, ?)"
                    " ON CONFLICT (key) DO UPDATE SET value = excluded.value, cut = excluded.cut",
                    rows,
                )
                self._bound(connection)

        self._use(write)

    def _bound(self, connection: sqlite3.Connection) -> None:
        (pages,), (size,), (free,) = (
            connection.execute(f"PRAGMA {name}").fetchone() for name in ("page_count", "page_size", "freelist_count")
        )
        if (pages - free) * size > LARGEST:
            connection.execute(
                "DELETE FROM vector WHERE rowid IN"
                " (SELECT rowid FROM vector ORDER BY rowid LIMIT (SELECT COUNT(*) / 4 FROM vector))"
            )

    def _use(self, task: Callable[[sqlite3.Connection], None]) -> None:
        """Does a task with the file, as long as the file proves of use."""
        if os.getpid() != self._process:
            # A thread that is not here may hold the lock.
            self._lock, self._process = threading.Lock(), os.getpid()
            self._of_parents.append(self._connection)
            self._connection = None
        with self._lock:
            if self._broken:
                return
            try:
                if self._connection is None:
                    self._connection = _opened(self.path)
                task(self._connection)
            except (sqlite3.Error, OSError, ValueError) as error:
                self._broken = True
                with suppress(OSError, ValueError):
                    print(f"Vectors are not kept: {self.path}: {error}", file=sys.stderr)


def _opened(path: Path) -> sqlite3.Connection:
    """A connection to a file that is ours, or new; that of another is left alone. Raises sqlite3.Error, OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    connection = sqlite3.connect(path, timeout=0, check_same_thread=False)
    tries = int(OPENING / PAUSE)
    while True:
        try:
            tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
            if foreign := sorted(name for name in tables - {"vector"} if not name.startswith("sqlite_")):
                raise sqlite3.DatabaseError(f"it is the database of something else: it has a table {foreign[0]}")
            if tables:
                connection.execute("SELECT key, value, cut FROM vector LIMIT 0")
            connection.execute("PRAGMA journal_mode=WAL")
            connection.execute("PRAGMA synchronous=OFF")
            connection.execute(_SCHEMA)
            connection.execute(f"PRAGMA busy_timeout={SHORT * 1000:.0f}")
            return connection
        except sqlite3.Error as error:
            # Two that open a new file at once: SQLite does not wait with that by itself.
            if getattr(error, "sqlite_errorcode", None) != sqlite3.SQLITE_BUSY or not tries:
                connection.close()
                raise
            tries -= 1
            threading.Event().wait(PAUSE)


def _seal(key: bytes, value: bytes, cut: bool) -> bytes:
    return blake2b(value, digest_size=SEAL, key=key, salt=b"cut" if cut else b"").digest()
