"""The stage that stores a corpus: streams documents into a store, then lets it live its events.

Documents are added as they come; replacements and deletions follow, in the order of
`created_at`, once all are there. The digest is computed from the documents that were really
handed over, so that what is verified is what was stored.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from gate.corpus.digest import CorpusDigest
from gate.errors import StoreError
from gate.guard import Guard, Stopped
from gate.models import Arm
from gate.plan import Declared
from gate.protocols import Embedder, OpenStore, Reranker, Store, Truncates
from gate.records import Corpus, Document, Ingest
from gate.stop import Stop
from gate.stores import CONTROLS

BATCH = 256


@dataclass(frozen=True, slots=True)
class Subject:
    """A store to be gated on an arm, and how to open it.

    `embedder` and `reranker` are the arm's, opened once; `facts` say what they are and where they run.
    `looked_up` says that they may know the vectors of queries from before.
    """

    spec: str
    open_store: OpenStore
    arm: Arm
    embedder: Embedder | None
    reranker: Reranker | None
    timeout: float
    stop: Stop
    wrap: Callable[[Store], Store]
    facts: Mapping[str, str] = field(default_factory=dict)
    looked_up: bool = False

    def declare(self, path: Path) -> Declared:
        """What the store says of itself when it is opened empty. Raises StoreError."""
        guard = self._open(path)
        guard.close()
        return _declared(guard)

    def open(self, path: Path, declared: Declared) -> Guard:
        """The store opened at `path`. Raises StoreError, also where it declares anything else than before."""
        guard = self._open(path)
        if _declared(guard) != declared:
            _leave(guard)
            raise StoreError(
                "store-changed",
                "it declares another name, other modes or other abilities than when it was first opened",
                where=f"{declared.name}, open",
            )
        return guard

    @property
    def models(self) -> tuple[str, str]:
        """The names of its embedder and reranker; `none` where it has none."""
        return (
            self.embedder.name if self.embedder is not None else "none",
            self.reranker.name if self.reranker is not None else "none",
        )

    def fingerprint(self) -> dict[str, str]:
        """What the arm is and where it ran; how many documents were too long for the embedder, where it says that."""
        cut: dict[str, str] = (
            {"embedder.truncated": str(self.embedder.truncated)} if isinstance(self.embedder, Truncates) else {}
        )
        return {**self.facts, **cut}

    def _open(self, path: Path) -> Guard:
        try:
            path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StoreError(
                "store-folder", f"its folder {path} cannot be made: {error.strerror}", where=f"{self.spec}, open"
            ) from None
        return Guard(
            self.open_store,
            path,
            self.embedder,
            self.reranker,
            timeout=self.timeout,
            stop=self.stop,
            wrap=self.wrap,
            known_as=self.spec,
            told=self.spec in CONTROLS,
        )


@dataclass(frozen=True, slots=True)
class AtRest:
    """A corpus that was stored and closed: what storing it showed, and its folder, which others are copied from."""

    stored: Ingest
    folder: Path


def _declared(guard: Guard) -> Declared:
    return Declared(guard.name, guard.modes, guard.abilities)


def _leave(guard: Guard) -> None:
    """Closes a store about which something worse is already known."""
    try:
        guard.close()
    except (StoreError, Stopped):
        return


def ingest(guard: Guard, corpus: Corpus, stop: Stop, tick: Callable[[int], None]) -> Ingest:
    """Stores the whole corpus. What goes wrong is the result's `failure`; Stopped is raised through."""
    origin = corpus.units.origin if corpus.units else corpus
    digest = CorpusDigest(origin)
    stored, seconds = 0, 0.0
    replaced: list[tuple[str, str, str]] = []
    counted: dict[str, str] = {}
    stream = _digested(origin, digest)
    if corpus.units:
        stream = corpus.units.make(stream)
    try:
        while batch := tuple(islice(stream, BATCH)):
            if stop.requested:
                raise Stopped(stop)
            for document in batch:
                counted[document.doc_id] = corpus.counts_as(document)
                if document.supersedes:
                    replaced.append((document.created_at, document.supersedes, document.doc_id))
            seconds += guard.add(batch)
            stored += len(batch)
            tick(len(batch))
        if "supersede" in guard.abilities:
            for _, old, new in sorted(replaced):
                seconds += guard.supersede(old, new)
        if "delete" in guard.abilities:
            for doc_id in dict.fromkeys(corpus.deletions):
                seconds += guard.delete(doc_id)
        guard.reveal(answers(corpus))
        failure = _miscount(guard, corpus, stored) if stored else "the corpus has no documents"
        environment = guard.environment()
    except StoreError as error:
        return Ingest(digest.hexdigest(), stored, seconds, failure=f"{error.where}: {error.what}")
    sessions = counted if corpus.units and corpus.units.dedup else {}
    return Ingest(
        digest.hexdigest(), stored, seconds, environment, failure, frozenset(counted.values()), sessions=sessions
    )


