"""A small sound store in memory, and for every probe one that breaks what it looks at."""

from __future__ import annotations

import pickle
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from gate.protocols import Embedder, Reranker
from gate.records import Document, ScoredDoc, SearchResult

_TOKEN = re.compile("[\u0e00-\u0e7f]+|[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]+|\\w+")
_UNSPACED = re.compile("[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]")
Scored = list[tuple[str, float]]
Rows = NDArray[np.float64]


class Sound:
    """Keyword: the number of query terms held, then the share of the text that they are. Vector: cosine. Hybrid: both.

    A term is a word, or two neighbouring characters of a script without spaces.
    """

    name = "sound"
    modes = frozenset({"keyword", "vector", "hybrid", "facts"})
    abilities = frozenset({"update", "delete", "supersede", "scope", "reopen", "embedder"})

    def __init__(self, path: Path, embedder: Embedder | None = None, reranker: Reranker | None = None) -> None:
        assert embedder is not None
        self.embedder = embedder
        self.file = path / "sound.pickle"
        self.documents: dict[str, Document] = {}
        self.heirs: dict[str, str] = {}
        self.terms: dict[str, frozenset[str]] = {}
        self.vectors: dict[str, Rows] = {}
        if self.file.exists():
            documents, self.heirs = pickle.loads(self.file.read_bytes())
            self.put(documents)

    def environment(self) -> Mapping[str, str]:
        return {"embedder": self.embedder.name, "device": "cpu"}

    def add(self, documents: Sequence[Document]) -> None:
        self.put(documents)

    def put(self, documents: Iterable[Document]) -> None:
        kept = list(documents)
        for one, vector in zip(kept, self.embedded([one.text for one in kept], "document"), strict=True):
            self.documents[one.doc_id] = one
            self.terms[one.doc_id] = frozenset(self.terms_of(self.normal(one.text)))
            self.vectors[one.doc_id] = vector

    def embedded(self, texts: list[str], kind: str) -> Rows:
        if not texts:
            return np.zeros((0, self.embedder.dimension))
        rows: Rows = self.embedder.embed(texts, kind).astype(np.float64)
        lengths: Rows = np.sqrt((rows * rows).sum(axis=1, keepdims=True))
        return np.divide(rows, np.maximum(lengths, 1e-9))

    def normal(self, text: str) -> str:
        return unicodedata.normalize("NFKC", text).casefold()

    def terms_of(self, text: str) -> list[str]:
        found = []
        for token in _TOKEN.findall(text):
            unspaced = _UNSPACED.match(token) and len(token) > 1
            found += [token[at : at + 2] for at in range(len(token) - 1)] if unspaced else [token]
        return found

    def count(self) -> int:
        return len(self.documents)

    def update(self, document: Document) -> None:
        self.put([document])

    def delete(self, doc_id: str) -> None:
        for table in (self.documents, self.terms, self.vectors):
            table.pop(doc_id, None)

    def supersede(self, old_id: str, new_id: str) -> None:
        self.heirs[old_id] = new_id

    def close(self) -> None:
        self.file.write_bytes(pickle.dumps((list(self.documents.values()), self.heirs)))

    def search(self, query: str, k: int, mode: str, scope: frozenset[str] = frozenset()) -> SearchResult:
        return SearchResult(tuple(ScoredDoc(*hit) for hit in self.best(query, k, mode, scope)))

    def best(self, query: str, k: int, mode: str, scope: frozenset[str]) -> Scored:
        return self.seen(self.ranked(query, mode), scope)[:k]

    def seen(self, hits: Scored, scope: frozenset[str]) -> Scored:
        found: dict[str, float] = {}
        for doc_id, score in hits:
            heir = self.heirs.get(doc_id, doc_id)
            if heir in self.documents and self.allows(heir, scope):
                found.setdefault(heir, score)
        return list(found.items())

    def allows(self, doc_id: str, scope: frozenset[str]) -> bool:
        return not scope or self.documents[doc_id].scope <= scope

    def ranked(self, query: str, mode: str) -> Scored:
        if not query.strip():
            return []
        scores = self.keyword(query)
        if mode == "facts":
            scores = {doc_id: score for doc_id, score in scores.items() if self.documents[doc_id].facts}
        elif mode == "vector":
            scores = self.close_to(query)
        elif mode == "hybrid":
            close = self.close_to(query)
            scores = {doc_id: close.get(doc_id, 0.0) + scores.get(doc_id, 0.0) for doc_id in {**scores, **close}}
        return sorted(scores.items(), key=lambda hit: (-hit[1], hit[0]))

    def keyword(self, query: str) -> dict[str, float]:
        asked = set(self.terms_of(self.normal(query)))
        held = {doc_id: len(asked & own) + len(asked & own) / (1 + len(own)) for doc_id, own in self.terms.items()}
        return {doc_id: score for doc_id, score in held.items() if score}

    def close_to(self, query: str) -> dict[str, float]:
        vector = self.embedded([query], "query")[0]
        return {doc_id: round(float(own @ vector), 9) for doc_id, own in self.vectors.items()}


