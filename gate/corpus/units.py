"""Units of retrieval: what is stored and judged in place of single documents.

LongMemEval (D. Wu et al., ICLR 2025) and its kin report results for turns and for whole sessions, and
systems store passages of sessions; a figure means little without the unit that it counts. Here
`turn` is the document as it is, `session` all documents of one session joined, `chunk` a piece of
that text. Judgements are lifted to the units by the largest grade.

Documents of a session may stand anywhere in the stream. Two passes over it, that of its sizes
and that of its texts, keep in memory only the sessions that have begun and are not complete.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial

from gate.corpus.chunks import chunks
from gate.errors import UsageError
from gate.records import Corpus, Document, Slice, Topic, Units

TURN, SESSION, CHUNK = "turn", "session", "chunk"
GRANULARITIES = (TURN, SESSION, CHUNK)
# What such a slice asks about happens to single documents, and is not to be seen in a session.
_EVENTS = frozenset({"update", "delete", "supersede", "scope"})


def units_of(corpus: Corpus, granularity: str, dedup: bool) -> Corpus:
    """The corpus as it is stored and judged with a granularity; itself where documents stay as they are.

    With `dedup` the best unit of each session counts, and relevance is the session's. Topics
    that need scopes, replacements, deletions or facts, and topics with forbidden documents, are
    left out of anything but plain turns, which `notes` says. Raises UsageError where none is
    left, or where the ids of two units would be the same.
    """
    if granularity == TURN and not dedup:
        return corpus
    topics = _plain_topics(corpus)
    if not topics:
        raise UsageError(
            "granularity-nothing",
            f"no topic of {corpus.label} can be asked of {'sessions' if granularity == TURN else f'{granularity}s'}:"
            " all are about what happens to single documents",
            hint="Measure this corpus with `granularity: turn` and without dedup.",
        )
    judged = {doc_id for topic in topics for doc_id in corpus.qrels.get(topic.topic_id, {})}
    survey = _Survey.of(corpus, judged)
    survey.check(corpus, granularity, dedup)
    make: Callable[[Iterable[Document]], Iterator[Document]] = iter
    if granularity != TURN:
        make = partial(_units, sizes=survey.sizes, granularity=granularity)
    targets = _targets(corpus, survey, granularity, dedup)
    return replace(
        corpus,
        documents=lambda: make(corpus.documents()),
        topics=topics,
        qrels={topic.topic_id: _lifted(corpus.qrels.get(topic.topic_id, {}), targets) for topic in topics},
        forbidden={},
        slices=_slices(corpus, topics),
        deletions=corpus.deletions if granularity == TURN else (),
        notes=(*corpus.notes, *_notes(corpus, topics, survey)),
        units=Units(granularity, dedup, corpus, make),
    )


def _plain_topics(corpus: Corpus) -> tuple[Topic, ...]:
    """The topics that can be asked of sessions: nothing they ask about happens to a single document."""
    about_events = {s.name for s in corpus.slices if s.needs & _EVENTS or s.modes == {"facts"}}
    return tuple(
        topic
        for topic in corpus.topics
        if not topic.scope and not corpus.forbidden.get(topic.topic_id) and about_events.isdisjoint(topic.slices)
    )


def _slices(corpus: Corpus, topics: Iterable[Topic]) -> tuple[Slice, ...]:
    """The slices that still have topics. A unit states no single fact, so that mode is not asked."""
    named = {name for topic in topics for name in topic.slices}
    return tuple(replace(s, modes=s.modes - {"facts"}) for s in corpus.slices if s.name in named)


def _notes(corpus: Corpus, topics: Collection[Topic], survey: _Survey) -> Iterator[str]:
    left_out = len(corpus.topics) - len(topics)
    if left_out:
        kept = {name for topic in topics for name in topic.slices}
        gone = [s.name for s in corpus.slices if s.name not in kept]
        slices = f" (all of {', '.join(gone)})" if gone else ""
        yield (
            f"{corpus.label}: {left_out} of {len(corpus.topics)} topics are not asked{slices}:"
            " they are about what happens to single documents"
        )
    if not survey.sizes:
        yield f"{corpus.label} names no sessions, so each document is one of its own"


@dataclass(frozen=True, slots=True)
class _Survey:
    """What one pass shows: the documents a session, the ids of those without one, the sessions of judged ones."""

    sizes: Mapping[str, int]
    alone: Collection[str]
    sessions: Mapping[str, str]

    @classmethod
    def of(cls, corpus: Corpus, judged: Collection[str]) -> _Survey:
        sizes: Counter[str] = Counter()
        alone: set[str] = set()
        sessions: dict[str, str] = {}
        for document in corpus.documents():
            if document.session_id:
                sizes[document.session_id] += 1
            else:
                alone.add(document.doc_id)
            if document.doc_id in judged:
                sessions[document.doc_id] = document.session_id or document.doc_id
        # A judged document that is not in the corpus stays under its id: it counts as never found.
        return cls(sizes, alone | (set(judged) - sessions.keys()), sessions)

    def check(self, corpus: Corpus, granularity: str, dedup: bool) -> None:
        """Raises UsageError where a session and a document without one would be one unit."""
        twice = sorted(self.sizes.keys() & self.alone)
        if twice:
            raise UsageError(
                "unit-id-twice",
                f"'{twice[0]}' is the id of a session of {corpus.label}, and of a document that is not in one",
                hint=f"Rename the session: with granularity {granularity}{' and dedup' * dedup} both would be one.",
            )


def _targets(corpus: Corpus, survey: _Survey, granularity: str, dedup: bool) -> Mapping[str, Collection[str]]:
    """The units that each judged document stands for."""
    if granularity != CHUNK or dedup:
        return {doc_id: (session,) for doc_id, session in survey.sessions.items()}
    wanted = set(survey.sessions.values())
    targets: dict[str, Collection[str]] = {}
    for name, documents in _sessions(corpus.documents(), survey.sizes):
        if name in wanted:
            text, spans = _joined(documents)
            pieces = chunks(text)
            for document, (start, end) in zip(documents, spans, strict=True):
                if document.doc_id in survey.sessions:
                    over = [n for n, (first, last) in enumerate(pieces, 1) if first < end and start < last]
                    # A blank document stands where the piece before it ends.
                    over = over or [max(1, sum(first <= start for first, _ in pieces))]
                    targets[document.doc_id] = tuple(_chunk_id(name, number) for number in over)
    return targets


def _lifted(grades: Mapping[str, int], targets: Mapping[str, Collection[str]]) -> dict[str, int]:
    """The grade of each unit: the largest of the documents in it."""
    lifted: dict[str, int] = {}
    for doc_id, grade in grades.items():
        for unit in targets.get(doc_id, (doc_id,)):
            lifted[unit] = max(grade, lifted.get(unit, 0))
    return lifted


def _units(documents: Iterable[Document], *, sizes: Mapping[str, int], granularity: str) -> Iterator[Document]:
    """The units of a stream of documents, each as soon as its session is complete."""
    for name, members in _sessions(documents, sizes):
        if granularity == SESSION:
            yield _session(name, members)
        else:
            yield from _chunks(name, members)


def _sessions(documents: Iterable[Document], sizes: Mapping[str, int]) -> Iterator[tuple[str, tuple[Document, ...]]]:
    """Each session with its documents in order, and each document without one under its own id.

    Order is that of `created_at`, compared as text, then that of arrival; a document without a time
    comes before those with one.
    """
    begun: dict[str, list[Document]] = {}
    for document in documents:
        if not document.session_id:
            yield document.doc_id, (document,)
            continue
        members = begun.setdefault(document.session_id, [])
        members.append(document)
        if len(members) == sizes.get(document.session_id):
            del begun[document.session_id]
            yield document.session_id, tuple(sorted(members, key=lambda member: member.created_at))
    if begun:
        raise UsageError(
            "corpus-changed",
            f"the session '{next(iter(begun))}' has other documents than when the corpus was first read",
            hint="Run again, and leave the corpus alone meanwhile.",
        )


def _session(name: str, documents: tuple[Document, ...]) -> Document:
    indexed = "\n".join(document.index_text or document.text for document in documents)
    unit = _unit(name, documents, _joined(documents)[0], documents[0].session_id)
    return replace(unit, index_text=indexed) if any(document.index_text for document in documents) else unit


def _chunks(name: str, documents: tuple[Document, ...]) -> Iterator[Document]:
    text, _ = _joined(documents)
    for number, (start, end) in enumerate(chunks(text), start=1):
        yield _unit(_chunk_id(name, number), documents, text[start:end], name)


def _chunk_id(name: str, number: int) -> str:
    return f"{name}#{number:04d}"


def _unit(doc_id: str, documents: tuple[Document, ...], text: str, session_id: str) -> Document:
    """A unit has the time at which its session began, and the speaker and the language that all in it share."""
    speakers, languages = {d.speaker for d in documents}, {d.lang for d in documents}
    return Document(
        doc_id,
        text,
        session_id=session_id,
        speaker=documents[0].speaker if len(speakers) == 1 else "",
        created_at=documents[0].created_at,
        lang=documents[0].lang if len(languages) == 1 else "",
    )


def _joined(documents: Iterable[Document]) -> tuple[str, list[tuple[int, int]]]:
    """The texts, one a line, and where each begins and ends in the whole, blanks at its ends aside."""
    texts, spans, at = [], [], 0
    for document in documents:
        text = document.text
        spans.append((at + len(text) - len(text.lstrip()), at + len(text.rstrip())))
        texts.append(text)
        at += len(text) + 1
    return "\n".join(texts), spans