def read_through(corpus: Corpus) -> tuple[str, frozenset[str]]:
    """The digest of a corpus, and the ids under which its documents are judged, without a store."""
    origin = corpus.units.origin if corpus.units else corpus
    digest = CorpusDigest(origin)
    stream = _digested(origin, digest)
    documents = corpus.units.make(stream) if corpus.units else stream
    ids = frozenset(corpus.counts_as(document) for document in documents)
    return digest.hexdigest(), ids


def _digested(corpus: Corpus, digest: CorpusDigest) -> Iterator[Document]:
    """The documents, each counted into the digest as it goes by: it is of the corpus, whatever units are made of it."""
    for document in corpus.documents():
        digest.add(document)
        yield document


def open_again(
    subject: Subject, declared: Declared, corpus: Corpus, path: Path, stored: Ingest, master: Path | None
) -> Guard:
    """The corpus in a store opened anew at `path`.

    It is reopened from a copy of `master`, the folder of one that holds the corpus and was
    closed; where there is none it is stored again. `stored` is what storing it the first time
    showed. Raises StoreError, also where other documents are in it than then, or Stopped.
    """
    if subject.stop.requested:
        raise Stopped(subject.stop)
    if master is not None:
        try:
            shutil.copytree(master, path, symlinks=True)
        except OSError as error:
            # copytree lists all that it could not copy, one (from, to, why) each.
            why = error.args[0][0][-1] if isinstance(error, shutil.Error) else error.strerror
            raise StoreError(
                "store-copy", f"its closed folder cannot be copied: {why}", where=f"{declared.name}, reopen"
            ) from None
    guard = subject.open(path, declared)
    try:
        if master is not None:
            guard.reveal(answers(corpus))
            failure = _miscount(guard, corpus, stored.documents)
        else:
            again = ingest(guard, corpus, subject.stop, lambda _: None)
            failure = again.failure
            if not failure and again.digest != stored.digest:
                failure = f"the corpus {corpus.label} has changed since it was first stored"
        if failure:
            raise StoreError("store-again", failure, where=f"{declared.name}, opened again")
    except (StoreError, Stopped):
        _leave(guard)
        raise
    return guard


def _miscount(guard: Guard, corpus: Corpus, stored: int) -> str:
    """What is wrong with the number of documents that the store says it holds; empty where nothing is."""
    expected = stored - (len(set(corpus.deletions)) if "delete" in guard.abilities else 0)
    counted = guard.count()
    if counted == expected:
        return ""
    return f"{guard.name} says that it holds {counted} documents; {expected} should be there"


def answers(corpus: Corpus) -> dict[str, tuple[str, ...]]:
    """What a control that is told the answers is told: the relevant documents of each query, best first."""
    told: dict[str, tuple[str, ...]] = {}
    for topic in corpus.topics:
        grades = corpus.qrels.get(topic.topic_id, {})
        relevant = sorted((doc for doc, grade in grades.items() if grade > 0), key=lambda doc: (-grades[doc], doc))
        told[topic.text] = tuple(dict.fromkeys((*told.get(topic.text, ()), *relevant)))
    return told
