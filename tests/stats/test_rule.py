"""The rule of the verdict: each clause red and green, with p-values worked by hand."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from gate.stats.rule import Judged, Paired, judge, largest_allowed


def differences(topics: int, lost: int, gained: int = 0, *, by: float = 1.0) -> dict[str, float]:
    values = [-by] * lost + [by] * gained + [0.0] * (topics - lost - gained)
    return {f"t{number:03}": value for number, value in enumerate(values)}


def apart(*cells: Mapping[str, float]) -> dict[str, str]:
    return {topic: topic for cell in cells for topic in cell}


def one(values: Mapping[str, float], clusters: Mapping[str, str] | None = None, **paired: int | bool) -> Judged:
    cell = Paired(values, moved=int(paired.get("moved", 0)), leaks=int(paired.get("leaks", 0)))
    return judge({"cell": cell}, clusters or apart(values)).cells["cell"]


def test_seven_topics_lost_and_none_gained_are_significant() -> None:
    found = one(differences(100, 7))
    assert (found.outcome, found.cause) == ("worse", "significant")
    assert found.p == 1 / 128
    assert (found.mean, found.net, found.topics, found.moved, found.clusters) == (-0.07, -7.0, 100, 7, 7)


def test_six_topics_lost_and_none_gained_are_uncertain() -> None:
    found = one(differences(100, 6))
    assert (found.outcome, found.cause, found.p) == ("uncertain", "", 1 / 64)


def test_a_loss_that_one_reshuffle_in_twenty_shows_is_churn() -> None:
    assert (one(differences(100, 4)).outcome, one(differences(100, 4)).p) == ("churned", 1 / 16)
    assert (one(differences(100, 5)).outcome, one(differences(100, 5)).p) == ("uncertain", 1 / 32)


def test_a_significant_loss_within_the_tolerance_is_churn() -> None:
    # Ten of a thousand topics lose a half: a mean loss of exactly 0.005, at p = 1/1024.
    found = one(differences(1000, 10, by=0.5))
    assert (found.outcome, found.p, found.mean) == ("churned", 1 / 1024, -0.005)
    assert one(differences(1000, 11, by=0.5)).outcome == "worse"


def test_losses_balanced_by_gains_are_churn() -> None:
    found = one(differences(100, 9, 9))
    assert found.outcome == "churned"
    assert found.mean == 0


def test_a_gain_is_better_by_the_mirror_of_the_rule() -> None:
    lost, won = one(differences(100, 7)), one(differences(100, 0, 7))
    assert (won.outcome, won.cause) == ("better", "")
    assert (won.p, won.p_better) == (lost.p_better, lost.p) == (1.0, 1 / 128)
    assert one(differences(100, 0, 6)).outcome == "churned", "nothing is uncertain about a gain"
    assert one(differences(1000, 0, 10, by=0.5)).outcome == "churned", "a gain within the tolerance is none"


def test_ranks_that_moved_without_a_change_of_value_are_churn_and_no_rank_moved_is_same() -> None:
    still = one(differences(30, 0))
    assert (still.outcome, still.p, still.p_better, still.moved) == ("same", None, None, 0)
    assert one(differences(30, 0), moved=3).outcome == "churned"
    assert one(differences(30, 0), moved=3).moved == 3


def test_five_topics_of_twenty_are_a_collapse_though_not_significant() -> None:
    found = one(differences(20, 5))
    assert (found.outcome, found.cause, found.p) == ("worse", "collapse", 1 / 32)
    assert one(differences(20, 4)).outcome == "churned", "a fifth, and fewer than five topics"
    assert one(differences(26, 5)).outcome == "uncertain", "five topics, and less than a fifth"


def test_on_fewer_than_twenty_topics_only_a_collapse_is_judged() -> None:
    # Twelve lose a third: 4 topics net. At p = 1/4096 twenty topics would fail, nineteen are listed only.
    assert one(differences(20, 12, by=1 / 3)).cause == "significant"
    found = one(differences(19, 12, by=1 / 3))
    assert (found.outcome, found.p) == ("churned", 1 / 4096)
    assert one(differences(19, 5)).cause == "collapse"
    assert one(differences(19, 0, 12)).outcome == "churned"


def test_one_leak_is_enough() -> None:
    found = one(differences(300, 1), leaks=1)
    assert (found.outcome, found.cause) == ("worse", "leak")
    assert one(differences(300, 1)).outcome == "churned"


def test_a_leak_is_one_whatever_was_gained_elsewhere() -> None:
    assert one(differences(300, 1, 40), leaks=1).outcome == "worse"


def test_a_cell_that_is_not_gated_can_only_leak() -> None:
    lost = differences(100, 50)
    cells = {"gated": Paired(differences(100, 7)), "told": Paired(lost, gated=False)}
    found = judge(cells, apart(lost)).cells
    assert (found["told"].outcome, found["told"].p) == ("churned", None)
    assert found["gated"].p == 1 / 128, "what is not gated does not count among the cells tested"
    leaky = judge({"told": Paired(lost, leaks=2, gated=False)}, apart(lost)).cells["told"]
    assert (leaky.outcome, leaky.cause) == ("worse", "leak")


def test_topics_of_one_cluster_count_once() -> None:
    lost = differences(100, 12)
    clusters = {topic: "a" if number < 6 else "b" if number < 12 else topic for number, topic in enumerate(lost)}
    found = one(lost, clusters)
    assert (found.outcome, found.p, found.moved, found.clusters) == ("churned", 1 / 4, 12, 2)
    assert one(lost).outcome == "worse"


def test_all_topics_and_a_slice_are_judged_together() -> None:
    # 20 topics; six lost in the slice of the first ten, two lost and one gained outside: 14/512 and 8/512.
    everything = {f"t{n:02}": v for n, v in enumerate([-1.0] * 6 + [0.0] * 4 + [-1.0, -1.0, 1.0] + [0.0] * 7)}
    part = {topic: everything[topic] for topic in list(everything)[:10]}
    found = judge({"all": Paired(everything), "slice": Paired(part)}, apart(everything))
    assert [judged.p for judged in found.cells.values()] == [14 / 512, 8 / 512]
    assert [judged.cause for judged in found.cells.values()] == ["collapse", "collapse"]
    assert [judged.alone for judged in found.cells.values()] == [10 / 512, 8 / 512]
    assert (found.clusters, found.flips) == (9, 512)


def test_many_cells_make_each_of_them_harder_to_fail() -> None:
    # Seven lost alone are 1/128. Beside 3 other cells of 7 other topics each, any of 4 cells could have been the one.
    cells = {}
    for cell in range(4):
        values = [0.0] * 100
        for topic in range(7 * cell, 7 * cell + 7):
            values[topic] = -1.0 if cell == 0 or topic % 7 < 4 else 1.0
        cells[cell] = Paired({f"t{n:03}": value for n, value in enumerate(values)})
    found = judge(cells, apart(cells[0].differences)).cells
    assert found[0].outcome == "uncertain"
    # 1 - (127/128)**4 = 0.0309, sampled.
    assert found[0].p == pytest.approx(0.0309, abs=0.006)


def test_cells_may_have_topics_of_their_own() -> None:
    here, there = differences(30, 7), {f"u{n}": 0.0 for n in range(40)}
    found = judge({"here": Paired(here), "there": Paired(there)}, apart(here, there)).cells
    assert (found["here"].p, found["there"].p) == (1 / 128, None)
    assert (found["here"].outcome, found["there"].outcome) == ("worse", "same")


def test_swapping_the_sides_mirrors_every_cell() -> None:
    cells = {n: Paired(differences(60, n, 12 - n)) for n in range(13)}
    swapped = {n: Paired({t: -d for t, d in paired.differences.items()}) for n, paired in cells.items()}
    clusters = apart(cells[0].differences)
    there, back = judge(cells, clusters), judge(swapped, clusters)
    for n, judged in there.cells.items():
        mirrored = back.cells[n]
        assert (judged.p, judged.p_better) == (mirrored.p_better, mirrored.p)
        assert (judged.mean, judged.net) == (-mirrored.mean, -mirrored.net)
    assert there.critical == back.critical


def test_the_order_of_topics_and_cells_changes_nothing() -> None:
    cells = {"a": Paired(differences(100, 20, 8)), "b": Paired(differences(100, 3, 15, by=0.25))}
    turned = {name: Paired(dict(reversed(list(cells[name].differences.items())))) for name in reversed(list(cells))}
    clusters = apart(cells["a"].differences)
    there, back = judge(cells, clusters), judge(turned, clusters)
    assert dict(there.cells) == dict(back.cells)
    assert there.critical == back.critical


def test_the_bars_can_be_set() -> None:
    lost = {"cell": Paired(differences(100, 6))}
    clusters = apart(lost["cell"].differences)
    assert judge(lost, clusters, alpha=0.05).cells["cell"].outcome == "worse"
    assert judge(lost, clusters, tolerance=0.06).cells["cell"].outcome == "churned"
    assert judge(lost, clusters, warn=0.01).cells["cell"].outcome == "churned"
    assert judge(lost, clusters, alpha=0.05, least=101).cells["cell"].outcome == "churned"


def test_nothing_to_judge_is_judged_as_nothing() -> None:
    none: dict[str, Paired] = {}
    found = judge(none, {})
    assert (dict(found.cells), found.clusters, found.critical, found.flips) == ({}, 0, 0.0, 1)


def test_what_cannot_be_judged_is_refused() -> None:
    with pytest.raises(ValueError, match="without topics"):
        judge({"cell": Paired({})}, {})
    with pytest.raises(ValueError, match="t000 has no cluster"):
        judge({"cell": Paired(differences(20, 1))}, {})
    with pytest.raises(ValueError, match="finite"):
        one({"t": float("nan")})


@pytest.mark.parametrize(
    ("topics", "lost"),
    [
        (4, 4),  # too few for a collapse of five
        (10, 4),
        (19, 4),
        (20, 4),  # a fifth is four, but a collapse needs five
        (30, 5),
        (36, 6),  # seven are significant
        (300, 6),
        (2000, 10),  # eleven are more than the tolerance
    ],
)
def test_the_largest_loss_that_passes_is_the_one_before_the_first_that_fails(topics: int, lost: int) -> None:
    assert largest_allowed(topics) == lost
    clusters = {f"q{n}": f"q{n}" for n in range(topics)}
    for more, outcome in ((0, "passes"), (1, "worse")):
        if lost + more <= topics:
            cell = Paired({f"q{n}": -1.0 if n < lost + more else 0.0 for n in range(topics)})
            assert (judge({"cell": cell}, clusters).cells["cell"].outcome == "worse") == (outcome == "worse")
