"""The hashed embedder: exact, bounded, sub-word aware, the same everywhere."""

from __future__ import annotations

from zlib import crc32

import numpy as np
import pytest

from gate.models.hashed import DIMENSION, HashedEmbedder


def cosine(one: str, other: str) -> float:
    first, second = HashedEmbedder().embed([one, other], "document").astype(np.float64)
    return float(first @ second / np.sqrt((first @ first) * (second @ second)))


def expected_by_hand(features: dict[str, int]) -> list[float]:
    """Signed feature hashing written out: the rule of the docstring, feature by feature."""
    row = [0.0] * 384
    for feature, count in features.items():
        mixed = crc32(feature.encode()) * 0x9E3779B97F4A7C15 % 2**64
        row[(mixed >> 32) * 384 >> 32] += -count if mixed >> 31 & 1 else count
    return row


def test_a_word_counts_twice_and_each_trigram_once() -> None:
    vector = HashedEmbedder().embed(["Cafe"], "document")[0]
    assert vector.tolist() == expected_by_hand({"=cafe": 2, "^ca": 1, "caf": 1, "afe": 1, "fe$": 1})


def test_function_words_count_once_without_trigrams() -> None:
    assert HashedEmbedder().embed(["the"], "query")[0].tolist() == expected_by_hand({"=the": 1})


def test_unspaced_scripts_give_characters_and_pairs() -> None:
    vector = HashedEmbedder().embed(["京都駅"], "document")[0]
    assert vector.tolist() == expected_by_hand({"京": 1, "都": 1, "駅": 1, "京都": 2, "都駅": 2})


def test_rows_are_float32_whole_numbers_in_order() -> None:
    rows = HashedEmbedder().embed(["one", "two", "one"], "document")
    assert rows.shape == (3, DIMENSION)
    assert rows.dtype == np.float32
    assert (rows == np.round(rows)).all()
    assert (rows[0] == rows[2]).all()
    assert not (rows[0] == rows[1]).all()


def test_no_texts_give_no_rows() -> None:
    assert HashedEmbedder().embed([], "document").shape == (0, DIMENSION)


def test_only_blank_text_is_all_zero() -> None:
    rows = HashedEmbedder().embed(["", " \n", "!?", "🎉", "\ud800"], "query")
    assert rows.any(axis=1).tolist() == [False, False, True, True, True]


@pytest.mark.parametrize(
    ("one", "other"), [("ＣＡＦＥ", "cafe"), ("Straße", "STRASSE"), ("ｶﾌｪ", "カフェ"), ("é", "e\u0301")]
)
def test_case_width_and_normal_form_change_nothing(one: str, other: str) -> None:
    rows = HashedEmbedder().embed([one, other], "document")
    assert (rows[0] == rows[1]).all()


@pytest.mark.parametrize(
    ("query", "related", "unrelated"),
    [
        ("reconciling invoices", "the invoice reconciliation is due", "the quarterly meeting is due"),
        ("recieve the parcel", "we receive a parcel", "we repair a bicycle"),
        ("database backup", "databasebackups run nightly", "the coffee machine is broken"),
        ("巡检记录", "把夜班巡检记录归档", "午饭去吃拉面"),
    ],
)
def test_inflections_typos_and_compounds_are_nearer_than_other_topics(query: str, related: str, unrelated: str) -> None:
    assert cosine(query, related) > cosine(query, unrelated) + 0.15