class EveryWord(Sound):
    """Sound too: words are what stands between spaces, and keyword search wants all of the question's."""

    modes = frozenset({"keyword"})

    def terms_of(self, text: str) -> list[str]:
        return text.split()

    def keyword(self, query: str) -> dict[str, float]:
        asked = set(self.terms_of(self.normal(query)))
        return {doc_id: score for doc_id, score in super().keyword(query).items() if asked <= self.terms[doc_id]}


class ScriptFlips(Sound):
    """One document in Han alone turns Japanese into whole runs."""

    def put(self, documents: Iterable[Document]) -> None:
        super().put(documents)
        self.terms = {name: frozenset(self.terms_of(self.normal(one.text))) for name, one in self.documents.items()}

    def terms_of(self, text: str) -> list[str]:
        if any(re.fullmatch("[\u4e00-\u9fff]{5,}", one.text) for one in self.documents.values()):
            return _TOKEN.findall(text)
        return super().terms_of(text)


class PoolDecides(Sound):
    def best(self, query: str, k: int, mode: str, scope: frozenset[str]) -> Scored:
        found = super().best(query, k, mode, scope)
        return sorted(found) if k < 10 else found


class NoSingleHit(Sound):
    """Min-max over one hit: nothing is above the threshold."""

    def best(self, query: str, k: int, mode: str, scope: frozenset[str]) -> Scored:
        return [] if k == 1 else super().best(query, k, mode, scope)


class NotBeyond(Sound):
    def best(self, query: str, k: int, mode: str, scope: frozenset[str]) -> Scored:
        if k > len(self.documents):
            raise ValueError("k is larger than the index")
        return super().best(query, k, mode, scope)


class Capped(Sound):
    def best(self, query: str, k: int, mode: str, scope: frozenset[str]) -> Scored:
        return super().best(query, min(k, 3), mode, scope)


class NewestFirst(Sound):
    def ranked(self, query: str, mode: str) -> Scored:
        found = {doc_id for doc_id, _ in super().ranked(query, mode)}
        newest = [doc_id for doc_id in reversed(self.documents) if doc_id in found]
        return [(doc_id, 1.0 / rank) for rank, doc_id in enumerate(newest, 1)]


class Learns(Sound):
    def __init__(self, path: Path, embedder: Embedder | None = None, reranker: Reranker | None = None) -> None:
        super().__init__(path, embedder, reranker)
        self.liked: dict[str, float] = {}

    def ranked(self, query: str, mode: str) -> Scored:
        found = [(doc_id, score + self.liked.get(doc_id, 0.0)) for doc_id, score in super().ranked(query, mode)]
        for doc_id, _ in found[-3:]:
            self.liked[doc_id] = self.liked.get(doc_id, 0.0) + 3.0
        return sorted(found, key=lambda hit: (-hit[1], hit[0]))


class ByIds(Sound):
    def ranked(self, query: str, mode: str) -> Scored:
        found = sorted(doc_id for doc_id, _ in super().ranked(query, mode))
        return [(doc_id, 1.0 / rank) for rank, doc_id in enumerate(found, 1)]


class EverySecond(Sound):
    asked = 0

    def ranked(self, query: str, mode: str) -> Scored:
        self.asked += 1
        found = super().ranked(query, mode)
        return found[:1] + found[:0:-1] if self.asked % 2 else found


class Appends(Sound):
    """A document that is there already is there once more."""

    copies = 0

    def put(self, documents: Iterable[Document]) -> None:
        kept = list(documents)
        self.copies += sum(one.doc_id in self.documents for one in kept)
        super().put(kept)

    def count(self) -> int:
        return len(self.documents) + self.copies


class Forgets(Sound):
    def close(self) -> None:
        self.file.write_bytes(pickle.dumps(([], {})))


