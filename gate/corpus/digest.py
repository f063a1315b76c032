"""The identity of a corpus: SHA-256 over canonical bytes of all that is stored, asked and judged.

Names, slices' descriptions and licences are left out: they change no result. One JSON array a
line, no spaces, UTF-8, sets sorted: first topics, judgements, forbidden documents and
deletions, then the documents in the order of the stream.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from hashlib import sha256

from gate.records import Corpus, Document

_encode: Callable[[object], str] = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def _line(*values: object) -> bytes:
    # Public data may hold lone surrogates, which plain UTF-8 refuses.
    return (_encode(values) + "\n").encode("utf-8", "surrogatepass")


class CorpusDigest:
    """Fed with each document while it streams by. `documents` counts them."""

    def __init__(self, corpus: Corpus) -> None:
        self._hash = sha256()
        self.documents = 0
        for topic in corpus.topics:
            self._hash.update(
                _line("topic", topic.topic_id, topic.text, sorted(topic.scope), topic.slices, topic.cluster)
            )
        for topic_id, grades in sorted(corpus.qrels.items()):
            for doc_id, grade in sorted(grades.items()):
                self._hash.update(_line("qrel", topic_id, doc_id, grade))
        for topic_id, reasons in sorted(corpus.forbidden.items()):
            for doc_id, reason in sorted(reasons.items()):
                self._hash.update(_line("forbidden", topic_id, doc_id, reason))
        for doc_id in corpus.deletions:
            self._hash.update(_line("deletion", doc_id))

    def add(self, document: Document) -> None:
        self.documents += 1
        self._hash.update(
            _line(
                "document",
                document.doc_id,
                document.text,
                document.session_id,
                document.speaker,
                document.created_at,
                document.lang,
                sorted(document.scope),
                document.refs,
                document.supersedes,
                document.index_text,
                document.facts,
            )
        )

    def hexdigest(self) -> str:
        """64 hexadecimal digits over all that was added so far."""
        return self._hash.hexdigest()
