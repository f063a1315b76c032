"""What was asked, as one hash: results are compared only where it is the same.

It covers what changes a ranking and is not the thing under test: the corpus, the depth, the
granularity, the removal of duplicates, the embedder and the reranker that the gate hands in. It covers
neither the measures nor the machine.
"""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256

from gate.corpus.chunks import CHARACTERS, OVERLAP, WORDS
from gate.files import canonical_json
from gate.models import Arm
from gate.records import Units

# How the unit that is stored and judged is written. A chunk of another size is another unit.
GRANULARITY: Mapping[str, str] = {
    "turn": "document",
    "session": "session",
    "chunk": f"chunk-{WORDS}-{OVERLAP}-{CHARACTERS}",
}
# Of a document that came back more than once the first hit counts, or of a session.
DEDUP: Mapping[bool, str] = {False: "first", True: "first of a session"}


def methodology(
    digest: str, depth: int, arm: Arm, embedder: str, reranker: str, units: Units | None = None
) -> dict[str, str]:
    """The fields, in the order in which a difference is named. `digest` is the corpus's, before units are made."""
    return {
        "corpus": digest,
        "depth": str(depth),
        "granularity": GRANULARITY[units.granularity if units else "turn"],
        "dedup": DEDUP[units is not None and units.dedup],
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
