"""BM25: worked by hand, against bm25s, and whatever the history of the index."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gate.stores.reference.lexical import LexicalIndex, holds
from gate.stores.reference.ranking import highest, ranked

WORDS = st.lists(st.sampled_from("abcdefgh"), min_size=3, max_size=12)


def filled(documents: list[list[str]]) -> LexicalIndex:
    index = LexicalIndex()
    for slot, words in enumerate(documents):
        index.add(slot, Counter(words), len(words))
    return index


def scores(index: LexicalIndex, *terms: str) -> dict[int, float]:
    slots, sums = index.search(dict.fromkeys(terms, 1.0))
    assert len(set(slots.tolist())) == len(slots)
    return dict(zip(slots.tolist(), sums.tolist(), strict=True))


def test_scores_are_those_of_a_calculation_by_hand() -> None:
    # Three documents of 3, 2 and 1 words; the mean is 2. "tea" is in two, "pot" in one.
    index = filled([["tea", "tea", "pot"], ["tea", "cup"], ["jam"]])
    tea, pot = math.log(1 + 1.5 / 2.5), math.log(1 + 2.5 / 1.5)
    # d0: tf 2, norm 1.2 (0.25 + 0.75 * 3/2) = 1.65. d1: tf 1, norm 1.2.
    expected = {0: tea * 2.2 * 2 / 3.65 + pot * 2.2 * 1 / 2.65, 1: tea * 2.2 * 1 / 2.2}
    assert scores(index, "tea", "pot") == pytest.approx(expected, abs=1e-12)


def test_a_document_counts_as_no_longer_than_five_average_ones() -> None:
    # Of 99, 199 and ten times one word: the mean is 308 / 12, of which 99 is 3.9 and 199 is 7.8.
    index = filled([["tea", *["x"] * 98], ["pot", *["y"] * 198], *[["z"]] * 10])
    mean = (99 + 199 + 10) / 12
    idf = math.log(1 + 11.5 / 1.5)
    assert scores(index, "tea")[0] == pytest.approx(idf * 2.2 / (1 + 1.2 * (0.25 + 0.75 * 99 / mean)), abs=1e-12)
    assert scores(index, "pot")[1] == pytest.approx(idf * 2.2 / (1 + 1.2 * (0.25 + 0.75 * 5)), abs=1e-12)


def test_several_terms_asked_as_one_are_one_term_with_their_documents_and_highest_counts() -> None:
    index = filled([["tea", "tea", "chai"], ["chai", "cup"], ["jam", "pot"], ["tea", "milk"]])
    # As if `chai` stood nowhere and `tea` twice, once, never and once.
    same = filled([["tea", "tea", "x"], ["tea", "cup"], ["jam", "pot"], ["tea", "milk"]])
    slots, sums = index.search({("tea", "chai", "cha"): 1.0})
    found = dict(zip(slots.tolist(), sums.tolist(), strict=True))
    assert found == pytest.approx(scores(same, "tea"), abs=1e-12)
    assert index.frequency(("tea", "chai", "cha")) == 3
    assert index.frequency(("cha", "matcha")) == 0
    each = index.postings(("tea", "chai", "cha"))
    assert [[holds(postings, slot) for slot in range(5)] for postings in each] == [
        [True, False, False, True, False],
        [True, True, False, False, False],
    ]
    assert index.search({("cha", "matcha"): 1.0})[0].tolist() == []


def test_a_rare_word_in_a_very_long_document_outweighs_a_common_one_in_a_short_one() -> None:
    index = filled([["tea", *["x"] * 3000], *[["jam", "jam"]] * 20, *[["y"]] * 10])
    found = scores(index, "tea", "jam")
    assert max(found, key=lambda slot: found[slot]) == 0


def test_a_term_in_every_document_still_counts() -> None:
    assert all(score > 0 for score in scores(filled([["tea"], ["tea"], ["tea"]]), "tea").values())


def test_unknown_terms_find_nothing() -> None:
    assert scores(filled([["tea"]]), "coffee") == {}
    assert scores(LexicalIndex(), "coffee") == {}


@settings(max_examples=50, deadline=None)
@given(
    st.lists(WORDS, min_size=2, max_size=20), st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=4, unique=True)
)
def test_agrees_with_bm25s(documents: list[list[str]], query: list[str]) -> None:
    bm25s = pytest.importorskip("bm25s")
    other = bm25s.BM25(k1=1.2, b=0.75, method="lucene", backend="numpy", dtype="float64")
    other.index(documents, show_progress=False)
    known = [term for term in query if any(term in words for words in documents)]
    if not known:
        return
    # bm25s leaves out the constant k1 + 1. No document here is five times as long as the average one.
    theirs = 2.2 * other.get_scores(known)
    ours = np.zeros(len(documents))
    for slot, score in scores(filled(documents), *query).items():
        ours[slot] = score
    assert ours == pytest.approx(theirs, abs=1e-9)


@settings(max_examples=50, deadline=None)
@given(st.lists(WORDS, min_size=3, max_size=12), st.data())
def test_removing_and_reusing_slots_leaves_what_a_fresh_index_has(
    documents: list[list[str]], data: st.DataObject
) -> None:
    index = filled(documents)
    gone = data.draw(st.integers(0, len(documents) - 1))
    index.search({"a": 1.0})
    index.remove(gone, Counter(documents[gone]), len(documents[gone]))
    rest = [words for slot, words in enumerate(documents) if slot != gone]
    assert sorted(scores(index, "a", "b").values()) == pytest.approx(sorted(scores(filled(rest), "a", "b").values()))
    documents[gone] = ["a", "b", "a"]
    index.add(gone, Counter(documents[gone]), 3)
    assert scores(index, "a", "b") == scores(filled(documents), "a", "b")
    (postings,) = index.postings("a")
    assert [holds(postings, slot) for slot in range(len(documents))] == ["a" in words for words in documents]


def test_grows_past_its_first_size() -> None:
    index = filled([["tea"]] * 3000)
    assert len(scores(index, "tea")) == 3000
    assert index.frequency("tea") == 3000


def test_ties_go_by_document_id_also_at_the_boundary() -> None:
    slots, sums = np.arange(6), np.array([1.0, 2.0, 1.0, 1.0 + 4e-10, 3.0, 1.0])
    doc_ids = ["f", "e", "d", "c", "b", "a"]
    assert ranked(slots, sums, 4, doc_ids) == [("b", 3.0), ("e", 2.0), ("a", 1.0), ("c", 1.0)]
    assert ranked(slots, sums, 0, doc_ids) == []


@given(st.lists(st.sampled_from([0.1, 0.2, 0.3, 0.3 + 1e-10, 0.5]), min_size=1, max_size=40), st.integers(1, 12))
def test_any_k_is_the_head_of_the_full_order(values: list[float], k: int) -> None:
    doc_ids = [f"d{(7 * at) % 41:02}" for at in range(len(values))]
    full = sorted((-round(value, 9), doc_id) for value, doc_id in zip(values, doc_ids, strict=True))
    got = ranked(np.arange(len(values)), np.array(values), k, doc_ids)
    assert [doc_id for doc_id, _ in got] == [doc_id for _, doc_id in full[:k]]
    assert len(highest(np.arange(len(values)), np.array(values), k)[0]) >= min(k, len(values))
