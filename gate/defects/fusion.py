"""Defects of hybrid search and of the vector side in it: the wrong weights, or a side that is not there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from gate.defects.boundary import Boundary
from gate.defects.defect import Defect
from gate.defects.living import Living
from gate.protocols import Store
from gate.records import Document, Evidence, ScoredDoc, SearchResult

# Of reciprocal rank fusion, as Cormack, Clarke and Büttcher give it (SIGIR 2009).
CONSTANT = 60
# Hits of each side that are fused, whatever the k of a search: a longer answer starts like a shorter one.
DEPTH = 100
SIDES = frozenset({"keyword", "vector"})


class _Fused(Boundary):
    """Hybrid search made of the lists that the modes keyword and vector give, with weights of its own.

    By reciprocal rank fusion, which asks nothing of scores. Without one of the modes it passes everything through.
    """

    def __init__(self, store: Store, dose: float, weights: Mapping[str, float]) -> None:
        super().__init__(store, dose)
        self._weights = weights

    def search(self, query: str, k: int, mode: str, scope: frozenset[str] = frozenset()) -> SearchResult:
        if mode != "hybrid" or not self.modes >= SIDES or not self.touches(query):
            return super().search(query, k, mode, scope)
        sides = {side: self.behind(query, max(k, DEPTH), side, scope) for side in self._weights}
        hits = fused([(sides[side].hits, weight) for side, weight in self._weights.items()], k)
        return replace(sides["vector"], hits=hits, evidence=_better(*(one.evidence for one in sides.values())))


class _Unweighted(_Fused):
    """Both sides count alike."""

    def __init__(self, store: Store, dose: float) -> None:
        super().__init__(store, dose, {"keyword": 0.5, "vector": 0.5})


class _Swapped(_Fused):
    """The side that should lead follows: 0.3 of keywords and 0.7 of vectors."""

    def __init__(self, store: Store, dose: float) -> None:
        super().__init__(store, dose, {"keyword": 0.3, "vector": 0.7})


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


def fused(lists: Sequence[tuple[Sequence[ScoredDoc], float]], k: int) -> tuple[ScoredDoc, ...]:
    """At most `k` hits of lists with weights, by the weighted sum of their 1 / (60 + rank), ties by id."""
    scores: dict[str, float] = {}
    for hits, weight in lists:
        for rank, hit in enumerate(hits, start=1):
            scores[hit.doc_id] = scores.get(hit.doc_id, 0.0) + weight / (CONSTANT + rank)
    best = sorted(scores, key=lambda doc_id: (-round(scores[doc_id], 9), doc_id))[:k]
    return tuple(ScoredDoc(doc_id, scores[doc_id]) for doc_id in best)


def _better(*known: Evidence | None) -> Evidence | None:
    given = [one for one in known if one is not None]
    return max(given, key=lambda one: one.coverage) if given else None


FUSION_DEFECTS = (
    Defect(
        "fusion-unweighted",
        "ranking",
        "the weights of hybrid search ignored: both sides count alike, whatever was configured",
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
