"""What holds for every registered measure, whatever a store returns."""

from math import isfinite

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from gate.measures import MEASURES, judge
from gate.records import JudgedRanking

# Every registered measure stands in exactly one of these.
GAINS = frozenset({"P", "R", "Hit", "RR", "AP", "nDCG", "AllR"})
OTHERS = frozenset({"Judged", "Forbidden", "Duplicates", "Refused", "FalseRefused", "Coverage"})

MONOTONE_IN_K = frozenset({"R", "Hit", "RR", "AP", "AllR", "Forbidden"})
UNBOUNDED = frozenset({"Duplicates"})

# What stands at a rank: a grade, nothing that anybody judged, or a forbidden document.
UNJUDGED, FORBIDDEN = -1, -2
steady = settings(derandomize=True, database=None, deadline=None)
places = st.lists(st.sampled_from([0, 1, 2, 3, UNJUDGED, FORBIDDEN]), min_size=1, max_size=25)
missed = st.lists(st.integers(1, 3), max_size=5)
cutoffs = st.integers(1, 30)
measures = pytest.mark.parametrize("name", MEASURES)
gains = pytest.mark.parametrize("name", sorted(GAINS))


def ranking_of(standing: list[int], absent: list[int], duplicates: int = 0, refused: bool = False) -> JudgedRanking:
    """A ranking with these at its ranks, and relevant documents of these grades that did not come back."""
    doc_ids = [f"d{rank}" for rank in range(len(standing))]
    at = dict(zip(doc_ids, standing, strict=True))
    qrels = {doc: grade for doc, grade in at.items() if grade >= 0}
    qrels |= {f"m{number}": grade for number, grade in enumerate(absent)}
    forbidden = {doc: "superseded" for doc, grade in at.items() if grade == FORBIDDEN}
    return judge(doc_ids, qrels, forbidden, duplicates, refused, 0.0 if refused else 0.5)


def answerable(standing: list[int], absent: list[int]) -> bool:
    return any(grade > 0 for grade in (*standing, *absent))


def test_every_measure_is_covered_here() -> None:
    assert set(MEASURES) == GAINS | OTHERS
    assert not GAINS & OTHERS
    assert {name for name, measure in MEASURES.items() if measure.applies_to == "relevant"} >= GAINS
    assert all(MEASURES[name].higher_is_better and MEASURES[name].without_results == 0 for name in GAINS)


@measures
@steady
@given(standing=places, absent=missed, k=cutoffs, duplicates=st.integers(0, 50), refused=st.booleans())
def test_measure_is_bounded(
    name: str, standing: list[int], absent: list[int], k: int, duplicates: int, refused: bool
) -> None:
    assume(answerable(standing, absent))
    value = MEASURES[name].score(ranking_of(standing, absent, duplicates, refused), k)
    assert isfinite(value)
    assert value >= 0
    assert name in UNBOUNDED or value <= 1


@pytest.mark.parametrize("name", sorted(MONOTONE_IN_K))
@steady
@given(standing=places, absent=missed, k=cutoffs)
def test_measure_never_falls_with_a_larger_cutoff(name: str, standing: list[int], absent: list[int], k: int) -> None:
    assume(answerable(standing, absent))
    ranking = ranking_of(standing, absent)
    assert MEASURES[name].score(ranking, k) <= MEASURES[name].score(ranking, k + 1)


@measures
@steady
@given(standing=places, absent=missed, k=cutoffs, tail=st.integers(1, 10))
def test_unjudged_documents_at_the_end_change_nothing(
    name: str, standing: list[int], absent: list[int], k: int, tail: int
) -> None:
    assume(answerable(standing, absent))
    before = MEASURES[name].score(ranking_of(standing, absent), k)
    after = MEASURES[name].score(ranking_of(standing + [UNJUDGED] * tail, absent), k)
    if name == "Judged":
        # They are what it measures.
        assert after < before or before == 0 or len(standing) >= k
    else:
        assert after == before


@measures
@steady
@given(standing=places, absent=missed, k=cutoffs)
def test_what_stands_below_the_cutoff_changes_nothing(
    name: str, standing: list[int], absent: list[int], k: int
) -> None:
    # A relevant document below the cutoff still exists: it moves to those that did not come back.
    below = [grade for grade in standing[k:] if grade > 0]
    cut = standing[:k] + [UNJUDGED] * len(standing[k:])
    assume(answerable(standing, absent))
    before = MEASURES[name].score(ranking_of(standing, absent), k)
    assert MEASURES[name].score(ranking_of(cut, absent + below), k) == before


@gains
@steady
@given(standing=places, pair=st.tuples(st.integers(0, 3), st.integers(0, 3)), place=st.integers(0, 24), k=cutoffs)
def test_the_better_of_two_neighbours_first_never_gains_less(
    name: str, standing: list[int], pair: tuple[int, int], place: int, k: int
) -> None:
    better, worse = max(pair), min(pair)
    assume(better > 0)
    before, after = standing[:place], standing[place:]
    better_first = MEASURES[name].score(ranking_of([*before, better, worse, *after], []), k)
    worse_first = MEASURES[name].score(ranking_of([*before, worse, better, *after], []), k)
    # Equal sums may differ in their last digit when their terms come in another order.
    assert better_first >= worse_first - 1e-15


@gains
@steady
@given(standing=places, absent=missed, k=cutoffs)
def test_gains_do_not_tell_unjudged_from_not_relevant(
    name: str, standing: list[int], absent: list[int], k: int
) -> None:
    assume(answerable(standing, absent))
    judged = [max(grade, 0) for grade in standing]
    assert MEASURES[name].score(ranking_of(judged, absent), k) == MEASURES[name].score(ranking_of(standing, absent), k)


@pytest.mark.parametrize("name", sorted(GAINS - {"P"}))
@steady
@given(grades=st.lists(st.integers(1, 3), min_size=1, max_size=10))
def test_the_best_ranking_gains_1(name: str, grades: list[int]) -> None:
    best = ranking_of(sorted(grades, reverse=True), [])
    assert MEASURES[name].score(best, len(grades)) == 1.0


@gains
@steady
@given(standing=st.lists(st.sampled_from([0, UNJUDGED, FORBIDDEN]), min_size=1, max_size=25), k=cutoffs)
def test_a_ranking_without_relevant_documents_gains_0(name: str, standing: list[int], k: int) -> None:
    assert MEASURES[name].score(ranking_of(standing, [2]), k) == 0.0
