"""What is stored, asked and judged."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

MODES = ("keyword", "vector", "hybrid", "rerank", "facts")
ABILITIES = ("update", "delete", "supersede", "scope", "reopen", "evidence", "embedder", "reranker")
NO_FAULT = "none"
ALL_TOPICS = "all"


@dataclass(frozen=True, slots=True)
class Document:
    """What is stored: id, text, and the metadata that a writer knows. All but the first two may be empty.

    `created_at` is ISO 8601 in UTC and orders the events of a session whatever the order of
    arrival. `refs` are ids of documents this one points to. `supersedes` is the id that this
    one replaces. `index_text` is what to index instead of `text`. `facts` are (key, value) pairs.
    """

    doc_id: str
    text: str
    session_id: str = ""
    speaker: str = ""
    created_at: str = ""
    lang: str = ""
    scope: frozenset[str] = frozenset()
    refs: tuple[str, ...] = ()
    supersedes: str = ""
    index_text: str = ""
    facts: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Topic:
    """A labelled need. `cluster` is the template or document it was made from: topics of one cluster move together."""

    topic_id: str
    text: str
    scope: frozenset[str] = frozenset()
    slices: tuple[str, ...] = ()
    cluster: str = ""


@dataclass(frozen=True, slots=True)
class Slice:
    """A named subset of the topics.

    `says` is the sentence on what it measures. `needs` are abilities without which a store is
    not asked its topics. `modes` are the modes in which the slice makes sense; a slice that
    names none is asked in every mode but `facts`.
    """

    name: str
    says: str
    needs: frozenset[str] = frozenset()
    modes: frozenset[str] = frozenset(MODES) - {"facts"}


@dataclass(frozen=True, slots=True)
class Corpus:
    """Documents, topics and judgements under one name and tier.

    `documents` makes a fresh stream each time it is called, so that large tiers are never in
    memory. `qrels[topic_id][doc_id]` is a grade from 0 to 3; `forbidden[topic_id][doc_id]` is
    the reason why that document must not come back (such documents have grade 0 in the qrels
    too). `deletions` are ids to delete once everything is stored. `pinned` is the expected
    digest, empty where none is pinned. `notes` are things a reader found worth saying. `units`
    says what was made of another corpus, None where documents are stored and judged as they are.
    """

    name: str
    tier: str
    documents: Callable[[], Iterator[Document]]
    topics: tuple[Topic, ...]
    qrels: Mapping[str, Mapping[str, int]]
    forbidden: Mapping[str, Mapping[str, str]]
    slices: tuple[Slice, ...]
    deletions: tuple[str, ...] = ()
    pinned: str = ""
    source: str = ""
    licence: str = ""
    notes: tuple[str, ...] = ()
    units: Units | None = None

    @property
    def label(self) -> str:
        return f"{self.name}@{self.tier}"

    def counts_as(self, document: Document) -> str:
        """The id under which a stored document is judged: its own, or its session's where only its best unit counts."""
        return (document.session_id or document.doc_id) if self.units and self.units.dedup else document.doc_id


@dataclass(frozen=True, slots=True)
class Units:
    """How a corpus was made from `origin`, whose bytes its digest is of.

    `granularity` is turn, session or chunk; `make` turns a stream of the origin's documents into
    what is stored. With `dedup` each session is judged by the best of its units.
    """

    granularity: str
    dedup: bool
    origin: Corpus
    make: Callable[[Iterable[Document]], Iterator[Document]]
