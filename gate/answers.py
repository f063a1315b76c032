"""An answer of a store, checked in its types: what a driver hands over is anything until it has been looked at."""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Real
from typing import Any

from gate.errors import StoreError
from gate.records import Evidence, ScoredDoc, SearchResult


class Unusable(StoreError):
    """What the guard itself finds wrong with a store, told from a StoreError that a driver raises."""


def checked(result: object, where: str) -> SearchResult:
    """The answer with every part of the type it has to have, whatever the store made it of."""

    def wrong(what: str) -> Unusable:
        return Unusable("store-answer", f"search gave {what}", where=where)

    if not isinstance(result, SearchResult):
        raise wrong(f"{kind_of(result)}, not a SearchResult")
    hits: object = result.hits
    if isinstance(hits, (str, bytes)) or not isinstance(hits, Sequence):
        raise wrong(f"hits of {kind_of(hits)}, not a sequence of ScoredDoc")
    kept = tuple(hits)
    for rank, hit in enumerate(kept, start=1):
        if _plain(hit):
            continue
        if not isinstance(hit, ScoredDoc):
            raise wrong(f"{kind_of(hit)} at rank {rank}, not a ScoredDoc")
        doc_id: object = hit.doc_id
        if not isinstance(doc_id, str) or not doc_id or writable(doc_id) != doc_id:
            raise wrong(f"the doc_id {doc_id!r} at rank {rank}, not a text that can be written")
        score: object = hit.score
        if isinstance(score, bool) or not isinstance(score, Real):
            raise wrong(f"a score of {kind_of(score)} at rank {rank}, not a number")
        if score != score:
            raise wrong(f"a score of NaN at rank {rank}, by which nothing can be ranked")
    degraded: object = result.degraded
    if not isinstance(degraded, (set, frozenset)) or not all(isinstance(part, str) for part in degraded):
        raise wrong(f"degraded of {kind_of(degraded)}, not a set of names")
    context: object = result.context
    if not isinstance(context, str):
        raise wrong(f"a context of {kind_of(context)}, not a text")
    evidence: object = result.evidence
    if evidence is not None and not isinstance(evidence, Evidence):
        raise wrong(f"evidence of {kind_of(evidence)}, not an Evidence")
    if evidence is not None and not _is_share(evidence.coverage):
        raise wrong(f"evidence with a coverage of {evidence.coverage!r}, not a number from 0 to 1")
    return SearchResult(kept, frozenset(writable(part) for part in degraded), context, evidence)


def _is_share(value: Any) -> bool:
    """Whether it is a number from 0 to 1, which NaN is not."""
    return not isinstance(value, bool) and isinstance(value, Real) and 0 <= float(value) <= 1


def _plain(hit: object) -> bool:
    """Whether a hit is what nearly all are, told fast: a text of plain characters and a number."""
    if type(hit) is not ScoredDoc or type(hit.doc_id) is not str or type(hit.score) is not float:
        return False
    return hit.doc_id.isascii() and hit.doc_id != "" and hit.score == hit.score


def writable(value: str) -> str:
    """A text that every file can hold: lone surrogates become escapes."""
    return value if value.isascii() else value.encode("utf-8", "backslashreplace").decode()


def kind_of(value: object) -> str:
    return "None" if value is None else f"a {type(value).__name__}"