class HashTies(Sound):
    def ranked(self, query: str, mode: str) -> Scored:
        return sorted(super().ranked(query, mode), key=lambda hit: (-int(hit[1]), hash(hit[0])))


class SignFlipped(Sound):
    def ranked(self, query: str, mode: str) -> Scored:
        return [(doc_id, -score) for doc_id, score in super().ranked(query, mode)[::-1]]


class WholeRuns(Sound):
    """Words as a pattern for English finds them: runs kept whole, short words left out."""

    def terms_of(self, text: str) -> list[str]:
        return [token for token in re.findall("[a-z]{5,}", text) if token.isascii()]


class AllWords(Sound):
    def keyword(self, query: str) -> dict[str, float]:
        asked = set(self.terms_of(self.normal(query)))
        return {doc_id: score for doc_id, score in super().keyword(query).items() if asked <= self.terms[doc_id]}

    def close_to(self, query: str) -> dict[str, float]:
        return {}


class ByKeyword(Sound):
    """Hybrid search finds what keyword search does."""

    def close_to(self, query: str) -> dict[str, float]:
        return {doc_id: 0.001 * score for doc_id, score in super().keyword(query).items()}


class NoFolding(ByKeyword):
    def normal(self, text: str) -> str:
        return unicodedata.normalize("NFKC", text)


class NoWidth(ByKeyword):
    def normal(self, text: str) -> str:
        return unicodedata.normalize("NFC", text).casefold()


class NoForms(ByKeyword):
    def normal(self, text: str) -> str:
        return text.casefold()


class LastLost(Sound):
    """The last document of a batch is stored and never found."""

    def put(self, documents: Iterable[Document]) -> None:
        kept = list(documents)
        super().put(kept)
        if len(kept) > 1:
            self.terms[kept[-1].doc_id], self.vectors[kept[-1].doc_id] = frozenset(), np.full_like(
                self.vectors[kept[-1].doc_id], -1.0
            )  # fmt: skip


class OldVector(Sound):
    def update(self, document: Document) -> None:
        before = self.vectors[document.doc_id]
        super().update(document)
        self.vectors[document.doc_id] = before


class SomeOldVectors(OldVector):
    def update(self, document: Document) -> None:
        if document.doc_id == "crate-7":
            super().update(document)
        else:
            Sound.update(self, document)


class Ghost(Sound):
    def delete(self, doc_id: str) -> None:
        self.gone = doc_id
        self.hidden = self.documents[doc_id]

    def count(self) -> int:
        return len(self.documents) - hasattr(self, "gone")


class Tombstone(Sound):
    def __init__(self, path: Path, embedder: Embedder | None = None, reranker: Reranker | None = None) -> None:
        super().__init__(path, embedder, reranker)
        self.buried: set[str] = set()

    def delete(self, doc_id: str) -> None:
        super().delete(doc_id)
        self.buried.add(doc_id)

    def allows(self, doc_id: str, scope: frozenset[str]) -> bool:
        return doc_id not in self.buried and super().allows(doc_id, scope)


class SomeEatK(Sound):
    """What is left of some deleted documents takes a place among the k, and is then left out."""

    def delete(self, doc_id: str) -> None:
        if doc_id == "crate-7":
            self.left = doc_id
        else:
            super().delete(doc_id)

    def search(self, query: str, k: int, mode: str, scope: frozenset[str] = frozenset()) -> SearchResult:
        found = super().search(query, k, mode, scope)
        return replace(found, hits=tuple(hit for hit in found.hits if hit.doc_id != getattr(self, "left", "")))


class KeptForAll(Sound):
    """Answers are kept by their question, whoever asked it."""

    def __init__(self, path: Path, embedder: Embedder | None = None, reranker: Reranker | None = None) -> None:
        super().__init__(path, embedder, reranker)
        self.kept: dict[tuple[str, int, str], SearchResult] = {}

    def search(self, query: str, k: int, mode: str, scope: frozenset[str] = frozenset()) -> SearchResult:
        if (query, k, mode) not in self.kept:
            self.kept[query, k, mode] = super().search(query, k, mode, scope)
        return self.kept[query, k, mode]


class StillTold(Sound):
    def supersede(self, old_id: str, new_id: str) -> None:
        pass


class RetiresAlike(Sound):
    def supersede(self, old_id: str, new_id: str) -> None:
        old = self.terms[old_id]
        for doc_id, own in self.terms.items():
            if doc_id != new_id and len(old & own) >= 6:
                self.heirs[doc_id] = new_id


