from __future__ import annotations

from gate.probes.ties import LEAST, SHARE, above, apart


def test_a_score_is_above_another_where_it_is_higher_by_more_than_tied_ones_may_differ() -> None:
    assert above(0.6, 0.5)
    assert above(-1.0, -2.0)
    assert above(2 * LEAST, 0.0)
    assert not above(0.5 * (1 + SHARE / 2), 0.5)
    assert not above(-0.5 * (1 - SHARE / 2), -0.5)
    assert not above(LEAST / 2, 0.0)
    assert not above(0.5, 0.6)


def test_scores_are_apart_either_way_round() -> None:
    assert apart(0.6, 0.5)
    assert apart(0.5, 0.6)
    assert not apart(0.5, 0.5)
    assert not apart(1.0, 1.0 + SHARE / 2)
