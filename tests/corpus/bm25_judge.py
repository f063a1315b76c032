"""Recall at five of bm25s, an engine that is not ours, over tokens that a test chooses."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import bm25s

from gate.corpus.family import Part
from gate.records import Document


def recall_at_5(part: Part, noise: Sequence[Document], tokens: Callable[[str], list[str]]) -> float:
    """The mean over all topics; a document without a token of the question counts as not found."""
    documents = [*part.documents, *noise]
    listed = [tokens(document.text) for document in documents]
    known = {token for words in listed for token in words}
    engine = bm25s.BM25(k1=1.2, b=0.75)
    engine.index(listed, show_progress=False)
    total = 0.0
    for topic in part.topics:
        relevant = {key for key, grade in part.qrels[topic.topic_id].items() if grade > 0}
        asked = [token for token in tokens(topic.text) if token in known]
        if not asked:
            continue
        found, scores = engine.retrieve([asked], k=5, show_progress=False)
        top = {documents[at].doc_id for at, score in zip(found[0], scores[0], strict=True) if score > 0}
        total += len(relevant & top) / len(relevant)
    return total / len(part.topics)
