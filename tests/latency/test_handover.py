"""Documents on their way to the processes that store them."""

from __future__ import annotations

from pathlib import Path

from gate.latency.handover import handed_over, write_documents
from gate.records import Corpus, Document

DOCUMENTS = (
    Document("d1", "上海的咖啡馆"),
    Document("d2", "half a pair: \ud800", scope=frozenset({"user-b", "user-a"}), refs=("d1",), supersedes="d1"),
    Document(
        "d3", "line\nbreak\u2028", "s1", "Anna", "2026-01-01T00:00:00Z", "en", index_text="x", facts=(("k", "v"),)
    ),
)


def test_documents_arrive_as_they_left(tmp_path: Path) -> None:
    corpus = Corpus("notes", "read", lambda: iter(DOCUMENTS), (), {}, {}, (), deletions=("d1",))
    write_documents(corpus, tmp_path / "documents.jsonl")
    arrived = handed_over(tmp_path / "documents.jsonl", corpus.label, corpus.deletions)
    assert tuple(arrived.documents()) == DOCUMENTS
    assert tuple(arrived.documents()) == DOCUMENTS
    assert (arrived.label, arrived.deletions) == ("notes@read", ("d1",))
