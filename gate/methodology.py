"""What was asked, as one hash: results are compared only where it is the same.

It covers what changes a ranking and is not the thing under test: the corpus, the depth, the
granularity, the removal of duplicates, the embedder and the reranker that the gate hands in. It covers
neither the measures nor the machine.
"""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256

from gate.files import canonical_json
from gate.models import Arm

GRANULARITY = "document"
# Of a document that came back more than once, the first hit counts.
DEDUP = "first"


def methodology(digest: str, depth: int, arm: Arm, embedder: str, reranker: str) -> dict[str, str]:
    """The fields, in the order in which a difference is named. `digest` is the corpus's."""
    return {
        "corpus": digest,
        "depth": str(depth),
        "granularity": GRANULARITY,
        "dedup": DEDUP,
        "arm": arm.name,
        "embedder": embedder,
        "reranker": reranker,
    }


def methodology_hash(fields: Mapping[str, str]) -> str:
    """Sixteen hex digits of the SHA-256 of the fields."""
    return sha256(canonical_json(dict(fields)).encode()).hexdigest()[:16]


def first_difference(ours: Mapping[str, str], theirs: Mapping[str, str]) -> str:
    """The first field in which two methodologies differ, with both values; empty where none does."""
    for key in dict.fromkeys((*ours, *theirs)):
        if ours.get(key) != theirs.get(key):
            return f"{key} is {ours.get(key, 'not given')} here and {theirs.get(key, 'not given')} in the baseline"
    return ""
