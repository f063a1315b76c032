"""Makes this project's search searchable by Retrieval Gate, which opens it with `open_store`.

It works as it stands, on a plain keyword search in memory, so that the first run is green. Put
your own search in its place one function at a time: first `add` and `count`, then `search`. Run
`gate run` after each. The rules: docs/writing-a-driver.md of Retrieval Gate.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from gate.protocols import Embedder, Reranker
from gate.records import Document, ScoredDoc, SearchResult

WORD = re.compile(r"\w+")


class Driver:
    """One opened store: an empty one, filled by `add` and then searched."""

    # It stands in cells and file names: a-z, 0-9 and single hyphens.
    name = "driver-template"
    # How it can be searched, of: keyword, vector, hybrid, rerank, facts. All that stand here are measured.
    modes = frozenset({"keyword"})
    # What else it can do, of: update, delete, supersede, scope, reopen, evidence, embedder, reranker.
    abilities: frozenset[str] = frozenset()

    def __init__(self, path: Path) -> None:
        # An empty folder of this store's own: a database or an index file belongs here.
        self.path = path
        # In each document that has the word, how often: word -> document id -> times.
        self.postings: dict[str, Counter[str]] = {}
        # How many words each document has.
        self.lengths: dict[str, int] = {}

    def environment(self) -> Mapping[str, str]:
        """What really runs: the model, the device, the versions of the libraries behind the search."""
        return {"engine": "keyword search in memory"}

    def add(self, documents: Sequence[Document]) -> None:
        """Stores a batch. All of it can be found when this returns."""
        for document in documents:
            found = words(document.index_text or document.text)
            self.lengths[document.doc_id] = len(found)
            for word, times in Counter(found).items():
                self.postings.setdefault(word, Counter())[document.doc_id] = times

    def count(self) -> int:
        """How many documents are stored. It is compared with what was added."""
        return len(self.lengths)

    def search(self, query: str, k: int, mode: str, scope: frozenset[str] = frozenset()) -> SearchResult:
        """At most `k` documents, the best first. `mode` is one of `modes`: the place to tell them apart."""
        average = sum(self.lengths.values()) / max(1, len(self.lengths)) or 1.0
        scores: dict[str, float] = {}
        for word in dict.fromkeys(words(query)):
            found = self.postings.get(word, Counter())
            rarity = math.log(1 + len(self.lengths) / (1 + len(found)))
            for doc_id, times in found.items():
                length = self.lengths[doc_id] / average
                scores[doc_id] = scores.get(doc_id, 0.0) + rarity * times / (times + 0.3 + 0.9 * length)
        # Equal scores are put in the order of the ids, so that the same search gives the same ranks.
        best = sorted(scores, key=lambda doc_id: (-round(scores[doc_id], 9), doc_id))[:k]
        return SearchResult(tuple(ScoredDoc(doc_id, scores[doc_id]) for doc_id in best))

    def close(self) -> None:
        """Lets go of files, connections and threads."""
        self.postings.clear()
        self.lengths.clear()


def words(text: str) -> list[str]:
    """What is looked up: runs of letters and digits, whatever their case."""
    return WORD.findall(text.casefold())


def open_store(path: Path, embedder: Embedder | None = None, reranker: Reranker | None = None) -> Driver:
    """Opens a store in an empty folder. One that takes the gate's embedder declares it in `abilities`."""
    return Driver(path)
