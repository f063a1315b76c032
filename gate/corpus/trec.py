"""Reads a corpus in the files of TREC: documents, topics and relevance judgements of any collection.

The formats are those of trec_eval and of the TREC collections (https://trec.nist.gov/data.html). A folder holds

    docs.jsonl, docs.trec or docs.sgml    documents; or a folder docs/ with any number of such files
    topics.*                              one file, in TREC's mark-up or id, tab, text a line
    qrels.*                               one file: topic, iteration, document, grade a line

Files of documents may be compressed, with `.gz` after their names.
"""

from __future__ import annotations

import gzip
import re
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import BinaryIO, cast

from gate.columns import rows
from gate.corpus.fields import Fields, Problems, corpus_name, decoded, json_lines
from gate.corpus.judgements import Files, clustered, read_grades
from gate.corpus.lines import bounded_lines
from gate.corpus.sgml import Element, elements
from gate.errors import UsageError
from gate.files import read_text
from gate.records import Corpus, Document, Topic

KINDS = (".jsonl", ".trec", ".sgml")
_LAYOUT = "A TREC folder holds docs.jsonl, docs.trec or a folder docs, and one file each of topics.* and qrels.*."
_IDS, _TEXTS = ("id", "docno", "doc_id"), ("contents", "text")
_TITLES = ("title", "headline", "head", "hl")
_HEADER = re.compile(r"(query|topic|q)[-_ ]?(id|no)?", re.IGNORECASE)
_BEFORE = {"num": re.compile(r"number\s*:\s*", re.IGNORECASE), "title": re.compile(r"topic\s*:\s*", re.IGNORECASE)}


def read_trec(folder: Path) -> Corpus:
    """The corpus in a TREC folder, at tier `full`, checked whole before it is returned.

    A document is its title or headline and its text, without tags. A topic is searched by its
    title alone. Grades below 0 (as TREC's -1 and -2 for junk) count as 0. Topics that nobody
    judged are left out; judgements of documents that the corpus lacks stay, as in trec_eval: relevant
    ones count as never found. `notes` counts all of these. Raises UsageError with every problem,
    its file and line.
    """
    if not folder.is_dir():
        raise UsageError("folder-missing", "there is no such folder", where=str(folder))
    problems = Problems(str(folder))
    notes: list[str] = []
    files = _document_files(folder)
    topics_file, qrels_file = _only(folder, "topics"), _only(folder, "qrels")
    known = _check_documents(files, problems, notes)
    judged = list(_judgements(qrels_file, problems))
    asked = _named_as_judged(_read_topics(topics_file, problems), {topic_id for _, topic_id, _, _ in judged}, notes)
    qrels = read_grades(judged, problems, asked, known, Files(topics_file.name, "the documents"), notes)
    problems.check()
    if not known:
        raise UsageError("corpus-empty", "the corpus has no documents", where=str(folder))
    topics = [topic for topic in asked.values() if topic.topic_id in qrels]
    if not topics:
        raise UsageError(
            "corpus-without-topics",
            f"none of the {len(asked)} topics has a judgement",
            where=str(folder),
            hint=f"The first column of {qrels_file.name} has to hold the ids of {topics_file.name}.",
        )
    if len(topics) < len(asked):
        notes.append(f"topics left out, since nobody judged them: {len(asked) - len(topics)} of {len(asked)}")
    return Corpus(
        name=corpus_name(folder.resolve().name),
        tier="full",
        documents=partial(_documents, files),
        topics=tuple(clustered(topics, qrels)),
        qrels=qrels,
        forbidden={},
        slices=(),
        source=f"trec:{folder.resolve().name}",
        notes=tuple(notes),
    )


# --- files -------------------------------------------------------------------------------------


def _document_files(folder: Path) -> tuple[Path, ...]:
    """The files of documents, in the order of their paths."""
    inner = folder / "docs"
    found = [path for path in inner.rglob("*") if _is_documents(path)] if inner.is_dir() else []
    found += [path for path in folder.glob("docs.*") if _is_documents(path)]
    if not found:
        raise UsageError("documents-missing", "there are no documents", where=str(folder), hint=_LAYOUT)
    return tuple(sorted(found, key=lambda path: path.relative_to(folder).as_posix()))


def _is_documents(path: Path) -> bool:
    return path.name.removesuffix(".gz").endswith(KINDS) and path.is_file()


def _only(folder: Path, name: str) -> Path:
    """The one file of that name, whatever its ending."""
    found = sorted(path for path in folder.glob(f"{name}*") if path.name == name or path.name.startswith(f"{name}."))
    if len(found) == 1:
        return found[0]
    names = ", ".join(path.name for path in found)
    what = f"which {name} to take is not clear: {names}" if found else f"there are no {name}"
    raise UsageError(f"{name}-missing", what, where=str(folder), hint="Leave one of them here." if found else _LAYOUT)


@contextmanager
def _opened(path: Path) -> Iterator[Iterable[bytes]]:
    """The lines of a file of documents, decompressed where it is. What cannot be read is a UsageError."""
    try:
        with path.open("rb") as file:
            whole = cast(BinaryIO, gzip.GzipFile(fileobj=file)) if path.suffix == ".gz" else file
            yield bounded_lines(whole, path)
    except (OSError, EOFError, zlib.error) as error:
        said = getattr(error, "strerror", None) or str(error)
        raise UsageError("file-unreadable", f"this file cannot be read: {said}", where=str(path)) from None


# --- documents ---------------------------------------------------------------------------------


