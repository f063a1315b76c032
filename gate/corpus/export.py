"""Writes a corpus as a folder in the layout of BEIR, which `beir:DIR` reads back as the same corpus.

Thakur et al., "BEIR: A Heterogeneous Benchmark for Zero-shot Evaluation of Information Retrieval
Models", NeurIPS 2021. What BEIR has no place for stands in `metadata`, `forbidden.tsv` and
`deletions.txt`, which its readers pass over.
"""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from gate.corpus.digest import CorpusDigest
from gate.errors import UsageError
from gate.records import Corpus, Document, Topic

FILES = ("corpus.jsonl", "queries.jsonl", "qrels/test.tsv", "forbidden.tsv", "deletions.txt")


def write_beir(
    corpus: Corpus, folder: Path, *, force: bool = False, progress: Callable[[Document], None] = lambda _: None
) -> CorpusDigest:
    """Writes the folder whole or not at all, and returns the digest of what was written.

    `force` replaces a folder that was written before; one that holds anything else is refused
    either way. Raises UsageError where the folder cannot be written.
    """
    folder = folder.resolve()
    _check_replaceable(folder, force)
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        beside = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=folder.parent))
        try:
            made = beside / "made"
            digest = _write(corpus, made, progress)
            _swap(made, folder, beside / "replaced")
        finally:
            shutil.rmtree(beside, ignore_errors=True)
    except OSError as error:
        raise UsageError(
            "folder-unwritable",
            f"this folder cannot be written: {error.strerror}",
            where=str(folder),
            hint="Choose another folder, or make this one writable.",
        ) from None
    return digest


def _swap(made: Path, folder: Path, replaced: Path) -> None:
    """Puts a new folder in the place of the old one, and the old one back where that fails."""
    if not folder.exists():
        made.rename(folder)
        return
    folder.rename(replaced)
    try:
        made.rename(folder)
    except OSError:
        replaced.rename(folder)
        raise


def _check_replaceable(folder: Path, force: bool) -> None:
    if folder.exists() and not folder.is_dir():
        raise UsageError("folder-is-file", "a file of this name is in the way", where=str(folder))
    found = sorted(folder.rglob("*")) if folder.is_dir() else []
    ours = {folder / name for name in FILES} | {folder / "qrels"}
    strange = [path for path in found if path not in ours]
    if strange:
        raise UsageError(
            "folder-not-empty",
            f"this folder holds something that no corpus has: {strange[0].relative_to(folder)}",
            where=str(folder),
            hint="Choose a new folder.",
        )
    if found and not force:
        raise UsageError(
            "folder-not-empty",
            "this folder is not empty",
            where=str(folder),
            hint="Choose a new folder, or replace this one with --force.",
        )


def _write(corpus: Corpus, folder: Path, progress: Callable[[Document], None]) -> CorpusDigest:
    (folder / "qrels").mkdir(parents=True)
    digest = CorpusDigest(corpus)

    def documents() -> Iterable[str]:
        for document in corpus.documents():
            digest.add(document)
            progress(document)
            yield _json(_document(document))

    _lines(folder / "corpus.jsonl", documents())
    _lines(folder / "queries.jsonl", (_json(_topic(topic)) for topic in corpus.topics))
    _lines(folder / "qrels" / "test.tsv", _table("score", corpus, corpus.qrels))
    _lines(folder / "forbidden.tsv", _table("reason", corpus, corpus.forbidden))
    _lines(folder / "deletions.txt", corpus.deletions)
    return digest


def _lines(path: Path, lines: Iterable[str]) -> None:
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(f"{line}\n" for line in lines)


def _json(record: dict[str, object]) -> str:
    return json.dumps(record, ensure_ascii=False)


def _document(document: Document) -> dict[str, object]:
    metadata = {
        "session_id": document.session_id,
        "speaker": document.speaker,
        "created_at": document.created_at,
        "lang": document.lang,
        "scope": sorted(document.scope),
        "refs": document.refs,
        "supersedes": document.supersedes,
        "index_text": document.index_text,
        "facts": document.facts,
    }
    return {
        "_id": document.doc_id,
        "title": "",
        "text": document.text,
        "metadata": {key: value for key, value in metadata.items() if value},
    }


def _topic(topic: Topic) -> dict[str, object]:
    metadata = {"slices": topic.slices, "cluster": topic.cluster, "scope": sorted(topic.scope)}
    return {
        "_id": topic.topic_id,
        "text": topic.text,
        "metadata": {key: value for key, value in metadata.items() if value},
    }


def _table(column: str, corpus: Corpus, judged: Mapping[str, Mapping[str, object]]) -> Iterable[str]:
    yield f"query-id\tcorpus-id\t{column}"
    for topic in corpus.topics:
        for doc_id, value in judged.get(topic.topic_id, {}).items():
            yield f"{topic.topic_id}\t{doc_id}\t{value}"
