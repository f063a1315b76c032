"""Models whose vectors are looked up before they are made."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from gate.models.cache import SHORT, VectorCache, key_of
from gate.protocols import Embedder, Vectors

HELD = 512 << 20  # bytes of token vectors held in memory
EMBEDDED_AT_ONCE = 256

Matrix = NDArray[np.int8]


class CachedEmbedder:
    """An embedder that makes each vector once; of queries that are `live`, with each search.

    `said` is what changes a vector beside the text and its kind. Without a cache all are made each time; which
    documents were cut is known all the same.
    """

    def __init__(self, embedder: Embedder, cache: VectorCache | None, said: str, *, live: bool = False) -> None:
        self.embedder, self._cache, self._said, self._live = embedder, cache, said, live
        self.name, self.dimension = embedder.name, embedder.dimension
        self._cut: set[bytes] = set()

    @property
    def truncated(self) -> int:
        """How many documents were cut at the longest length, looked up or made."""
        return len(self._cut)

    def embed(self, texts: Sequence[str], kind: str) -> Vectors:
        """One row a text, in order."""
        keys = [key_of("embedding", self._said, kind, text) for text in texts]
        cache = self._cache if kind == "document" or not self._live else None
        known = cache.get(list(dict.fromkeys(keys))) if cache is not None else {}
        known = {key: row for key, row in known.items() if len(row[0]) == 4 * self.dimension}
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
        for part in _parts(list(missing.items())):
            # Of queries nobody asks it, and a search that is timed would wait for it.
            those = [text for _, text in part]
            cut = cuts_of(self.embedder, those, kind) if kind == "document" else [False] * len(part)
            made = np.asarray(self.embedder.embed(those, kind), dtype=np.float32)
            new = {key: (row.astype("<f4").tobytes(), one) for (key, _), row, one in zip(part, made, cut, strict=True)}
            if cache is not None:
                cache.put(new, SHORT * len(new))
            known.update(new)
        if kind == "document":
            self._cut.update(key for key in keys if known[key][1])
        if not keys:
            return np.zeros((0, self.dimension), dtype=np.float32)
        return np.stack([np.frombuffer(known[key][0], dtype="<f4").astype(np.float32) for key in keys])


class KeptTokens:
    """The token vectors of texts: in memory as far as they fit, and in the cache."""

    def __init__(self, cache: VectorCache | None, said: str, dimension: int) -> None:
        self._cache, self._said, self._dimension = cache, said, dimension
        self._held: dict[bytes, Matrix] = {}
        self._bytes = 0

    def get(self, texts: Sequence[str]) -> dict[str, Matrix]:
        """What is known of those texts, each [tokens, dimension] of whole numbers."""
        keys = {text: self._key(text) for text in texts}
        missing = [key for key in keys.values() if key not in self._held]
        found = {}
        if missing and self._cache is not None:
            for key, (value, _) in self._cache.get(missing).items():
                if value and len(value) % self._dimension == 0:
                    found[key] = np.frombuffer(value, dtype=np.int8).reshape(-1, self._dimension)
        known = {**{key: self._held[key] for key in keys.values() if key in self._held}, **found}
        self._hold(found)
        return {text: known[key] for text, key in keys.items() if key in known}

    def put(self, made: dict[str, Matrix]) -> None:
        """Keeps what was made."""
        new = {self._key(text): matrix for text, matrix in made.items()}
        if self._cache is not None:
            self._cache.put({key: (matrix.tobytes(), False) for key, matrix in new.items()}, SHORT)
        self._hold(new)

    def _key(self, text: str) -> bytes:
        return key_of("whole tokens", self._said, text)

    def _hold(self, new: dict[bytes, Matrix]) -> None:
        for key, matrix in new.items():
            self._held[key] = matrix
            self._bytes += matrix.nbytes
        while self._bytes > HELD and self._held:
            self._bytes -= self._held.pop(next(iter(self._held))).nbytes


def cuts_of(model: object, texts: Sequence[str], kind: str) -> list[bool]:
    """Which texts are too long for a model; none where it does not say."""
    asked: Callable[[Sequence[str], str], list[bool]] | None = getattr(model, "cuts", None)
    return asked(texts, kind) if asked is not None else [False] * len(texts)


def _parts(items: list[tuple[bytes, str]]) -> Iterator[list[tuple[bytes, str]]]:
    for start in range(0, len(items), EMBEDDED_AT_ONCE):
        yield items[start : start + EMBEDDED_AT_ONCE]
