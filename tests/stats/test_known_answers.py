"""Known answers of every method: worked by hand, published, or from SciPy."""

from __future__ import annotations

from math import comb

import numpy as np
import pytest
from scipy import stats

from gate.stats import corrections, mcnemar, wilson
from gate.stats.collapse import collapsed
from gate.stats.maxt import ENUMERATED, losses_and_gains, max_t
from gate.stats.power import power, smallest_seen, topics_needed
from gate.stats.student import quantile, upper_tail
from gate.stats.tost import equivalence


@pytest.mark.parametrize(
    ("lost", "gained", "two", "one"),
    [
        (7, 0, 0.015625, 0.0078125),
        (9, 0, 0.00390625, 0.001953125),
        (15, 5, 0.0413894653, 0.0206947327),
        (0, 0, 1.0, 1.0),
        (3, 3, 1.0, 0.65625),
    ],
)
def test_mcnemar(lost: int, gained: int, two: float, one: float) -> None:
    assert mcnemar.two_sided(lost, gained) == pytest.approx(two, abs=1e-9)
    assert mcnemar.one_sided(lost, gained) == pytest.approx(one, abs=1e-9)


def test_mcnemar_is_the_sign_test_of_scipy() -> None:
    for lost in range(1, 25):
        for gained in range(25):
            both = stats.binomtest(lost, lost + gained, 0.5)
            more = stats.binomtest(lost, lost + gained, 0.5, alternative="greater")
            assert mcnemar.two_sided(lost, gained) == pytest.approx(both.pvalue, abs=1e-12)
            assert mcnemar.one_sided(lost, gained) == pytest.approx(more.pvalue, abs=1e-12)


def test_smallest_significant_losses_beside_none_to_six_gained() -> None:
    assert [mcnemar.smallest_loss(gained, 0.01) for gained in range(7)] == [7, 10, 12, 14, 15, 17, 19]


@pytest.mark.parametrize(
    ("successes", "n", "low", "high", "digits"),
    [
        (20, 20, 0.838875, 1.0, 6),
        (19, 20, 0.763869, 0.991119, 6),
        (34, 43, 0.6479, 0.8858, 4),
        (18, 43, 0.2838, 0.5667, 4),
        (64, 77, 0.7323, 0.8986, 4),
        (36, 77, 0.3603, 0.5779, 4),
        (37, 40, 0.8014, 0.9742, 4),
        (960, 1531, 0.6025, 0.6509, 4),
        (1355, 1531, 0.8681, 0.9001, 4),
    ],
)
def test_wilson(successes: int, n: int, low: float, high: float, digits: int) -> None:
    found = wilson.interval(successes, n)
    assert found == pytest.approx((low, high), abs=10**-digits)
    expected = stats.binomtest(successes, n).proportion_ci(0.95, method="wilson")
    assert found == pytest.approx((expected.low, expected.high), abs=1e-12)


def test_wilson_of_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="n > 0"):
        wilson.interval(0, 0)


def paired(n: int, lost: int, gained: int) -> list[float]:
    return [-1.0] * lost + [1.0] * gained + [0.0] * (n - lost - gained)


def test_equivalence() -> None:
    found = equivalence(paired(300, 3, 3), 0.02)
    assert found is not None
    assert found.p == pytest.approx(0.00752285, abs=1e-6)
    assert (found.low, found.high) == pytest.approx((-0.013494, 0.013494), abs=1e-6)
    other = equivalence(paired(400, 8, 4), 0.02)
    assert other is not None
    assert other.p == pytest.approx(0.124353, abs=1e-6)


def test_equivalence_is_never_claimed_where_nothing_moved() -> None:
    assert equivalence([0.0] * 100, 0.02) is None


def test_students_t_is_scipys() -> None:
    for degrees in (1, 2, 5, 29, 299, 5000):
        for t in (-3.0, 0.0, 0.5, 1.96, 2.4454, 8.0):
            assert upper_tail(t, degrees) == pytest.approx(stats.t.sf(t, degrees), abs=1e-12)
        for share in (0.5, 0.9, 0.95, 0.99):
            assert quantile(share, degrees) == pytest.approx(stats.t.ppf(share, degrees), abs=1e-8)


P = [0.001, 0.008, 0.039, 0.041, 0.042, 0.06, 0.074, 0.205]


def test_corrections() -> None:
    assert corrections.holm(P) == pytest.approx([0.008, 0.056, *[0.234] * 4, 0.234, 0.234])
    adjusted = [0.008, 0.032, 0.0672, 0.0672, 0.0672, 0.08, 0.084571, 0.205]
    assert corrections.benjamini_hochberg(P) == pytest.approx(adjusted, abs=1e-6)
    assert corrections.benjamini_hochberg(P) == pytest.approx(list(stats.false_discovery_control(P)), abs=1e-12)


def test_corrections_keep_the_order_given() -> None:
    shuffled = [P[i] for i in (5, 0, 7, 2, 6, 1, 4, 3)]
    assert corrections.holm(shuffled) == [corrections.holm(P)[i] for i in (5, 0, 7, 2, 6, 1, 4, 3)]


def column(values: list[float]) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    return np.array(values, dtype=np.float64)[:, None]


