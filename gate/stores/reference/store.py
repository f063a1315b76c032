"""The embedded store: text -> lexical -> dense -> fusion -> facts over one SQLite file."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import starmap
from pathlib import Path

import numpy as np

from gate.protocols import Embedder, Reranker
from gate.records import Document, Evidence, ScoredDoc, SearchResult
from gate.stores.reference import conversion, facts, fusion, han, lexical, stems, text
from gate.stores.reference.analysis import counted, language_of
from gate.stores.reference.asked import Term, weights_of
from gate.stores.reference.catalogue import Catalogue
from gate.stores.reference.coverage import LOOKED_AT, Content, content_of, evidence
from gate.stores.reference.dense import DenseIndex
from gate.stores.reference.expansion import expanded
from gate.stores.reference.parts import HitReranker, QueryEmbedder, Vector
from gate.stores.reference.ranking import Scores, Slots, ranked
from gate.stores.reference.storage import Row, Storage

EMBEDDER, RERANKER = frozenset({"embedder"}), frozenset({"reranker"})
RERANKED = 50  # hits that are reranked, whatever the k of a search
REFERRING = 3  # first hits whose references are followed, one step
REFERRED = 2  # documents at most that references bring in
KEPT_QUESTIONS = 4096  # questions whose words are kept, worked out, for as long as nothing is stored
FILLED_AT_ONCE = 256  # texts in one call of the embedder

Hits = list[tuple[str, float]]


@dataclass(frozen=True, slots=True)
class _Wanted:
    """A question worked out: what its terms weigh, and what an answer should hold."""

    weights: Mapping[Term, float]
    content: Sequence[Content]


class ReferenceStore:
    """Keyword, vector and hybrid search, reranking, and facts, over documents of any script.

    Without an embedder there are the modes keyword and facts. When the embedder or the reranker
    fails, a search answers without it and says so in `degraded`. Documents that were added
    while the embedder failed are searched by keywords until their vectors are made up for, at
    the next add, reopening or search at which it works.

    When one of the first three hits refers to other documents, at most two of those are ranked
    right behind the third. `Document.supersedes` is metadata: only `supersede` replaces.
    """

    name = "reference"

    def __init__(self, path: Path, embedder: Embedder | None = None, reranker: Reranker | None = None) -> None:
        self._embedder = embedder
        self._reranker = reranker
        self._hit_reranker = HitReranker(reranker) if reranker is not None else None
        modes, abilities = {"keyword", "facts"}, {"update", "delete", "supersede", "scope", "reopen", "evidence"}
        if embedder is not None:
            modes |= {"vector", "hybrid"}
            abilities |= {"embedder"}
            if reranker is not None:
                modes |= {"rerank"}
                abilities |= {"reranker"}
        self.modes = frozenset(modes)
        self.abilities = frozenset(abilities)
        self._storage = Storage(path)
        self._catalogue = Catalogue()
        self._lexical = lexical.LexicalIndex()
        self._dense = DenseIndex(embedder.dimension if embedder is not None else 0)
        self._facts = facts.FactTable()
        self._refs: dict[str, tuple[str, ...]] = {}
        self._languages: Counter[str] = Counter()  # of the documents; of those in English, and in none, an empty text
        self._spoken: tuple[str, ...] = ()  # those with stems of their own, as of the first question since a change
        self._without_vector: set[str] = set()
        self._asked: dict[str, _Wanted] = {}
        self._query_embedder = self._opened_embedder(embedder) if embedder is not None else None
        self._load()

    def environment(self) -> Mapping[str, str]:
        """Versions and parameters of what really runs."""
        live = {
            "sqlite": sqlite3.sqlite_version,
            "numpy": np.__version__,
            "han": han.segmentation(),
            "stemmer": stems.version(),
            "conversion": conversion.conversion(),
            "keyword": f"bm25 k1={lexical.K1} b={lexical.B} longest={lexical.LONGEST} terms={text.VERSION}",
            "hybrid": f"convex {fusion.WEIGHT} depth={fusion.DEPTH}",
        }
        if self._embedder is not None:
            live["embedder"] = self._embedder.name
        if "rerank" in self.modes and self._reranker is not None:
            live["reranker"] = f"{self._reranker.name} depth={RERANKED}"
        return live

    def count(self) -> int:
        """Documents stored and not deleted; a superseded one is stored."""
        return len(self._catalogue)

    def add(self, documents: Sequence[Document]) -> None:
        """Stores a batch, in one transaction. An id that is there already is replaced."""
        latest = {document.doc_id: document for document in documents}
        vectors = self._embed(latest.values())
        converted_by = conversion.conversion()
        rows = [_row(document, vectors.get(document.doc_id), converted_by) for document in latest.values()]
        before = [self._storage.row(doc_id) for doc_id in latest if doc_id in self._catalogue]
        self._storage.write(rows)
        for row in before:
            self._remove(row)
        for row in rows:
            self._index(row)
        if vectors:
            self._fill()

    def update(self, document: Document) -> None:
        """Replaces a document in every mode. Raises KeyError where it is not stored."""
        if document.doc_id not in self._catalogue:
            raise KeyError(f"there is no document '{document.doc_id}' to update")
        self.add([document])

    def delete(self, doc_id: str) -> None:
        """Deletes a document from every mode. Nothing happens where it is not stored.

        What it had replaced stays replaced: by its own replacement, or by nothing.
        """
        if doc_id in self._catalogue:
            row = self._storage.row(doc_id)
            self._storage.delete(doc_id)
            self._remove(row)
            self._catalogue.forget(doc_id)

    def supersede(self, old_id: str, new_id: str) -> None:
        """From now on hits on `old_id` lead to `new_id`. Raises KeyError or ValueError where that makes no sense."""
        if new_id not in self._catalogue:
            raise KeyError(f"there is no document '{new_id}' to replace '{old_id}'")
        self._catalogue.supersede(old_id, new_id)
        self._storage.supersede(old_id, new_id)

    def close(self) -> None:
        for part in (self._query_embedder, self._hit_reranker):
            if part is not None:
                part.close()
        self._storage.close()

    def search(self, query: str, k: int, mode: str, scope: frozenset[str] = frozenset()) -> SearchResult:
        """At most `k` hits. A blank query has none. Raises ValueError for a mode that is not declared."""
        if mode not in self.modes:
            raise ValueError(f"there is no mode '{mode}' here, only {', '.join(sorted(self.modes))}")
        if k <= 0 or not query.strip():
            return SearchResult(())
        if mode == "facts":
            return self._search_facts(query, k, scope)
        wanted = self._wanted(query)
        if mode == "keyword":
            found, degraded = self._keyword(wanted, scope), frozenset[str]()
        else:
            found, degraded = self._semantic(query, wanted, max(k, RERANKED), mode, scope)
        hits = ranked(*found, max(k, RERANKED) if mode == "rerank" else max(k, REFERRING), self._catalogue.doc_ids)
        if mode == "rerank":
            hits, failed = self._rerank(query, hits)
            degraded |= failed
        hits = self._with_references(hits, scope)[:k]
        lineages = [self._catalogue.lineage(doc_id) for doc_id, _ in hits[:LOOKED_AT]]
        return SearchResult(_scored(hits), degraded, evidence=evidence(wanted.content, lineages))

    def _wanted(self, query: str) -> _Wanted:
        """What a question asks of the words stored now. Kept until they change; nothing of the embedder is."""
        if query not in self._asked:
            if len(self._asked) >= KEPT_QUESTIONS:
                self._asked.clear()
            if not self._asked:
                self._spoken = tuple(sorted(lang for lang in self._languages if stems.extra_language(lang)))
            languages, home = self._spoken, self._home()
            wanted = expanded(text.asked(query, languages, home), self._lexical, languages, home)
            self._asked[query] = _Wanted(weights_of(wanted), content_of(wanted, self._lexical))
        return self._asked[query]

    def _home(self) -> str:
        """The language that most documents are in; empty where that is English, or none is."""
        lang, count = max(self._languages.items(), key=lambda known: known[1], default=("", 0))
        return lang if 2 * count > len(self._catalogue) else ""

    def _keyword(self, wanted: _Wanted, scope: frozenset[str]) -> tuple[Slots, Scores]:
        return self._catalogue.visible(*self._lexical.search(wanted.weights), scope)

    def _semantic(
        self, query: str, wanted: _Wanted, k: int, mode: str, scope: frozenset[str]
    ) -> tuple[tuple[Slots, Scores], frozenset[str]]:
        """What vectors find, alone or fused with keywords; keywords alone where the embedder fails."""
        assert self._query_embedder is not None
        vector = self._query_embedder.query(query)
        if vector is None:
            return self._keyword(wanted, scope), EMBEDDER
        self._fill()
        close = self._catalogue.visible(*self._dense.search(vector), scope)
        if mode == "vector" and not self._without_vector:
            return close, frozenset()
        fused = fusion.fuse(self._keyword(wanted, scope), close, k)
        return fused, EMBEDDER if self._without_vector else frozenset()

    def _rerank(self, query: str, hits: Hits) -> tuple[Hits, frozenset[str]]:
        assert self._hit_reranker is not None
        first, rest = hits[:RERANKED], hits[RERANKED:]
        if not first:
            return hits, frozenset()
        scores = self._hit_reranker.relevance(query, self._storage.texts([doc_id for doc_id, _ in first]))
        if scores is None:
            return hits, RERANKER
        again = [(doc_id, round(score, 9)) for (doc_id, _), score in zip(first, scores, strict=True)]
        again.sort(key=lambda hit: (-hit[1], hit[0]))
        # Fused scores are below 1: what was not reranked stays in order, below all that was.
        return again + [(doc_id, again[-1][1] - 1.0 + score) for doc_id, score in rest], frozenset()

    def _with_references(self, hits: Hits, scope: frozenset[str]) -> Hits:
        first = hits[:REFERRING]
        known = {doc_id for doc_id, _ in first}
        brought: list[str] = []
        for doc_id, _ in first:
            for ref in self._refs.get(doc_id, ()):
                target = self._catalogue.heir(ref)
                if target in self._catalogue and target not in known and self._catalogue.allows(target, scope):
                    known.add(target)
                    brought.append(target)
        if not brought:
            return hits
        brought = brought[:REFERRED]
        rest = [hit for hit in hits[REFERRING:] if hit[0] not in brought]
        return [*first, *((doc_id, first[-1][1]) for doc_id in brought), *rest]

    def _search_facts(self, query: str, k: int, scope: frozenset[str]) -> SearchResult:
        found = self._facts.search(query, scope, self._catalogue.superseded())
        sources = list(dict.fromkeys(statement.doc_id for statement in found))[:k]
        kept = [statement for statement in found if statement.doc_id in sources]
        hits = tuple(ScoredDoc(doc_id, 1.0 / rank) for rank, doc_id in enumerate(sources, start=1))
        known = Evidence(answerable=bool(hits), coverage=1.0 if hits else 0.0)
        return SearchResult(hits, context=facts.context(kept), evidence=known)

    def _opened_embedder(self, embedder: Embedder) -> QueryEmbedder:
        """The embedder, with what is known of it. Vectors that another one made are forgotten."""
        storage, made_by = self._storage, f"{embedder.name} {embedder.dimension}"
        if storage.setting("embedder") != made_by or not storage.setting("canary"):
            storage.forget_vectors()
            storage.set("embedder", made_by)
            storage.set("canary", "")
        kept = bytes.fromhex(storage.setting("canary"))
        canary = np.frombuffer(kept, dtype="<f4").astype(np.float32) if kept else None
        return QueryEmbedder(embedder, canary, lambda made: storage.set("canary", made.astype("<f4").tobytes().hex()))

    def _load(self) -> None:
        for old, new in self._storage.supersessions().items():
            self._catalogue.supersede(old, new)
        converted_by = conversion.conversion()
        analysed_by = f"{text.VERSION} {converted_by}"
        if self._storage.setting("terms") != analysed_by:
            # Written by another version, or with characters converted otherwise: questions would miss it.
            self._storage.write([_row(row.document, row.vector, converted_by) for row in self._storage.rows()])
            self._storage.set("terms", analysed_by)
        for row in self._storage.rows():
            self._index(row)
        self._fill()

    def _index(self, row: Row) -> None:
        document = row.document
        self._asked.clear()
        slot = self._catalogue.put(document.doc_id, document.scope)
        self._lexical.add(slot, row.counts, row.length)
        self._facts.add(document.doc_id, row.facts, document.created_at, document.scope)
        if document.refs:
            self._refs[document.doc_id] = document.refs
        self._languages[_language(document)] += 1
        if self._embedder is None or not _indexed_text(document).strip():
            return
        if row.vector is None:
            self._without_vector.add(document.doc_id)
        else:
            self._dense.set(slot, row.vector)

    def _remove(self, row: Row) -> None:
        document = row.document
        self._asked.clear()
        slot = self._catalogue.take(document.doc_id)
        self._lexical.remove(slot, row.counts, row.length)
        self._dense.remove(slot)
        self._facts.remove(document.doc_id)
        self._refs.pop(document.doc_id, None)
        self._languages -= Counter([_language(document)])
        self._without_vector.discard(document.doc_id)

    def _embed(self, documents: Iterable[Document]) -> dict[str, Vector]:
        """The vectors of those documents that have text, as far as the embedder makes them."""
        if self._query_embedder is None:
            return {}
        texts = {one.doc_id: _indexed_text(one) for one in documents if _indexed_text(one).strip()}
        vectors = self._query_embedder.documents(list(texts.values()))
        return {doc_id: vector for doc_id, vector in zip(texts, vectors, strict=True) if vector is not None}

    def _fill(self) -> None:
        """Makes up for vectors that are missing since the embedder failed."""
        missing = sorted(self._without_vector)
        for start in range(0, len(missing), FILLED_AT_ONCE):
            some = missing[start : start + FILLED_AT_ONCE]
            made = self._embed(self._storage.row(doc_id).document for doc_id in some)
            if not made:
                return
            self._storage.write((), made)
            for doc_id, vector in made.items():
                self._dense.set(self._catalogue.slot(doc_id), vector)
            self._without_vector.difference_update(made)


def _row(document: Document, vector: Vector | None, converted_by: str) -> Row:
    counts, length = counted(_indexed_text(document), _language(document), converted_by)
    return Row(document, counts, length, facts.stated(document), vector)


def _indexed_text(document: Document) -> str:
    return document.index_text or document.text


def _language(document: Document) -> str:
    """The language that a document declares, or else that of its function words: its primary subtag (BCP 47)."""
    return stems.primary_language(document.lang) if document.lang else language_of(_indexed_text(document))


def _scored(hits: Hits) -> tuple[ScoredDoc, ...]:
    return tuple(starmap(ScoredDoc, hits))
