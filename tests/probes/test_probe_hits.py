from __future__ import annotations

from gate.probes.hits import LEAST, TIE, _rises


def test_a_score_rises_where_it_is_higher_by_more_than_tied_ones_may_differ() -> None:
    assert _rises(0.5, 0.6)
    assert _rises(-2.0, -1.0)
    assert _rises(0.0, 2 * LEAST)
    assert not _rises(0.0, LEAST / 2)
    assert not _rises(0.5, 0.5 * (1 + TIE / 2))
    assert not _rises(-0.5, -0.5 * (1 - TIE / 2))
    assert not _rises(0.5, 0.5)
    assert not _rises(0.0, 0.0)