def _documents(files: Iterable[Path]) -> Iterator[Document]:
    """Streams the documents. The files were checked before; what went bad since is still said in words."""
    problems = Problems("")
    for document, _ in _all_documents(files, problems):
        problems.check()
        yield document
    problems.check()


def _all_documents(files: Iterable[Path], problems: Problems) -> Iterator[tuple[Document, str]]:
    """Every document with its place."""
    for path in files:
        with _opened(path) as file:
            if path.name.removesuffix(".gz").endswith(".jsonl"):
                for fields in json_lines(file, path, problems):
                    yield _of_json(fields), fields.where
            else:
                for element in elements(decoded(file, path, problems), "DOC", problems):
                    yield _of_sgml(element, problems), element.where


def _of_json(fields: Fields) -> Document:
    identifier, text = (_first(fields, names) for names in (_IDS, _TEXTS))
    return Document(fields.identifier(identifier), _with_title(fields.text("title"), fields.text(text, required=True)))


def _first(fields: Fields, names: Sequence[str]) -> str:
    """The first of some names that a record has, else the first of all."""
    return next((name for name in names if name in fields.record), names[0])


def _of_sgml(element: Element, problems: Problems) -> Document:
    names = element.inside("DOCNO")
    if len(names) != 1 or not names[0]:
        said = "no <DOCNO> names this document" if not any(names) else f"this document has {len(names)} <DOCNO>"
        problems.add(said, element.where)
    texts = element.inside("TEXT")
    if element.opens("TEXT") != len(texts):
        problems.add("a <TEXT> of this document does not end", element.where)
    title = next((found for name in _TITLES for found in element.inside(name) if found), "")
    return Document(names[0] if names else "", _with_title(title, " ".join(text for text in texts if text)))


def _with_title(title: str, text: str) -> str:
    """The title stands before the text, unless the text repeats it."""
    title = title.strip()
    if title and not text.strip().startswith(title):
        return f"{title} {text}" if text else title
    return text


def _check_documents(files: Iterable[Path], problems: Problems, notes: list[str]) -> Mapping[str, str]:
    """Where each document id stands, after every document was looked at."""
    known: dict[str, str] = {}
    blank = 0
    for document, where in _all_documents(files, problems):
        blank += not document.text.strip()
        if document.doc_id in known:
            problems.add(f"the document '{document.doc_id}' stands twice, first at {known[document.doc_id]}", where)
        elif document.doc_id:
            known[document.doc_id] = where
    if blank:
        notes.append(f"documents with neither title nor text: {blank} of {len(known)}")
    return known


# --- topics and judgements ---------------------------------------------------------------------


def _read_topics(path: Path, problems: Problems) -> dict[str, Topic]:
    """Every topic by its id, judged or not, in the order of the file."""
    text = read_text(path, path.name)
    lines = [(f"{path}:{number}", line) for number, line in enumerate(text.split("\n"), start=1)]
    marked = re.search(r"<top>", text, re.IGNORECASE) is not None
    topics: dict[str, Topic] = {}
    for where, topic_id, title in _marked(lines, problems) if marked else _tabbed(lines, problems):
        if topic_id in topics:
            problems.add(f"the topic '{topic_id}' stands twice", where)
        topics[topic_id] = Topic(topic_id, title)
    if not topics:
        problems.add("there are no topics", str(path), "<top> elements, or id, tab and text a line")
    return topics


def _marked(lines: Iterable[tuple[str, str]], problems: Problems) -> Iterator[tuple[str, str, str]]:
    """Place, id and title of each topic in TREC's mark-up."""
    for element in elements(lines, "top", problems):
        fields = {}
        for name, before in _BEFORE.items():
            value = before.sub("", element.field(name) or "", count=1)
            if not value:
                problems.add(f"the <{name}> of this topic is missing or empty", element.where)
            fields[name] = value
        if all(fields.values()):
            yield element.where, fields["num"], fields["title"]


def _tabbed(lines: Iterable[tuple[str, str]], problems: Problems) -> Iterator[tuple[str, str, str]]:
    """Place, id and text of each line but a header."""
    for number, (where, line) in enumerate(lines, start=1):
        topic_id, text = (part.strip() for part in line.partition("\t")[::2])
        if not line.strip() or (number == 1 and _HEADER.fullmatch(topic_id)):
            continue
        if not topic_id or not text:
            problems.add("an id, a tab and a text belong here", where)
        else:
            yield where, topic_id, text


def _named_as_judged(topics: Mapping[str, Topic], judged: set[str], notes: list[str]) -> dict[str, Topic]:
    """The topics under the ids of the judgements: early topics are numbered 051 where their qrels say 51."""
    named: dict[str, Topic] = {}
    padded = 0
    for topic_id, topic in topics.items():
        short = topic_id.lstrip("0")
        if topic_id not in judged and short in judged and short not in topics:
            padded += 1
            named[short] = replace(topic, topic_id=short)
        else:
            named[topic_id] = topic
    if padded:
        notes.append(f"topics numbered with zeros in front, which their judgements leave out: {padded}")
    return named


def _judgements(path: Path, problems: Problems) -> Iterator[tuple[str, str, str, str]]:
    """Place, topic, document and grade of each judgement."""
    for number, columns, _ in rows(read_text(path, path.name)):
        where = f"{path}:{number}"
        if len(columns) == 4:
            yield where, columns[0], columns[2], columns[3]
        else:
            problems.add(f"four columns belong here, not {len(columns)}", where, "topic iteration document grade")
