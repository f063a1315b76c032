"""A plain store, the ways in which one like it gets a failing part wrong, and what the contract says of a store."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread

import numpy as np
from fakes import make_corpus

from gate.bench import run_trial
from gate.checks.fail_open import fail_open_checks
from gate.faults import FAULTS, faults_matching
from gate.ingest import Subject
from gate.measures import parse_measure
from gate.models import ARMS
from gate.models.hashed import HashedEmbedder
from gate.progress import Silent
from gate.protocols import Embedder, OpenStore, Reranker, Vectors
from gate.records import Check, Corpus, Document, ScoredDoc, SearchResult, Topic
from gate.score import score
from gate.settings import FailOpen
from gate.stop import Stop
from gate.stores.reference.worker import TooLate, Worker
from gate.trial import plan_trial

RECALL = parse_measure("R@5")
FRUITS = ("apple", "banana", "cherry", "damson", "elder", "fig", "grape", "hazel", "imbe", "kiwi", "lemon", "medlar")
PLACES = ("river", "mill", "church", "bridge", "station", "school")


class WordReranker:
    """The share of a text's words that the query has, and a little for short ones, so that few are alike."""

    name = "words"

    def score(self, query: str, texts: Sequence[str]) -> Sequence[float]:
        asked = set(query.lower().split())
        return [len(asked & set(text.lower().split())) + 1.0 / (1 + len(text)) for text in texts]


def orchards() -> Corpus:
    """Twelve orchards and a question of each, every second one longer than 40 characters."""
    places = [PLACES[number % 6] for number in range(12)]
    texts = {
        f"d{n:02}": f"the {fruit} orchard by the {place} has {n + 3} trees"
        for n, (fruit, place) in enumerate(zip(FRUITS, places, strict=True))
    }
    topics = [
        Topic(
            f"t{n:02}", f"{fruit} orchard" if n % 2 else f"how many trees stand in the {fruit} orchard by the {place}"
        )
        for n, (fruit, place) in enumerate(zip(FRUITS, places, strict=True))
    ]
    return make_corpus(texts, topics, {f"t{n:02}": {f"d{n:02}": 1} for n in range(12)})


def contract(
    open_store: OpenStore, faults: Sequence[str], folder: Path, modes: Sequence[str], rules: FailOpen | None = None
) -> dict[tuple[str, str, str], Check]:
    """A store measured under faults and held against the contract: the checks by mode, fault and rule."""
    rules = rules or FailOpen()
    subject = Subject(
        "store",
        open_store,
        ARMS["cpu-hash"],
        HashedEmbedder(),
        WordReranker(),
        30.0,
        Stop(),
        wrap=lambda store: store,
    )
    trial = plan_trial(
        subject,
        subject.declare(folder / "declared"),
        orchards(),
        slices=("*",),
        modes=modes,
        faults=faults_matching(faults),
        measures=[RECALL],
        within=rules.within,
    )
    outcome = run_trial(trial, folder / "trial", 10, Silent())
    recall = {
        key: score(run, trial.topics(key.mode, key.fault), trial.corpus, [RECALL]).values.get("R@5", {})
        for key, run in outcome.runs.items()
    }
    found: dict[tuple[str, str, str], Check] = {}
    for check in fail_open_checks(outcome.runs, recall, FAULTS, rules):
        *_, mode, fault = check.cell.split("/")
        found[mode, fault, check.check_id.rsplit(" ", 1)[1]] = check
    return found


