"""What a measure says of itself: whether ranks and grades, all that TREC files hold, give its value."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gate.measures import MEASURES
from gate.records import JudgedRanking

RANKS = JudgedRanking(
    ranks=((1, 0), (2, 2), (4, 1)),
    relevant=(2, 1, 1),
    forbidden=(),
    has_forbidden=True,
    retrieved=5,
    duplicates=0,
    refused=False,
    coverage=0.0,
)
UNTOLD = replace(RANKS, forbidden=(1,), duplicates=3, refused=True, coverage=0.5)


@pytest.mark.parametrize("name", MEASURES)
def test_what_only_the_store_tells_changes_no_measure_of_ranks_and_every_other(name: str) -> None:
    measure = MEASURES[name]
    cutoff = 3 if measure.takes_cutoff else 0
    assert (measure.score(RANKS, cutoff) == measure.score(UNTOLD, cutoff)) is measure.from_ranks
