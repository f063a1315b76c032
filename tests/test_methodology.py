from __future__ import annotations

import hashlib

import pytest
from builders import corpus

from gate.corpus.units import GRANULARITIES
from gate.methodology import first_difference, methodology, methodology_hash
from gate.models import arm
from gate.records import Units

FIELDS = methodology("f" * 64, 100, arm("cpu-hash"), "hashed-384", "none")


def made_of(granularity: str, *, dedup: bool = False) -> dict[str, str]:
    units = Units(granularity, dedup, corpus({"q": {"d": 1}}), iter)
    return methodology("f" * 64, 100, arm("cpu-hash"), "hashed-384", "none", units)


def test_the_same_question_has_no_difference() -> None:
    assert first_difference(FIELDS, dict(FIELDS)) == ""


@pytest.mark.parametrize(
    ("changed", "field", "ours", "theirs"),
    [
        (methodology("e" * 64, 100, arm("cpu-hash"), "hashed-384", "none"), "corpus", "f" * 64, "e" * 64),
        (methodology("f" * 64, 10, arm("cpu-hash"), "hashed-384", "none"), "depth", "100", "10"),
        (methodology("f" * 64, 100, arm("cpu-hash"), "hashed-512", "none"), "embedder", "hashed-384", "hashed-512"),
        (methodology("f" * 64, 100, arm("cpu-hash"), "hashed-384", "cross"), "reranker", "none", "cross"),
        (made_of("session"), "granularity", "document", "session"),
        (made_of("chunk"), "granularity", "document", "chunk-300-50-6000"),
        (made_of("turn", dedup=True), "dedup", "first", "first of a session"),
        ({**FIELDS, "arm": "cuda-onnx"}, "arm", "cpu-hash", "cuda-onnx"),
    ],
)
def test_what_changes_a_ranking_is_named_with_both_values(
    changed: dict[str, str], field: str, ours: str, theirs: str
) -> None:
    assert first_difference(FIELDS, changed) == f"{field} is {ours} here and {theirs} in the baseline"
    assert methodology_hash(changed) != methodology_hash(FIELDS)


def test_turns_without_dedup_are_what_baselines_without_units_were_made_of() -> None:
    assert made_of("turn") == FIELDS
    assert (FIELDS["granularity"], FIELDS["dedup"]) == ("document", "first")


def test_every_granularity_has_its_own_hash() -> None:
    hashes = {methodology_hash(made_of(name, dedup=dedup)) for name in GRANULARITIES for dedup in (False, True)}
    assert len(hashes) == 6


def test_a_field_of_one_side_only_is_a_difference() -> None:
    assert first_difference(FIELDS, {**FIELDS, "chunks": "512"}) == "chunks is not given here and 512 in the baseline"
    without = {key: value for key, value in FIELDS.items() if key != "depth"}
    assert first_difference(FIELDS, without) == "depth is 100 here and not given in the baseline"


def test_the_hash_is_of_canonical_bytes_whatever_the_order() -> None:
    expected = hashlib.sha256(b'{"corpus":"c","depth":"5"}').hexdigest()[:16]
    assert methodology_hash({"depth": "5", "corpus": "c"}) == expected
    assert methodology_hash({"corpus": "c", "depth": "5"}) == expected
