"""Reads a corpus in the layout of BEIR, which most public retrieval sets come in.

N. Thakur et al., "BEIR: A Heterogeneous Benchmark for Zero-shot Evaluation of Information
Retrieval Models", NeurIPS 2021. A folder holds

    corpus.jsonl      {"_id", "title", "text", "metadata"} a line
    queries.jsonl     {"_id", "text", "metadata"} a line
    qrels/test.tsv    query-id, corpus-id, score; or another split, where it is the only one

and, where `gate corpus build` wrote it, also

    metadata of documents   session_id, speaker, created_at, lang, supersedes, index_text: texts;
                            scope, refs: lists of texts; facts: a list of [key, value]
    metadata of queries     scope, slices: lists of texts; cluster: a text
    forbidden.tsv           query-id, corpus-id, reason
    deletions.txt           a document id a line
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path

from gate.corpus.fields import Fields, Problems, corpus_name, read_lines
from gate.corpus.judgements import Files, clustered, read_grades
from gate.errors import UsageError
from gate.files import read_text
from gate.records import ALL_TOPICS, Corpus, Document, Slice, Topic

SPLIT = "test"
_HEADER = re.compile(r"(query|topic|q)[-_ ]?id", re.IGNORECASE)
_SLICE = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


def read_beir(folder: Path) -> Corpus:
    """The corpus in a BEIR folder, at tier `full`, checked whole before it is returned.

    The title stands before the text, unless the text repeats it. Grades below 0 count as 0.
    Topics that nobody judged are left out, as BEIR does, unless they are in a slice or have
    forbidden documents. Judgements of documents that the corpus lacks stay, as in trec_eval:
    relevant ones count as never found. `notes` counts all of these. Raises UsageError with every
    problem, its file, line and field.
    """
    if not folder.is_dir():
        raise UsageError("folder-missing", "there is no such folder", where=str(folder))
    problems = Problems(str(folder))
    notes: list[str] = []
    known = _check_documents(folder / "corpus.jsonl", problems, notes)
    asked = _read_topics(folder / "queries.jsonl", problems)
    rows = _rows(_split(folder), ("query-id", "corpus-id", "score"), problems)
    qrels = read_grades(rows, problems, asked, known, Files("queries.jsonl", "corpus.jsonl"), notes)
    forbidden = _read_forbidden(folder / "forbidden.tsv", problems, asked, known, qrels)
    deletions = _read_deletions(folder / "deletions.txt", problems, known)
    problems.check()
    if not known:
        raise UsageError("corpus-empty", "the corpus has no documents", where=str(folder / "corpus.jsonl"))
    topics = [topic for topic in asked.values() if topic.topic_id in qrels or topic.slices]
    if not topics:
        raise UsageError(
            "corpus-without-topics",
            f"none of the {len(asked)} topics has a judgement",
            where=str(folder),
            hint="The query-id column of the qrels has to hold the _id of lines in queries.jsonl.",
        )
    if len(topics) < len(asked):
        notes.append(f"topics left out, since nobody judged them: {len(asked) - len(topics)} of {len(asked)}")
    judged = {topic.topic_id: qrels.get(topic.topic_id, {}) for topic in topics}
    names = dict.fromkeys(name for topic in topics for name in topic.slices if name != ALL_TOPICS)
    return Corpus(
        name=corpus_name(folder.resolve().name),
        tier="full",
        documents=partial(_documents, folder / "corpus.jsonl"),
        topics=tuple(clustered(topics, judged)),
        qrels=judged,
        forbidden=forbidden,
        slices=tuple(Slice(name, "") for name in names),
        deletions=deletions,
        source=f"beir:{folder.resolve().name}",
        notes=tuple(notes),
    )


def _documents(path: Path) -> Iterator[Document]:
    """Streams the documents. The file was checked before; a line that went bad since is still said in words."""
    problems = Problems(str(path))
    for fields in read_lines(path, problems):
        document = _document(fields)
        problems.check()
        yield document
    problems.check()


def _document(fields: Fields) -> Document:
    doc_id = fields.identifier("_id")
    title, text = fields.text("title").strip(), fields.text("text", required=True)
    if title and not text.strip().startswith(title):
        text = f"{title} {text}" if text else title
    if not fields.record.get("metadata"):
        return Document(doc_id, text)
    metadata = fields.below("metadata")
    return Document(
        doc_id,
        text,
        session_id=metadata.text("session_id"),
        speaker=metadata.text("speaker"),
        created_at=metadata.text("created_at"),
        lang=metadata.text("lang"),
        scope=frozenset(metadata.texts("scope")),
        refs=metadata.texts("refs"),
        supersedes=metadata.text("supersedes"),
        index_text=metadata.text("index_text"),
        facts=metadata.pairs("facts"),
    )


def _check_documents(path: Path, problems: Problems, notes: list[str]) -> Mapping[str, str]:
    """Where each document id stands, after every line was looked at."""
    known: dict[str, str] = {}
    blank = 0
    for fields in read_lines(path, problems):
        document = _document(fields)
        blank += not document.text.strip()
        _check_distinct(document.doc_id, known, fields)
    if blank:
        notes.append(f"documents with neither title nor text: {blank} of {len(known)}")
    return known


def _check_distinct(identifier: str, known: dict[str, str], fields: Fields) -> None:
    if identifier in known:
        fields.problems.add(f"the _id '{identifier}' stands twice, first at {known[identifier]}", fields.where)
    elif identifier:
        known[identifier] = fields.where


def _read_topics(path: Path, problems: Problems) -> dict[str, Topic]:
    """Every topic by its id, judged or not, in the order of the file."""
    known: dict[str, str] = {}
    topics: dict[str, Topic] = {}
    for fields in read_lines(path, problems):
        topic_id, metadata = fields.identifier("_id"), fields.below("metadata")
        _check_distinct(topic_id, known, fields)
        slices = metadata.texts("slices")
        for name in slices:
            if not _SLICE.fullmatch(name):
                problems.add(
                    f"'{name}' cannot name a slice", fields.where, "use letters, digits, '.', '_' and '-', no spaces"
                )
        topics[topic_id] = Topic(
            topic_id,
            fields.words("text"),
            scope=frozenset(metadata.texts("scope")),
            slices=slices,
            cluster=metadata.text("cluster"),
        )
    if not topics:
        problems.add("there are no queries", str(path))
    return topics


def _split(folder: Path) -> Path:
    """The file of judgements: `qrels/test.tsv`, or the only other one."""
    usual = folder / "qrels" / f"{SPLIT}.tsv"
    if usual.exists():
        return usual
    others = sorted((folder / "qrels").glob("*.tsv"))
    if len(others) == 1:
        return others[0]
    names = ", ".join(path.name for path in others)
    raise UsageError(
        "qrels-missing",
        f"there is no {usual.name}, and which of these to take is not clear: {names}" if names else "there is no qrels",
        where=str(folder / "qrels"),
        hint="Leave one split in the folder." if names else "A BEIR folder holds its judgements in qrels/test.tsv.",
    )


def _rows(path: Path, columns: tuple[str, str, str], problems: Problems) -> Iterator[tuple[str, str, str, str]]:
    """Place and columns of each line but a header, which names its first column as an id of queries."""
    for number, line in enumerate(read_text(path, path.name).split("\n"), start=1):
        parts = [part.strip() for part in line.split("\t")]
        if not any(parts) or (number == 1 and _HEADER.fullmatch(parts[0])):
            continue
        where = f"{path}:{number}"
        filled = sum(map(bool, parts))
        if len(parts) == filled == len(columns):
            yield where, parts[0], parts[1], parts[2]
        else:
            problems.add(
                f"three filled columns belong here, not {filled}", where, f"{', '.join(columns)}, with tabs between"
            )


def _read_forbidden(
    path: Path,
    problems: Problems,
    asked: Mapping[str, Topic],
    known: Mapping[str, str],
    qrels: dict[str, dict[str, int]],
) -> dict[str, dict[str, str]]:
    """The reasons by topic and document. Each is a judgement too, of grade 0, which goes into the qrels."""
    forbidden: dict[str, dict[str, str]] = {}
    if not path.exists():
        return forbidden
    for where, topic_id, doc_id, reason in _rows(path, ("query-id", "corpus-id", "reason"), problems):
        if topic_id not in asked:
            problems.add(f"no topic has the _id '{topic_id}'", where)
        elif doc_id not in known:
            problems.add(f"no document has the _id '{doc_id}'", where)
        elif qrels.setdefault(topic_id, {}).setdefault(doc_id, 0) > 0:
            problems.add(f"'{doc_id}' is both forbidden and relevant for topic '{topic_id}'", where)
        else:
            forbidden.setdefault(topic_id, {})[doc_id] = reason
    return forbidden


def _read_deletions(path: Path, problems: Problems, known: Mapping[str, str]) -> tuple[str, ...]:
    """The ids to delete, in order."""
    if not path.exists():
        return ()
    deletions: dict[str, None] = {}
    for number, line in enumerate(read_text(path, path.name).split("\n"), start=1):
        doc_id = line.strip()
        if not doc_id:
            continue
        if doc_id not in known:
            problems.add(f"no document has the _id '{doc_id}'", f"{path}:{number}")
        deletions[doc_id] = None
    return tuple(deletions)