class Plain:
    """Words shared, or the product of vectors, reranked or not. Errors of a part are survived, and told.

    What a part answers is taken as it comes: that is where this store is wrong.
    """

    name = "plain"
    modes = frozenset({"keyword", "vector", "rerank"})
    abilities = frozenset({"embedder", "reranker"})

    def __init__(self, path: Path, embedder: Embedder | None = None, reranker: Reranker | None = None) -> None:
        assert embedder is not None
        assert reranker is not None
        self.embedder, self.reranker = embedder, reranker
        self.texts: dict[str, str] = {}
        self.vectors: dict[str, Vectors] = {}

    def environment(self) -> Mapping[str, str]:
        return {}

    def add(self, documents: Sequence[Document]) -> None:
        made = self.embedder.embed([document.text for document in documents], "document")
        self.texts |= {document.doc_id: document.text for document in documents}
        self.vectors |= {document.doc_id: row for document, row in zip(documents, made, strict=True)}

    def count(self) -> int:
        return len(self.texts)

    def close(self) -> None:
        pass

    def search(self, query: str, k: int, mode: str, scope: frozenset[str] = frozenset()) -> SearchResult:
        degraded: set[str] = set()
        ranked = self.by_words(query)
        if mode != "keyword":
            try:
                ranked = self.nearest(self.vector(query))
            except Exception:
                self.without("embedder", degraded)
        if mode == "rerank":
            try:
                ranked = self.reranked(ranked, self.scores(query, [self.texts[doc_id] for doc_id in ranked]))
            except Exception:
                self.without("reranker", degraded)
        hits = tuple(ScoredDoc(doc_id, 1.0 / rank) for rank, doc_id in enumerate(ranked[:k], start=1))
        return SearchResult(hits, frozenset(degraded))

    def without(self, part: str, degraded: set[str]) -> None:
        degraded.add(part)

    def vector(self, query: str) -> Vectors:
        return self.embedder.embed([query], "query")

    def scores(self, query: str, texts: Sequence[str]) -> Sequence[float]:
        return self.reranker.score(query, texts)

    def by_words(self, query: str) -> list[str]:
        asked = set(query.lower().split())
        shared = {doc_id: len(asked & set(text.split())) for doc_id, text in self.texts.items()}
        return sorted((doc_id for doc_id in shared if shared[doc_id]), key=lambda doc_id: (-shared[doc_id], doc_id))

    def nearest(self, rows: Vectors) -> list[str]:
        if not len(rows):
            return []
        row = np.resize(rows[0], self.embedder.dimension)
        close = {
            doc_id: float(vector @ row) / float(np.sqrt(vector @ vector)) for doc_id, vector in self.vectors.items()
        }
        return sorted(close, key=lambda doc_id: (-close[doc_id], doc_id))

    def reranked(self, ranked: Sequence[str], scores: Sequence[float]) -> list[str]:
        pairs = dict(zip(ranked, scores, strict=False))
        return sorted(pairs, key=lambda doc_id: (-pairs[doc_id], doc_id))


class Naked(Plain):
    """Lets every error of a part through."""

    def without(self, part: str, degraded: set[str]) -> None:
        raise RuntimeError(f"no {part}")


class Quiet(Plain):
    """Falls back and says nothing."""

    def without(self, part: str, degraded: set[str]) -> None:
        pass


class Latched(Plain):
    """Never asks an embedder again that failed once."""

    failed = False

    def vector(self, query: str) -> Vectors:
        if self.failed:
            raise RuntimeError("it failed before")
        try:
            return super().vector(query)
        except RuntimeError:
            self.failed = True
            raise


class Cached(Plain):
    """Keeps what came of a query, failures too."""

    def __init__(self, path: Path, embedder: Embedder | None = None, reranker: Reranker | None = None) -> None:
        super().__init__(path, embedder, reranker)
        self.kept: dict[str, Vectors | None] = {}

    def vector(self, query: str) -> Vectors:
        if query not in self.kept:
            try:
                self.kept[query] = super().vector(query)
            except RuntimeError:
                self.kept[query] = None
        kept = self.kept[query]
        if kept is None:
            raise RuntimeError("it failed before")
        return kept


class Anxious(Plain):
    """Says that it went without the embedder whether it did or not, once it had to."""

    anxious = False

    def search(self, query: str, k: int, mode: str, scope: frozenset[str] = frozenset()) -> SearchResult:
        found = super().search(query, k, mode, scope)
        self.anxious = self.anxious or bool(found.degraded)
        return SearchResult(found.hits, frozenset({"embedder"}) if self.anxious and mode != "keyword" else frozenset())


def patience(embedder: Embedder) -> float:
    """Seconds to wait for a vector: a moment where it will not come, so that no test rests on how busy a machine is."""
    return 0.05 if getattr(embedder, "armed", False) else 30.0


class Patient(Plain):
    """Waits for a vector for a moment and then answers by words, and says so."""

    def __init__(self, path: Path, embedder: Embedder | None = None, reranker: Reranker | None = None) -> None:
        super().__init__(path, embedder, reranker)
        self.worker = Worker("patient")

    def vector(self, query: str) -> Vectors:
        return self.worker.call(lambda: super(Patient, self).vector(query), patience(self.embedder))

    def close(self) -> None:
        self.worker.close()


class PatientAndSilent(Patient):
    """Waits for a moment, answers by words, and says nothing."""

    def without(self, part: str, degraded: set[str]) -> None:
        pass


class Mixed(Plain):
    """Takes whatever vector comes back next for the one that it asked for: after a late one it is one behind."""

    def __init__(self, path: Path, embedder: Embedder | None = None, reranker: Reranker | None = None) -> None:
        super().__init__(path, embedder, reranker)
        self.answers: SimpleQueue[Vectors] = SimpleQueue()

    def vector(self, query: str) -> Vectors:
        def ask() -> None:
            self.answers.put(self.embedder.embed([query], "query"))

        Thread(target=ask, daemon=True).start()
        try:
            return self.answers.get(timeout=patience(self.embedder))
        except Empty:
            raise TooLate from None
