"""Judgements of public formats: grades from rows of any layout, and the clusters that follow from them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from gate.columns import JUDGED_AGAIN, grade_of
from gate.corpus.fields import Problems, clusters
from gate.records import Topic


@dataclass(frozen=True, slots=True)
class Files:
    """What the files of topics and documents are called where something is said of them."""

    topics: str
    documents: str


def read_grades(
    rows: Iterable[tuple[str, str, str, str]],
    problems: Problems,
    asked: Mapping[str, Topic],
    known: Mapping[str, str],
    files: Files,
    notes: list[str],
) -> dict[str, dict[str, int]]:
    """The grades of the topics that are asked, from rows of place, topic, document and score.

    Scores below 0 are grade 0. What is odd but usable is counted in the notes.
    """
    qrels: dict[str, dict[str, int]] = {}
    not_asked = unknown = conflicting = 0
    for where, topic_id, doc_id, score in rows:
        written = grade_of(score)
        if written is None:
            problems.add(f"the score has to be a whole number, not '{score}'", where)
            continue
        if topic_id not in asked:
            not_asked += 1
            continue
        grade = max(written, 0)
        grades = qrels.setdefault(topic_id, {})
        unknown += doc_id not in known
        conflicting += grades.get(doc_id, grade) != grade
        grades[doc_id] = grade
    counted = {
        f"judgements left out, since their topic is not in {files.topics}": not_asked,
        f"judgements of documents that are not in {files.documents} (relevant ones count as never found)": unknown,
        JUDGED_AGAIN: conflicting,
    }
    notes += [f"{what}: {count}" for what, count in counted.items() if count]
    return qrels


def clustered(topics: Iterable[Topic], qrels: Mapping[str, Mapping[str, int]]) -> Iterator[Topic]:
    """The topics with their clusters: the one given, else the only relevant document where several topics share it."""
    topics = list(topics)
    sources = {}
    for topic in topics:
        relevant = [doc_id for doc_id, grade in qrels[topic.topic_id].items() if grade > 0]
        sources[topic.topic_id] = relevant[0] if len(relevant) == 1 else ""
    found = clusters(sources)
    for topic in topics:
        cluster = topic.cluster or found[topic.topic_id]
        yield Topic(topic.topic_id, topic.text, topic.scope, topic.slices, cluster)