class NoScope(Sound):
    def allows(self, doc_id: str, scope: frozenset[str]) -> bool:
        return True


class AnyScope(Sound):
    def allows(self, doc_id: str, scope: frozenset[str]) -> bool:
        return not scope or bool(self.documents[doc_id].scope & scope)


class Refers(Sound):
    def best(self, query: str, k: int, mode: str, scope: frozenset[str]) -> Scored:
        found = super().best(query, k, mode, scope)
        brought = [ref for doc_id, _ in found for ref in self.documents[doc_id].refs]
        return [*found, *((ref, 0.0) for ref in brought if ref not in dict(found))]


class FilterLast(Sound):
    def best(self, query: str, k: int, mode: str, scope: frozenset[str]) -> Scored:
        return self.seen(self.ranked(query, mode)[:k], scope)


class FilterDropped(Sound):
    def best(self, query: str, k: int, mode: str, scope: frozenset[str]) -> Scored:
        return super().best(query, k, mode, scope) or super().best(query, k, mode, frozenset())


class Doubles(Sound):
    def best(self, query: str, k: int, mode: str, scope: frozenset[str]) -> Scored:
        return [hit for hit in super().best(query, k, mode, scope) for _ in range(2)][:k]


class Distances(Sound):
    def best(self, query: str, k: int, mode: str, scope: frozenset[str]) -> Scored:
        return [(doc_id, 1.0 - score) for doc_id, score in super().best(query, k, mode, scope)]


class Constant(Sound):
    def best(self, query: str, k: int, mode: str, scope: frozenset[str]) -> Scored:
        return [(doc_id, 1.0) for doc_id, _ in super().best(query, k, mode, scope)]


class NoBlank(Sound):
    def ranked(self, query: str, mode: str) -> Scored:
        if not query.strip():
            raise ValueError("the query is empty")
        return super().ranked(query, mode)


class NoPage(Sound):
    def ranked(self, query: str, mode: str) -> Scored:
        if len(query.split()) > 1024:
            raise OverflowError("too many clauses")
        return super().ranked(query, mode)


class Syntax(Sound):
    def ranked(self, query: str, mode: str) -> Scored:
        if query.count('"') % 2:
            raise SyntaxError("unterminated string")
        return super().ranked(query, mode)


class OneMode(Sound):
    def ranked(self, query: str, mode: str) -> Scored:
        return super().ranked(query, "keyword" if mode == "vector" else mode)


class OtherModel(Sound):
    def environment(self) -> Mapping[str, str]:
        return {"embedder": "another-model-v2", "device": "cpu"}


class OwnVectors(Sound):
    """Made by counting letters, whatever it is given."""

    def embedded(self, texts: list[str], kind: str) -> Rows:
        rows = np.array([[1.0 + text.count(letter) for letter in "abcdefghijklmnopqrstuvwxyz"] for text in texts])
        return rows / np.linalg.norm(rows, axis=-1, keepdims=True) if len(rows) else rows


class Broken:
    """For every probe a store that breaks what it looks at: `breaking_store:Broken.k_prefix`."""

    add_only = ScriptFlips
    k_prefix = PoolDecides
    k_one = NoSingleHit
    k_beyond = NotBeyond
    fills_k = Capped
    ingest_order = NewestFirst
    query_order = Learns
    relabelled_ids = ByIds
    same_query = EverySecond
    ingest_twice = Appends
    reopen = Forgets
    fresh_process = HashTies
    self_retrieval = SignFlipped
    word_en = word_zh_hans = word_zh_hant = word_ja = word_ko = word_th = word_ru = word_vi = WholeRuns
    longer_query = AllWords
    case = NoFolding
    width = NoWidth
    normal_form = NoForms
    stored = LastLost
    update = OldVector
    update_each = SomeOldVectors
    delete = Ghost
    delete_each = SomeEatK
    re_add = Tombstone
    supersede = StillTold
    never_retired = RetiresAlike
    scope_users = NoScope
    scope_projects = AnyScope
    scope_references = Refers
    filter_fills = filter_rare = FilterLast
    filter_impossible = FilterDropped
    no_duplicates = Doubles
    scores = Distances
    scores_differ = Constant
    empty_query = NoBlank
    long_query = NoPage
    hostile_query = Syntax
    modes_differ = OneMode
    environment = OtherModel
    embedder_used = OwnVectors
