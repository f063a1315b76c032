"""BM25 over postings in numpy arrays, with adding and removing in place.

Robertson, Walker, Jones, Hancock-Beaulieu and Gatford, "Okapi at TREC-3", 1994; the inverse
document frequency is the one that is positive for any term, ln(1 + (N - n + 0.5)/(n + 0.5)). BM25
makes a match in a very long document worth next to nothing (Lv and Zhai, "Lower-bounding term
frequency normalization", CIKM 2011): here no document counts as longer than `LONGEST` average ones,
so that ordinary ones are ranked as by plain BM25. Several terms may be asked as one, with the number
of documents that hold any of them: Pirkola, "The effects of query structure and dictionary setups in
dictionary-based cross-language information retrieval", SIGIR 1998.
"""

from __future__ import annotations

import math
from array import array
from bisect import bisect_left, insort
from collections.abc import KeysView, Mapping
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from gate.stores.reference.asked import Term
from gate.stores.reference.ranking import Scores, Slots

K1 = 1.2
B = 0.75
LONGEST = 5.0  # average lengths, at most, that a document is taken to have
_COUNT_BITS = 16
_COUNT_LIMIT = (1 << _COUNT_BITS) - 1
_CACHED_POSTINGS = 1 << 23  # 128 MB


Postings: TypeAlias = "array[int]"  # of one term, ascending


def holds(postings: Postings, slot: int) -> bool:
    """Whether the document in the slot is one of those that hold a term."""
    above = slot << _COUNT_BITS
    at = bisect_left(postings, above)
    return at < len(postings) and postings[at] >> _COUNT_BITS == slot


class LexicalIndex:
    """Terms to the slots that hold them. A slot is a small whole number that stands for a document.

    A posting is one integer, the slot above the term's count, and each term's postings are in
    the order of slots. What a posting is worth depends on the number and lengths of all
    documents: it is computed when a term is first asked after a change, and kept until the next.
    """

    def __init__(self) -> None:
        self._postings: dict[str, Postings] = {}
        self._lengths = np.zeros(1024, dtype=np.float64)
        self._end = 0  # above every slot that was ever filled
        self._documents = 0
        self._total_length = 0
        self._sums = np.zeros(1024, dtype=np.float64)
        self._worth: dict[Term, tuple[Slots, Scores]] = {}
        self._kept = 0

    def add(self, slot: int, counts: Mapping[str, int], length: int) -> None:
        """Adds a document to a free slot. `length` is in words."""
        if slot >= len(self._lengths):
            size = max(2 * len(self._lengths), slot + 1)
            self._lengths = np.concatenate([self._lengths, np.zeros(size - len(self._lengths))])
            self._sums = np.zeros(size, dtype=np.float64)
        self._lengths[slot] = length
        self._documents += 1
        self._total_length += length
        above = slot << _COUNT_BITS
        postings = self._postings
        last, self._end = slot >= self._end, max(self._end, slot + 1)
        for term, count in counts.items():
            posting = above | (count if count < _COUNT_LIMIT else _COUNT_LIMIT)
            known = postings.get(term)
            if known is None:
                postings[term] = array("Q", (posting,))
            elif last:
                known.append(posting)
            else:
                insort(known, posting)
        self._forget()

    def remove(self, slot: int, counts: Mapping[str, int], length: int) -> None:
        """Takes out what `add` was given."""
        self._documents -= 1
        self._total_length -= length
        above = slot << _COUNT_BITS
        for term in counts:
            known = self._postings[term]
            del known[bisect_left(known, above)]
            if not known:
                del self._postings[term]
        self._forget()

    def frequency(self, term: Term) -> int:
        """The number of documents that hold the term."""
        if isinstance(term, str):
            return len(self._postings.get(term, ()))
        return len(self._weighed(term)[0]) if self.occurs(term) else 0

    def idf(self, frequency: int) -> float:
        """The inverse document frequency of a term in that many documents."""
        return math.log1p((self._documents - frequency + 0.5) / (frequency + 0.5))

    def occurs(self, term: Term) -> bool:
        """Whether any document holds the term."""
        if isinstance(term, str):
            return term in self._postings
        return any(one in self._postings for one in term)

    def postings(self, term: Term) -> list[Postings]:
        """Where a term occurs, or each that occurs of several that stand for one. Of use until the next change."""
        terms = (term,) if isinstance(term, str) else term
        return [self._postings[one] for one in terms if one in self._postings]

    def terms(self) -> KeysView[str]:
        """The terms that occur."""
        return self._postings.keys()

    def search(self, weights: Mapping[Term, float]) -> tuple[Slots, Scores]:
        """The slots that hold any of the terms, each once and in no order, with the weighted sum of their BM25."""
        sums = self._sums
        touched: list[Slots] = []
        for term, weight in weights.items():
            if self.occurs(term):
                slots, worth = self._weighed(term)
                sums[slots] += worth * weight
                touched.append(slots)
        if not touched:
            return np.zeros(0, dtype=np.intp), np.zeros(0)
        # Reading a sum clears it: a slot that several terms hold counts where it is first read.
        found = []
        for slots in touched:
            found.append(sums[slots])
            sums[slots] = 0.0
        all_slots, all_sums = np.concatenate(touched), np.concatenate(found)
        first = all_sums > 0.0
        return all_slots[first], all_sums[first]

    def _weighed(self, term: Term) -> tuple[Slots, Scores]:
        known = self._worth.get(term)
        if known is not None:
            return known
        postings = self._merged([term] if isinstance(term, str) else [one for one in term if one in self._postings])
        slots = (postings >> _COUNT_BITS).astype(np.intp)
        counts = (postings & _COUNT_LIMIT).astype(np.float64)
        mean = self._total_length / self._documents if self._total_length else 1.0
        norms = K1 * (1.0 - B + B * np.minimum(self._lengths[slots] / mean, LONGEST))
        worth = self.idf(len(slots)) * (K1 + 1.0) * counts / (counts + norms)
        if self._kept + len(slots) > _CACHED_POSTINGS:
            self._forget()
        self._worth[term] = (slots, worth)
        self._kept += len(slots)
        return slots, worth

    def _merged(self, terms: list[str]) -> NDArray[np.uint64]:
        """The postings of terms that occur, each slot once, with the highest of their counts."""
        each = [np.array(self._postings[term], dtype=np.uint64) for term in terms]
        if len(each) == 1:
            return each[0]
        postings = np.sort(np.concatenate(each))
        slots = postings >> _COUNT_BITS
        highest: NDArray[np.uint64] = postings[np.append(slots[1:] != slots[:-1], True)]
        return highest

    def _forget(self) -> None:
        if self._worth:
            self._worth = {}
            self._kept = 0