def test_sign_flips_of_one_cell() -> None:
    seven = [-0.5, -0.5, -0.667, -0.75, -1, 0.5, -0.25]
    assert max_t(column(seven), range(7)).p == pytest.approx((5 / 128,))
    assert max_t(column([-0.5] * 9 + [0.5]), range(10)).p == pytest.approx((11 / 1024,))


def test_joint_sign_flips_of_all_topics_and_a_slice() -> None:
    # 20 topics; six lost in the slice of the first ten, two lost and one gained outside.
    everything = [-1.0] * 6 + [0.0] * 4 + [-1.0, -1.0, 1.0] + [0.0] * 7
    part = [*everything[:10], *[0.0] * 10]
    found = max_t(np.array([everything, part]).T, range(20))
    assert found.p == pytest.approx((14 / 512, 8 / 512))
    assert found.moved == 9
    # Alone, eight of nine lost are (1 + 9)/512, and six of six are 1/64.
    assert found.alone == pytest.approx((10 / 512, 1 / 64))


@pytest.mark.parametrize(("lost", "gained"), [(7, 0), (9, 2), (5, 5), (10, 3), (1, 6)])
def test_one_cell_of_whole_losses_is_mcnemars_one_sided_test(lost: int, gained: int) -> None:
    assert lost + gained <= ENUMERATED
    found = max_t(column(paired(40, lost, gained)), range(40))
    assert found.p == pytest.approx((mcnemar.one_sided(lost, gained),), abs=1e-12)


def test_many_moved_clusters_are_sampled_near_the_exact_answer() -> None:
    lost, gained = 22, 8
    found = max_t(column(paired(100, lost, gained)), range(100))
    assert found.flips == 10_000
    assert found.p[0] == pytest.approx(mcnemar.one_sided(lost, gained), abs=0.003)
    assert found.alone == found.p, "the only cell is the largest of all"
    assert found == max_t(column(paired(100, lost, gained)), range(100)), "seeded"


def test_p_of_a_sampled_test_is_never_zero() -> None:
    found = max_t(column([-1.0] * 200), range(200))
    assert found.p == (1 / 10_000,)


def test_topics_of_one_cluster_are_flipped_together() -> None:
    apart = max_t(column([-1.0] * 12), range(12)).p[0]
    together = max_t(column([-1.0] * 12), [0] * 6 + [1] * 6).p[0]
    assert apart == pytest.approx(1 / 4096)
    assert together == pytest.approx(1 / 4)


def test_a_cell_where_nothing_moved_is_not_tested() -> None:
    found = max_t(np.array([[0.0, -1.0], [0.0, -1.0]]), range(2))
    assert found.p == (None, 0.25)
    assert max_t(np.zeros((5, 3)), range(5)).p == (None, None, None)


def test_a_gain_is_never_significant() -> None:
    found = max_t(column([1.0] * 10), range(10)).p[0]
    assert found == 1.0


@pytest.mark.parametrize("moved", [9, 40])
def test_a_gain_is_tested_as_the_loss_of_the_negated_differences(moved: int) -> None:
    fallen = column([-1.0] * (moved - 2) + [0.5, 0.25])
    losses, gains = losses_and_gains(np.hstack([fallen, -fallen]), range(moved))
    assert (losses.p, losses.alone) == (gains.p[::-1], gains.alone[::-1])
    assert losses == max_t(np.hstack([fallen, -fallen]), range(moved))
    assert gains == max_t(np.hstack([-fallen, fallen]), range(moved))
    assert losses.p[0] is not None
    assert losses.p[0] < 0.05 < (losses.p[1] or 0.0)


def test_differences_that_are_no_numbers_are_refused() -> None:
    with pytest.raises(ValueError, match="finite"):
        max_t(column([float("nan"), -1.0]), range(2))
    with pytest.raises(ValueError, match="one cluster a topic"):
        max_t(column([-1.0]), range(2))


def test_topics_needed() -> None:
    assert [topics_needed(loss, 0.95) for loss in (0.03, 0.05)] == [392, 234]
    assert [topics_needed(loss, 0.8) for loss in (0.03, 0.05)] == [301, 180]
    assert power(300, 0.03) == pytest.approx(float(stats.binom.sf(6, 300, 0.03)), abs=1e-12)


def test_smallest_loss_seen_beside_churn() -> None:
    assert smallest_seen(0, 2.6) == pytest.approx(2.6**2)
    loss = smallest_seen(10, 2.5)
    assert loss / (10 + loss) ** 0.5 == pytest.approx(2.5)


def test_collapse_counts_clusters_and_needs_a_fifth() -> None:
    names = [f"t{i}" for i in range(20)]
    apart = {name: name for name in names}
    lost = {name: -1.0 if i < 5 else 0.0 for i, name in enumerate(names)}
    assert collapsed(lost, apart)
    assert not collapsed(lost | {"t0": 0.0}, apart), "four of twenty are a fifth, and fewer than five"
    wide = {f"t{i}": -1.0 if i < 5 else 0.0 for i in range(30)}
    assert not collapsed(wide, {name: name for name in wide}), "five of thirty are less than a fifth"
    one_template = {name: "a" if i < 5 else name for i, name in enumerate(names)}
    assert not collapsed(lost, one_template)
    assert not collapsed({}, {})


def test_enumeration_bound_is_what_the_documentation_says() -> None:
    assert sum(comb(ENUMERATED, k) for k in range(ENUMERATED + 1)) == 8192
