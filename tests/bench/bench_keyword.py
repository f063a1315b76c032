"""Keyword search of the embedded store beside bm25s's numpy backend: `python tests/bench/bench_keyword.py [DOCUMENTS]`.

Documents of 40 words drawn from a Zipf distribution, questions of five words from one document
each, ten hits. `index` gives both engines the same five terms; `store` gives the embedded store
the question's text, for which it asks stems and exact words, visibility and evidence included.
One thread each, alternating, medians of all questions.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path

import bm25s
import numpy as np

from gate.records import Document
from gate.stores.reference import open_store
from gate.stores.reference.asked import Term
from gate.stores.reference.lexical import LexicalIndex
from gate.stores.reference.ranking import ranked

WORDS, LENGTH, QUESTIONS, TERMS, K = 50_000, 40, 300, 5, 10
ROUNDS = 3


def word(number: int) -> str:
    """A word of consonants and vowels, different for each number."""
    letters = ""
    for _ in range(4):
        number, rest = divmod(number, 70)
        letters += "bdfgklmnprstvz"[rest // 5] + "aeiou"[rest % 5]
    return letters


def from_index(index: LexicalIndex, weights: dict[Term, float], doc_ids: list[str]) -> object:
    return ranked(*index.search(weights), K, doc_ids)


def milliseconds(call: Callable[[], object]) -> float:
    began = time.perf_counter()
    call()
    return 1000 * (time.perf_counter() - began)


def main(documents: int) -> None:
    rng = np.random.default_rng(7)
    vocabulary = [word(number) for number in range(WORDS)]
    odds = 1.0 / (np.arange(WORDS) + 2.7)
    drawn = rng.choice(WORDS, size=(documents, LENGTH), p=odds / odds.sum())
    tokens = [[vocabulary[at] for at in row] for row in drawn]
    doc_ids = [f"d{number:07d}" for number in range(documents)]
    questions = [
        [str(one) for one in rng.choice(sorted(set(tokens[int(at)])), size=TERMS, replace=False)]
        for at in rng.integers(documents, size=QUESTIONS)
    ]

    index = LexicalIndex()
    for slot, row in enumerate(tokens):
        index.add(slot, Counter(row), LENGTH)
    other = bm25s.BM25(k1=1.2, b=0.75, method="lucene", backend="numpy")
    other.index(tokens, show_progress=False)
    with tempfile.TemporaryDirectory() as folder:
        store = open_store(Path(folder))
        began = time.perf_counter()
        for start in range(0, documents, 256):
            texts = enumerate((" ".join(row) for row in tokens[start : start + 256]), start=start)
            store.add([Document(doc_ids[at], text) for at, text in texts])
        print(f"store: {documents / (time.perf_counter() - began):.0f} documents a second")

        took: dict[str, list[float]] = {"bm25s": [], "index": [], "store": []}
        for turn in range(ROUNDS + 1):
            for question in questions:
                each: dict[str, Callable[[], object]] = {
                    "bm25s": partial(other.retrieve, [question], k=K, show_progress=False),
                    "index": partial(from_index, index, dict.fromkeys(question, 1.0), doc_ids),
                    "store": partial(store.search, " ".join(question), K, "keyword"),
                }
                for name, call in each.items():
                    spent = milliseconds(call)
                    if turn:
                        took[name].append(spent)
        store.close()
    theirs = statistics.median(took["bm25s"])
    for name, times in took.items():
        p50 = statistics.median(times)
        p95 = sorted(times)[int(0.95 * len(times))]
        print(f"{name:6} p50 {p50:.3f} ms  p95 {p95:.3f} ms  ratio to bm25s {p50 / theirs:.2f}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000)
