"""Churn and the loss seen beside it: by hand, and by letting the rule look for it."""

from __future__ import annotations

from math import ceil, sqrt

import numpy as np
import pytest

from gate.stats.churn import Churn, churn_of
from gate.stats.power import CERTAIN, LEAST_CRITICAL, SURE, smallest_seen
from gate.stats.rule import Paired, judge


def test_churn_is_the_squares_of_what_each_cluster_lost_and_gained() -> None:
    differences = {"a": -1.0, "b": -0.5, "c": -0.5, "d": 0.5, "e": 1.0, "f": -1.0, "g": 0.0}
    clusters = {"a": "a", "b": "bc", "c": "bc", "d": "d", "e": "ef", "f": "ef", "g": "g"}
    # Lost: 1 of a, and 1 of b and c together; gained: a half of d. What e gained f lost, in one cluster.
    assert churn_of(differences, clusters) == Churn(lost=2.0, gained=0.25, moved=3)
    assert churn_of({}, {}) == Churn(0.0, 0.0, 0)


def test_what_is_real_is_taken_out_by_the_mirror_of_the_smaller_side() -> None:
    # Nine lost for real, beside two lost and two gained: V is 13, and what is harmless in it is 4.
    assert (Churn(11.0, 2.0, 13).all, Churn(11.0, 2.0, 13).mirrored) == (13.0, 4.0)
    assert Churn(2.0, 11.0, 13).mirrored == 4.0
    assert Churn(9.0, 0.0, 9).mirrored == 0.0


@pytest.mark.parametrize(
    ("churn", "critical", "quantile", "loss"),
    [
        # Nothing moved, and z that of seven lost: seven.
        (0.0, sqrt(7), 0.0, 7.0),
        (0.0, sqrt(7), SURE, 7.0),
        # 12 / sqrt(24 + 12) = 2.
        (24.0, 2.0, 0.0, 12.0),
        # (20 - sqrt(16)) / sqrt(16 + 20) = 8/3, (5 - sqrt(4)) / sqrt(4 + 5) = 1.
        (16.0, 8 / 3, 1.0, 20.0),
        (4.0, 1.0, 1.0, 5.0),
    ],
)
def test_the_smallest_loss_seen_reaches_the_critical_statistic(
    churn: float, critical: float, quantile: float, loss: float
) -> None:
    assert smallest_seen(churn, critical, quantile) == pytest.approx(loss, abs=1e-9)


def test_the_least_critical_statistic_is_that_of_the_least_loss_that_is_certain() -> None:
    differences = {f"t{number}": -float(number < CERTAIN) for number in range(100)}
    lost = -sum(differences.values())
    assert pytest.approx(lost / sqrt(lost)) == LEAST_CRITICAL
    assert judge({"cell": Paired(differences)}, {topic: topic for topic in differences}).cells["cell"].p == 1 / 128


Matrix = np.ndarray[tuple[int, ...], np.dtype[np.float64]]
TOPICS, ROUNDS = 120, 30


def moved(rng: np.random.Generator, cells: int, churn: float) -> Matrix:
    """Topics x cells: a share of the topics of each cell gains or loses one, as often as not."""
    sign = np.where(rng.random((TOPICS, cells)) < 0.5, -1.0, 1.0)
    return np.asarray(sign * (rng.random((TOPICS, cells)) < churn))


def judged(table: Matrix) -> tuple[bool, float]:
    """Whether the first cell is worse, and z."""
    names = [f"t{number}" for number in range(TOPICS)]
    cells = {cell: Paired(dict(zip(names, table[:, cell].tolist(), strict=True))) for cell in range(table.shape[1])}
    found = judge(cells, {name: name for name in names})
    return found.cells[0].outcome == "worse", found.critical


def found_in(cells: int, churn: float, quantile: float, share: float) -> float:
    """How often the rule finds `share` of the loss that is told, beside churn as large as that it was told of."""
    rng = np.random.default_rng(20_260_101)
    seen = 0
    for _ in range(ROUNDS):
        table = moved(rng, cells, churn)
        _, critical = judged(table)
        squares = float((table[:, 0] ** 2).sum())
        loss = ceil(share * smallest_seen(squares, max(critical, LEAST_CRITICAL), quantile) - 1e-9)
        # The same topics move once more, each as it may, and the loss comes on top.
        again = table * np.where(rng.random((TOPICS, 1)) < 0.5, -1.0, 1.0)
        still = rng.permutation(np.flatnonzero(table[:, 0] == 0))[:loss]
        again[still, 0] = -1.0
        seen += judged(again)[0]
    return seen / ROUNDS


@pytest.mark.parametrize(("cells", "churn"), [(1, 0.02), (1, 0.10), (5, 0.04)])
def test_the_rule_finds_the_loss_about_every_second_time_and_the_larger_one_nearly_always(
    cells: int, churn: float
) -> None:
    # Of 30 rounds 0.5 is at least 0.31, and 0.95 at least 0.87, two standard deviations below.
    assert found_in(cells, churn, 0.0, 1.0) >= 0.31
    assert found_in(cells, churn, SURE, 1.0) >= 0.87


@pytest.mark.parametrize(("cells", "churn"), [(1, 0.10)])
def test_half_of_that_loss_is_seldom_found(cells: int, churn: float) -> None:
    assert found_in(cells, churn, 0.0, 0.5) <= 0.2


def test_a_quiet_cell_pays_for_what_moved_in_others() -> None:
    # Seven lost and nothing else is significant by itself, and not beside eleven others that churn.
    rng = np.random.default_rng(20_260_101)
    table = moved(rng, 12, 0.10)
    table[:, 0] = 0.0
    _, critical = judged(table)
    assert critical > LEAST_CRITICAL
    loss = ceil(smallest_seen(0.0, critical))
    assert loss > CERTAIN
    for lost, worse in ((CERTAIN, False), (loss + 1, True)):
        table[:, 0] = [-1.0] * lost + [0.0] * (TOPICS - lost)
        assert judged(table)[0] is worse
