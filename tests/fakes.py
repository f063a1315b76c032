"""A small store in memory that behaves, with switches by which it does not; and tiny corpora to put into it."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from gate.ingest import Subject
from gate.models import ARMS
from gate.plan import Declared
from gate.protocols import Embedder, Reranker, Store, Vectors
from gate.records import Corpus, Document, Evidence, ScoredDoc, SearchResult, Slice, Topic
from gate.stop import Stop

T = TypeVar("T")
ALL_MODES = frozenset({"keyword", "vector", "hybrid", "rerank", "facts"})
ALL_ABILITIES = frozenset({"update", "delete", "supersede", "scope", "reopen", "evidence", "embedder", "reranker"})
NEEDS_EMBEDDER = frozenset({"vector", "hybrid", "rerank"})
FRUITS = ("apple", "banana", "cherry", "damson", "elder", "fig", "grape", "hazel", "imbe", "kiwi", "lemon", "nectarine")
LETTERS = "abcdefghijklmnopqrstuvwxyz"


class LetterEmbedder:
    """How often each letter occurs: enough to tell texts apart, and to work out by hand."""

    name = "letters"
    dimension = len(LETTERS)

    def embed(self, texts: Sequence[str], kind: str) -> Vectors:
        return np.array([[text.lower().count(letter) for letter in LETTERS] for text in texts], dtype=np.float32)


class LengthReranker:
    """The shortest text first."""

    name = "length"

    def score(self, query: str, texts: Sequence[str]) -> Sequence[float]:
        return [-float(len(text)) for text in texts]


@dataclass
class Switches:
    """How a `FakeStore` misbehaves, over all its instances. The empty ones behave.

    `raises` and `answers` map a mode, a query, or a method's name, to an error to raise or to
    what to return instead. `hangs` names modes, queries or methods that wait for `release`.
    """

    name: object = "fake"
    modes: object = ALL_MODES
    abilities: object = ALL_ABILITIES
    raises: dict[str, BaseException] = field(default_factory=dict)
    answers: dict[str, Any] = field(default_factory=dict)
    hangs: set[str] = field(default_factory=set)
    release: threading.Event = field(default_factory=threading.Event)
    count_off_by: int = 0
    more_than_k: bool = False
    duplicates: bool = False
    noisy: bool = False
    noisy_when_opened: bool = False
    prints: bool = False
    leaves_thread: bool = False
    memoises_vectors: bool = False
    memoises_answers: bool = False
    silent: bool = False
    always_degraded: bool = False
    empty_fallback: bool = False
    raises_without_embedder: bool = False
    opened: int = 0
    closed: int = 0
    log: list[tuple[object, ...]] = field(default_factory=list)
    threads: set[int] = field(default_factory=set)
    vectors: dict[str, Vectors] = field(default_factory=dict)

    def open_store(self, path: Path, embedder: Embedder | None = None, reranker: Reranker | None = None) -> Store:
        self.opened += 1
        self.trouble("open")
        return FakeStore(self, path, embedder, reranker)

    def trouble(self, *names: str) -> None:
        self.threads.add(threading.get_ident())
        for name in names:
            if name in self.hangs:
                self.release.wait()
            if name in self.raises:
                raise self.raises[name]

    def asked(self, method: str) -> list[tuple[object, ...]]:
        """The arguments of every call of a method."""
        return [call[1:] for call in self.log if call[0] == method]


class FakeStore:
    """Keyword: the most query words; vector: the least sum of differences; hybrid: both ranks added.

    Rerank reorders keyword's hits; facts returns those that state one. Ties break by id.
    Everything stands in a folder as one file a document, so that it can be reopened.
    """

    def __init__(self, switches: Switches, path: Path, embedder: Embedder | None, reranker: Reranker | None) -> None:
        self.switches = switches
        self.name: Any = switches.name
        self.modes: Any = switches.modes
        self.abilities: Any = switches.abilities
        self._number = switches.opened
        self._path, self._embedder, self._reranker = path, embedder, reranker
        self._documents: dict[str, Document] = {}
        self._vectors: dict[str, Vectors] = {}
        self._heirs: dict[str, str] = {}
        self._remembered: dict[tuple[str, str], SearchResult] = {}
        self._asked: Counter[tuple[str, str]] = Counter()
        for file in sorted(path.glob("*.doc")):
            doc_id, scope, fact, text = file.read_text(encoding="utf-8").split("\n", 3)
            facts = ((fact, fact),) if fact else ()
            self._put(Document(doc_id, text, scope=frozenset(scope.split()), facts=facts))

    def _put(self, document: Document) -> None:
        self._documents[document.doc_id] = document
        if self._embedder is not None:
            self._vectors[document.doc_id] = self._embedder.embed([document.text], "document")

    def environment(self) -> Mapping[str, str]:
        self.switches.trouble("environment")
        return self._answer("environment", {"engine": "fake 1"})

    def add(self, documents: Sequence[Document]) -> None:
        self.switches.log.append(("add", *(document.doc_id for document in documents)))
        self.switches.trouble("add")
        for document in documents:
            self._put(document)
            fact = document.facts[0][0] if document.facts else ""
            text = "\n".join((document.doc_id, " ".join(sorted(document.scope)), fact, document.text))
            (self._path / f"{document.doc_id}.doc").write_text(text, encoding="utf-8")

    def update(self, document: Document) -> None:
        self.add([document])

    def delete(self, doc_id: str) -> None:
        self.switches.log.append(("delete", doc_id))
        self.switches.trouble("delete")
        del self._documents[doc_id]
        (self._path / f"{doc_id}.doc").unlink()

    def supersede(self, old_id: str, new_id: str) -> None:
        self.switches.log.append(("supersede", old_id, new_id))
        self.switches.trouble("supersede")
        self._heirs[old_id] = new_id

    def count(self) -> int:
        self.switches.trouble("count")
        return self._answer("count", len(self._documents) + self.switches.count_off_by)

    def close(self) -> None:
        self.switches.closed += 1
        self.switches.trouble("close")

    def search(self, query: str, k: int, mode: str, scope: frozenset[str] = frozenset()) -> SearchResult:
        switches = self.switches
        switches.log.append(("search", query, k, mode, scope))
        if switches.prints:
            print("printed by the store")
            os.write(1, b"written to descriptor 1\n")
            os.write(2, b"written to descriptor 2\n")
            subprocess.run([sys.executable, "-c", "print('printed by a child process')"], check=True)
        if switches.leaves_thread:
            threading.Thread(target=switches.release.wait, name="left-behind").start()
        switches.trouble(mode, query)
        remembered = self._remembered.get((query, mode))
        if remembered is not None and switches.memoises_answers:
            return remembered
        result = self._search(query, k, mode, scope)
        self._remembered[query, mode] = result
        return self._answer(query, self._answer(mode, result))

    def _answer(self, what: str, well: T) -> T:
        answer: T = self.switches.answers.get(what, well)
        return answer

    def _search(self, query: str, k: int, mode: str, scope: frozenset[str]) -> SearchResult:
        self._asked[query, mode] += 1
        degraded = {"embedder"} if self.switches.always_degraded else set()
        ranked = self._keyword(query)
        if mode == "facts":
            ranked = [doc_id for doc_id in ranked if self._documents[doc_id].facts]
        if mode in NEEDS_EMBEDDER:
            close = self._vector(query)
            if close is None:
                degraded.add("embedder")
                ranked = [] if self.switches.empty_fallback else ranked
            elif mode == "vector":
                ranked = close
            elif mode == "hybrid":
                found = set(ranked)
                keyword = {doc_id: rank for rank, doc_id in enumerate(ranked)}
                worst = len(close)
                order = {doc_id: rank + keyword.get(doc_id, worst) for rank, doc_id in enumerate(close)}
                ranked = sorted(set(close) | found, key=lambda doc_id: (order[doc_id], doc_id))
        if mode == "rerank" and self._reranker is not None:
            scores = self._reranker.score(query, [self._documents[doc_id].text for doc_id in ranked])
            ranked = [doc_id for _, doc_id in sorted(zip((-s for s in scores), ranked, strict=True))]
        ranked = list(dict.fromkeys(self._heirs.get(doc_id, doc_id) for doc_id in ranked))
        if scope:
            ranked = [doc_id for doc_id in ranked if self._documents[doc_id].scope <= scope]
        if self.switches.noisy and self._asked[query, mode] % 2 == 0:
            ranked = ranked[::-1]
        if self.switches.noisy_when_opened and self._number % 2 == 0:
            ranked = ranked[::-1]
        if not self.switches.more_than_k:
            ranked = ranked[:k]
        if self.switches.duplicates:
            ranked = [doc_id for doc_id in ranked for _ in range(2)]
        hits = tuple(ScoredDoc(doc_id, 1.0 / rank) for rank, doc_id in enumerate(ranked, start=1))
        told = frozenset() if self.switches.silent else frozenset(degraded)
        return SearchResult(hits, told, evidence=Evidence(bool(hits), 1.0 if hits else 0.0))

    def _keyword(self, query: str) -> list[str]:
        words = set(query.lower().split())
        shared = {doc_id: len(words & set(one.text.lower().split())) for doc_id, one in self._documents.items()}
        return sorted((doc_id for doc_id in shared if shared[doc_id]), key=lambda doc_id: (-shared[doc_id], doc_id))

    def _vector(self, query: str) -> list[str] | None:
        """Documents by the distance of their vectors; None where the embedder fails."""
        assert self._embedder is not None
        try:
            vector = self._embedded(query)
        except Exception:
            if self.switches.raises_without_embedder:
                raise
            return None
        if not np.isfinite(vector).all() or not vector.any():
            return None
        far = {i: float(abs(self._vectors[i] - vector).sum()) for i in self._documents}
        return sorted(far, key=lambda doc_id: (far[doc_id], doc_id))

    def _embedded(self, query: str) -> Vectors:
        assert self._embedder is not None
        kept = self.switches.vectors if self.switches.memoises_vectors else {}
        if query not in kept:
            kept[query] = self._embedder.embed([query], "query")
        return kept[query]


def make_corpus(
    texts: Mapping[str, str] | Sequence[Document],
    topics: Iterable[Topic],
    qrels: Mapping[str, Mapping[str, int]],
    *,
    slices: tuple[Slice, ...] = (),
    deletions: tuple[str, ...] = (),
    pinned: str = "",
) -> Corpus:
    """A corpus from texts by id, or from documents."""
    documents = [Document(*pair) for pair in texts.items()] if isinstance(texts, Mapping) else list(texts)

    def stream() -> Iterator[Document]:
        return iter(documents)

    return Corpus("tiny", "smoke", stream, tuple(topics), qrels, {}, slices, deletions, pinned)


def fruit_corpus(pinned: str = "") -> Corpus:
    """Twelve documents and topics; topic `tN` shares both its words with document `dN` alone."""
    texts = {f"d{number}": f"the {fruit} orchard" for number, fruit in enumerate(FRUITS)}
    topics = [Topic(f"t{number}", f"{fruit} orchard") for number, fruit in enumerate(FRUITS)]
    return make_corpus(texts, topics, {f"t{number}": {f"d{number}": 1} for number in range(12)}, pinned=pinned)


def make_subject(switches: Switches, *, timeout: float = 30.0, stop: Stop | None = None) -> Subject:
    """The fake as the gate is given it, with parts that can be worked out by hand."""
    arm = ARMS["cpu-hash"]
    return Subject(
        "fake",
        switches.open_store,
        arm,
        LetterEmbedder(),
        LengthReranker(),
        timeout,
        stop or Stop(),
        wrap=lambda store: store,
    )


def declared(switches: Switches) -> Declared:
    """What a fake with legal switches declares."""
    return Declared(str(switches.name), _names(switches.modes), _names(switches.abilities))


def _names(value: object) -> frozenset[str]:
    assert isinstance(value, frozenset)
    return value
