"""What a topic lost: its documents that fell, where to, and what stands above them now."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import islice

from gate.measures import MEASURES, ParsedMeasure
from gate.records import Ahead, Check, Corpus, MovedDoc, Run, Topic, TopicMove

# A verdict shows the worst of what a check lost; the run files hold it all.
SHOWN = 20
AHEAD_SHOWN = 3
TEXT_SHOWN = 160


def topic_move(
    topic: Topic,
    corpus: Corpus,
    measure: ParsedMeasure,
    stood: Mapping[str, int] | None,
    now: Mapping[str, int],
    before: float | None,
    after: float,
) -> TopicMove:
    """The documents of a topic that moved, where they were, where they are, and what is ahead of those that fell.

    `stood` and `now` are ranks by document. Without a baseline (`stood` is None) the documents
    shown are those that the cutoff leaves out, or else those that stand lower than they could. A
    forbidden document is shown where it came within the cutoff, or is gone from there; a measure
    of forbidden documents shows no others.
    """
    grades = corpus.qrels.get(topic.topic_id, {})
    forbidden = corpus.forbidden.get(topic.topic_id, {})
    relevant = {doc for doc, grade in grades.items() if grade > 0 and doc not in forbidden}
    if MEASURES[measure.name].applies_to == "forbidden":
        relevant = set()
    cutoff = measure.cutoff or len(now) or 1
    bound = cutoff
    if stood is None and all(_within(now.get(doc), cutoff) for doc in relevant):
        # All are within the cutoff, so it is their order that falls short of the best.
        bound = len(relevant)
    moved = []
    for doc in sorted({*relevant, *forbidden}):
        rank, was = now.get(doc), stood.get(doc) if stood is not None else None
        if doc in forbidden:
            told = _within(rank, cutoff) != _within(was, cutoff)
        elif stood is None:
            told = not _within(rank, bound)
        else:
            told = rank != was
        if told:
            moved.append(MovedDoc(doc, grades.get(doc, 0), was, rank, forbidden=forbidden.get(doc, "")))
    fell = [doc for doc in moved if not doc.forbidden and (stood is None or _fell(doc))]
    return TopicMove(topic.topic_id, topic.text, before, after, tuple(moved), _ahead(now, moved, fell, grades))


def _within(rank: int | None, cutoff: int) -> bool:
    return rank is not None and rank <= cutoff


def _fell(doc: MovedDoc) -> bool:
    return doc.before is not None and (doc.after is None or doc.after > doc.before)


def _ahead(
    now: Mapping[str, int], moved: Sequence[MovedDoc], fell: Sequence[MovedDoc], grades: Mapping[str, int]
) -> tuple[Ahead, ...]:
    """The first documents of no worth that stand above the lowest of those that fell."""
    lowest = max((doc.after or len(now) + 1 for doc in fell), default=0)
    told = {doc.doc_id for doc in moved}
    ahead = (Ahead(doc, r) for doc, r in now.items() if r < lowest and doc not in told and grades.get(doc, 0) == 0)
    return tuple(islice(ahead, AHEAD_SHOWN))


def missed(
    run: Run,
    topics: Iterable[Topic],
    corpus: Corpus,
    measure: ParsedMeasure,
    values: Mapping[str, float],
    operator: str,
) -> tuple[TopicMove, ...]:
    """The topics that break a limit, the worst first, where there is no baseline to have fallen from.

    Below a floor (`>=`) those with the lowest values are, above a ceiling those with the highest.
    Where the best there is breaks a limit, no topic of it is to blame.
    """
    floor = operator == ">="
    if floor != MEASURES[measure.name].higher_is_better:
        return ()
    poor = sorted(
        (t for t in topics if t.topic_id in values and values[t.topic_id] != (1.0 if floor else 0.0)),
        key=lambda t: (values[t.topic_id] if floor else -values[t.topic_id], t.topic_id),
    )
    shown = []
    for topic in poor[:SHOWN]:
        now = {doc: rank for rank, doc in enumerate(run.results[topic.topic_id].doc_ids, start=1)}
        shown.append(topic_move(topic, corpus, measure, None, now, None, values[topic.topic_id]))
    return tuple(shown)


def with_texts(checks: Sequence[Check], corpora: Iterable[Corpus]) -> list[Check]:
    """The checks with the first words of every document they name, for which the corpora are read once more.

    Ids are a corpus's own: a check names its corpus in its cell.
    """
    named: dict[str, set[str]] = {}
    for check in checks:
        for move in check.moves:
            ids = named.setdefault(_corpus_of(check), set())
            ids.update(doc.doc_id for doc in move.moved)
            ids.update(doc.doc_id for doc in move.ahead)
    texts = {corpus.label: _texts(corpus, named[corpus.label]) for corpus in corpora if corpus.label in named}
    return [
        replace(check, moves=tuple(_with_texts(move, texts.get(_corpus_of(check), {})) for move in check.moves))
        if check.moves
        else check
        for check in checks
    ]


def _corpus_of(check: Check) -> str:
    return check.cell.split("/")[1]


def _texts(corpus: Corpus, wanted: set[str]) -> dict[str, str]:
    texts: dict[str, str] = {}
    for document in corpus.documents():
        name = corpus.counts_as(document)
        if name in wanted and name not in texts:
            texts[name] = document.text[:TEXT_SHOWN]
            if len(texts) == len(wanted):
                break
    return texts


def _with_texts(move: TopicMove, texts: Mapping[str, str]) -> TopicMove:
    return replace(
        move,
        moved=tuple(replace(doc, text=texts.get(doc.doc_id, "")) for doc in move.moved),
        ahead=tuple(replace(doc, text=texts.get(doc.doc_id, "")) for doc in move.ahead),
    )
