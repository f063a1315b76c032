"""Defects of ranking: what matched is all there, in another order, once too often, or lost at the last step."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby
from zlib import crc32

from gate.defects.boundary import Boundary
from gate.defects.defect import Defect
from gate.protocols import Store
from gate.records import MODES, ScoredDoc, SearchResult

# Engines refuse windows deeper than this (Elasticsearch's index.max_result_window by default).
DEEPEST = 10_000
# Engines score so many times k candidates before they cut (Elasticsearch's num_candidates is of this kind).
CANDIDATES = 4
# Scores that agree to here are equal.
DECIMALS = 9
# Facts are found by what they are about, and have no score that could be turned around.
SCORED = frozenset(MODES) - {"facts"}


class _Reversed(Boundary):
    """The worst of all that matches comes first.

    A sort in the wrong direction turns around everything that matched, and only then is the
    list cut to k: the store is asked for all it has (`DEEPEST` at most), and the last k come
    back, last one first. Turning around only the top k would leave recall at the full depth
    untouched, which no wrong sort does.
    """

    def rewrite_depth(self, query: str, k: int) -> int:
        return max(k, min(self.count(), DEEPEST)) if self.touches(query) else k

    def rewrite_result(self, query: str, k: int, result: SearchResult) -> SearchResult:
        return replace(result, hits=tuple(result.hits)[::-1][:k]) if self.touches(query) else result


class _DistanceAsSimilarity(Boundary):
    """The engine returns its k best, and 1 - score turns them around: the weakest of the strong hits comes first."""

    def rewrite_result(self, query: str, k: int, result: SearchResult) -> SearchResult:  # noqa: ARG002 - overridden
        if not self.touches(query):
            return result
        return replace(result, hits=tuple(ScoredDoc(hit.doc_id, 1.0 - hit.score) for hit in reversed(result.hits)))


class _ScoresConstant(Boundary):
    """All candidates have one score, so that ids decide which of them come back."""

    def rewrite_depth(self, query: str, k: int) -> int:
        return CANDIDATES * k if self.touches(query) else k

    def rewrite_result(self, query: str, k: int, result: SearchResult) -> SearchResult:
        if not self.touches(query):
            return result
        return replace(result, hits=tuple(ScoredDoc(name, 1.0) for name in sorted(_ids(result.hits))[:k]))


class _SingleHitZero(Boundary):
    """Min-max normalisation gives the only hit of a list 0, and what has 0 is dropped; so are hits that all tie.

    In hybrid search it is the keyword list that is lost: what vectors find is left.
    """

    def search(self, query: str, k: int, mode: str, scope: frozenset[str] = frozenset()) -> SearchResult:
        if mode == "hybrid" and self.touches(query) and {"keyword", "vector"} <= self.modes:
            lost = _without_spread(self.behind(query, k, "keyword", scope).hits)
            return self.behind(query, k, "vector" if lost else mode, scope)
        return super().search(query, k, mode, scope)

    def rewrite_result(self, query: str, k: int, result: SearchResult) -> SearchResult:  # noqa: ARG002 - overridden
        return replace(result, hits=()) if self.touches(query) and _without_spread(result.hits) else result


class _TiesRandom(Boundary):
    """Hits of one score come in another order each time: a counter of the searches stands for chance."""

    def __init__(self, store: Store, dose: float) -> None:
        super().__init__(store, dose)
        self._searches = 0

    def rewrite_result(self, query: str, k: int, result: SearchResult) -> SearchResult:  # noqa: ARG002 - overridden
        if not self.touches(query):
            return result
        self._searches += 1
        ties = groupby(result.hits, key=lambda hit: round(hit.score, DECIMALS))
        return replace(result, hits=tuple(hit for _, tied in ties for hit in sorted(tied, key=self._drawn)))

    def _drawn(self, hit: ScoredDoc) -> tuple[int, str]:
        # CRC-32 is linear: the counter alone would move all keys alike, and their order would hardly change.
        mixed = crc32(f"{hit.doc_id} {self._searches}".encode("utf-8", "surrogatepass")) * 0x9E3779B97F4A7C15
        return mixed >> 16 & 0xFFFFFFFF, hit.doc_id


class _Duplicates(Boundary):
    """Each hit comes twice or three times in turn, and only then is the list cut to k."""

    def rewrite_result(self, query: str, k: int, result: SearchResult) -> SearchResult:
        if not self.touches(query):
            return result
        return replace(result, hits=tuple(hit for at, hit in enumerate(result.hits) for _ in range(2 + at % 2))[:k])


def _ids(hits: Sequence[ScoredDoc]) -> list[str]:
    return [hit.doc_id for hit in hits]


def _without_spread(hits: Sequence[ScoredDoc]) -> bool:
    """Whether there are hits, all of one score."""
    return len({round(hit.score, DECIMALS) for hit in hits}) == 1


RANKING_DEFECTS = (
    Defect(
        "reversed",
        "ranking",
        "the sign of a score flipped: a distance taken for a similarity, or a sort in the wrong direction",
        _Reversed,
    ),
    Defect(
        "distance-as-similarity",
        "ranking",
        "1 - score over what the engine returned, or its distances sorted as if they were scores: hits that are"
        " plausible, the weakest first",
        _DistanceAsSimilarity,
        modes=SCORED,
    ),
    Defect(
        "scores-constant",
        "ranking",
        "scores that are all the same: a constant query that only filters, saturated or overflowed numbers, NaN",
        _ScoresConstant,
        modes=SCORED,
    ),
    Defect(
        "single-hit-zero",
        "ranking",
        "min-max normalisation of a list without spread, such as one of one: its hits get 0 and are dropped",
        _SingleHitZero,
    ),
    Defect(
        "ties-random",
        "ranking",
        "ties broken by what is not stable: the order of a set, of threads or of shards",
        _TiesRandom,
        unmeasurable=True,
    ),
    Defect(
        "duplicates",
        "ranking",
        "a join or an index of parts that returns a document once a row, and is cut to k before anybody looks",
        _Duplicates,
    ),
)
