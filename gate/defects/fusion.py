"""Defects of hybrid search and of the vector side in it: the wrong weights, or a side that is not there."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from gate.defects.boundary import Boundary
from gate.defects.defect import Defect
from gate.defects.living import Living
from gate.protocols import Store
from gate.records import Document, Evidence, ScoredDoc, SearchResult

# Of reciprocal rank fusion.
CONSTANT = 60
# Hits of each side that are fused, whatever the k of a search: a longer answer starts like a shorter one.
DEPTH = 100
SIDES = frozenset({"keyword", "vector"})


class _Fused(Boundary, ABC):
    """Hybrid search made of the lists that the modes keyword and vector give.

    Without one of the modes everything is passed through.
    """

    def search(self, query: str, k: int, mode: str, scope: frozenset[str] = frozenset()) -> SearchResult:
        if mode != "hybrid" or not self.modes >= SIDES or not self.touches(query):
            return super().search(query, k, mode, scope)
        keyword, vector = (self.behind(query, max(k, DEPTH), side, scope) for side in ("keyword", "vector"))
        hits = fused(self.weigh(keyword.hits, vector.hits), k)
        return replace(vector, hits=hits, evidence=_better(keyword.evidence, vector.evidence))

    @abstractmethod
    def weigh(self, keyword: Sequence[ScoredDoc], vector: Sequence[ScoredDoc]) -> Sequence[Mapping[str, float]]:
        """The scores of both sides by id, those of keywords first."""


class _Unweighted(_Fused):
    """Reciprocal rank fusion, whatever was configured: places count, both sides alike.

    Cormack, Clarke and Büttcher, "Reciprocal Rank Fusion Outperforms Condorcet and Individual Rank
    Learning Methods", SIGIR 2009.
    """

    def weigh(self, keyword: Sequence[ScoredDoc], vector: Sequence[ScoredDoc]) -> Sequence[Mapping[str, float]]:
        return [
            {hit.doc_id: 1.0 / (CONSTANT + place) for place, hit in enumerate(side, start=1)}
            for side in (keyword, vector)
        ]


class _Swapped(_Fused):
    """Shares of the best score, 0.3 of keywords and 0.7 of vectors: the side that should lead follows.

    A convex combination as in Bruch, Gai and Ingber, "An Analysis of Fusion Functions for Hybrid
    Retrieval", TOIS 42, 2023.
    """

    def weigh(self, keyword: Sequence[ScoredDoc], vector: Sequence[ScoredDoc]) -> Sequence[Mapping[str, float]]:
        return [
            {doc_id: weight * share for doc_id, share in shares(side).items()}
            for side, weight in ((keyword, 0.3), (vector, 0.7))
        ]


class _KeywordArmSwallowed(Boundary):
    """Hybrid search is what vectors find, and says nothing."""

    def search(self, query: str, k: int, mode: str, scope: frozenset[str] = frozenset()) -> SearchResult:
        alone = mode == "hybrid" and "vector" in self.modes and self.touches(query)
        return super().search(query, k, "vector" if alone else mode, scope)


class _VectorArmSwallowed(Boundary):
    """Hybrid search is what keywords find, and says nothing."""

    def search(self, query: str, k: int, mode: str, scope: frozenset[str] = frozenset()) -> SearchResult:
        alone = mode == "hybrid" and "keyword" in self.modes and self.touches(query)
        return super().search(query, k, "keyword" if alone else mode, scope)


class _SubstringVector(Living):
    """Vector search finds documents that contain words of the question, as pieces of any word; no vector is looked at.

    The rest of the answer is that of keyword search, where the store has it.
    """

    def __init__(self, store: Store, dose: float) -> None:
        super().__init__(store, dose)
        self._folded: dict[str, str] = {}
        self._holding: dict[str, list[str]] = {}

    def add(self, documents: Sequence[Document]) -> None:
        super().add(documents)
        self._fold(documents)

    def replace(self, document: Document) -> None:
        super().replace(document)
        self._fold([document])

    def search(self, query: str, k: int, mode: str, scope: frozenset[str] = frozenset()) -> SearchResult:
        if mode != "vector" or not self.documents or not self.touches(query):
            return super().search(query, k, mode, scope)
        words = set(query.casefold().split())
        held = Counter(doc_id for word in words for doc_id in self._found(word))
        seen = [i for i in held if i in self.documents and self.seen(self.documents[i], scope)]
        best = sorted(seen, key=lambda doc_id: (-held[doc_id], doc_id))[:k]
        found = self.behind(query, k, "keyword", scope) if "keyword" in self.modes else SearchResult(())
        return replace(found, hits=tuple(ScoredDoc(doc_id, held[doc_id] / len(words)) for doc_id in best))

    def _fold(self, documents: Sequence[Document]) -> None:
        self._folded |= {one.doc_id: (one.index_text or one.text).casefold() for one in documents}
        self._holding.clear()

    def _found(self, word: str) -> list[str]:
        """The ids of all texts that contain a word; kept, since questions share most of theirs."""
        if word not in self._holding:
            self._holding[word] = [doc_id for doc_id, text in self._folded.items() if word in text]
        return self._holding[word]


def fused(sides: Sequence[Mapping[str, float]], k: int) -> tuple[ScoredDoc, ...]:
    """At most `k` hits by the sum of their scores on all sides, ties by id."""
    scores: dict[str, float] = {}
    for side in sides:
        for doc_id, score in side.items():
            scores[doc_id] = scores.get(doc_id, 0.0) + score
    best = sorted(scores, key=lambda doc_id: (-round(scores[doc_id], 9), doc_id))[:k]
    return tuple(ScoredDoc(doc_id, scores[doc_id]) for doc_id in best)


def shares(hits: Sequence[ScoredDoc]) -> Mapping[str, float]:
    """Scores as shares of the best, from 0 to 1; those of places in the list where no score is above 0."""
    best = max((hit.score for hit in hits), default=0.0)
    if best > 0:
        return {hit.doc_id: max(hit.score, 0.0) / best for hit in hits}
    return {hit.doc_id: 1.0 / place for place, hit in enumerate(hits, start=1)}


def _better(*known: Evidence | None) -> Evidence | None:
    given = [one for one in known if one is not None]
    return max(given, key=lambda one: one.coverage) if given else None


FUSION_DEFECTS = (
    Defect(
        "fusion-unweighted",
        "ranking",
        "the weights of hybrid search ignored: plain reciprocal rank fusion, an engine's default, in place of them",
        _Unweighted,
        modes=frozenset({"hybrid"}),
        asks=SIDES,
    ),
    Defect(
        "fusion-swapped",
        "ranking",
        "the weights of hybrid search given to the wrong sides: alpha for 1 - alpha",
        _Swapped,
        modes=frozenset({"hybrid"}),
        asks=SIDES,
    ),
    Defect(
        "keyword-arm-swallowed",
        "ranking",
        "an error of the keyword index that is caught and forgotten: hybrid search is vector search alone",
        _KeywordArmSwallowed,
        modes=frozenset({"hybrid"}),
        asks=SIDES,
    ),
    Defect(
        "vector-arm-swallowed",
        "ranking",
        "an error of the vector index that is caught and forgotten: hybrid search is keyword search alone",
        _VectorArmSwallowed,
        modes=frozenset({"hybrid"}),
        asks=SIDES,
    ),
    Defect(
        "substring-vector",
        "ranking",
        "semantic search replaced by LIKE '%word%': an extension that did not load, a stand-in that stayed",
        _SubstringVector,
        modes=frozenset({"vector"}),
    ),
)
