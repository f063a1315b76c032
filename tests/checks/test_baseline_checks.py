from __future__ import annotations

from pathlib import Path

import pytest
from builders import cell_key

from gate.checks.baseline import comparison_checks, gain_checks, refused
from gate.records import Check, Comparison, TopicMove

PATH = Path("baselines/reference/seeded@smoke.cpu-hash.jsonl")
MOVE = TopicMove("q1", "where do I live?", 1.0, 0.0, (), ())


def judged(
    outcome: str,
    before: float | None = 0.95,
    after: float | None = 0.9,
    *,
    lost: int = 0,
    gained: int = 0,
    topics: int = 20,
    cause: str = "",
    clusters: int | None = None,
    p: float | None = None,
    measure: str = "R@5",
    reason: str = "",
    waived: bool = False,
) -> Check:
    moves = (MOVE,) if lost or reason else ()
    one = Comparison(
        cell_key(measure),
        outcome,
        before,
        after,
        topics,
        lost=lost,
        gained=gained,
        reason=reason,
        cause=cause,
        clusters=lost + gained if clusters is None else clusters,
        p=p,
        moves=moves,
    )
    excuses = {str(one.cell): "no Thai segmentation yet"} if waived else {}
    (check,) = comparison_checks([one], PATH, excuses)
    return check


def test_a_loss_fails_with_both_figures_and_the_topics_lost() -> None:
    check = judged("worse", lost=8, gained=1, cause="significant", p=0.00781, reason="9 of 20 answers changed")
    assert (check.status, check.level, check.source) == ("fail", "error", "baseline")
    assert (check.operator, check.expected, check.actual) == (">=", 0.95, 0.9)
    assert check.message == ("worse: 0.950 -> 0.900, 8 of 20 topics lost, 1 gained (p 0.0078); 9 of 20 answers changed")
    assert (check.where, check.moves) == (str(PATH), (MOVE,))


def test_a_small_loss_shows_that_it_is_one() -> None:
    assert judged("churned", 0.9504, 0.9501, lost=1).message.startswith("churned: 0.9504 -> 0.9501")


def test_churn_passes_and_is_told() -> None:
    check = judged("churned", 0.95, 0.95, reason="2 of 20 answers changed")
    assert check.status == "pass"
    assert check.message == "churned: 0.950 -> 0.950, none of 20 topics lost, none gained; 2 of 20 answers changed"
    assert check.moves == (MOVE,)


def test_what_is_the_same_says_so_in_plain_words() -> None:
    check = judged("same", 0.95, 0.95)
    assert (check.status, check.message, check.moves) == ("pass", "no rank moved on these 20 topics", ())


def test_a_collapse_says_that_a_fifth_of_the_slice_is_gone() -> None:
    assert "a collapse: a fifth of the slice got worse" in judged("worse", lost=5, cause="collapse").message


def test_topics_of_a_few_clusters_are_said_to_be() -> None:
    together = judged("churned", lost=12, topics=100, clusters=2).message
    assert "12 of 100 topics lost, none gained, in 2 clusters" in together
    assert "cluster" not in judged("churned", lost=12, topics=100).message


def test_a_p_beside_a_threshold_is_not_rounded_onto_it() -> None:
    assert "(p 0.0104)" in judged("uncertain", lost=6, p=0.0104).message
    assert "(p 0.0098)" in judged("worse", lost=7, cause="significant", p=0.0098).message


def test_no_p_stands_beside_what_no_test_decided() -> None:
    assert "(p" not in judged("worse", lost=5, cause="collapse", p=0.142).message


def test_repeats_that_straddle_are_said_to() -> None:
    message = judged("uncertain", lost=37, topics=60, cause="straddles", p=0.0001).message
    assert "the repeats of this noisy store fall on both sides" in message
    assert "lopsided" not in message


def test_of_refusals_no_rank_is_spoken_of() -> None:
    assert judged("same", 0.1, 0.1, measure="FalseRefused").message == "no refusal changed on these 20 topics"


def test_a_tiny_p_is_never_shown_as_nought() -> None:
    assert "(p under 0.001)" in judged("worse", lost=12, cause="significant", p=0.0001).message


@pytest.mark.parametrize(("topics", "said"), [(19, True), (20, False)])
def test_losses_on_a_few_topics_are_said_to_be_listed_only(topics: int, said: bool) -> None:
    message = judged("churned", lost=2, topics=topics).message
    assert ("on fewer than 20 topics losses are listed, and only a collapse fails" in message) is said


def test_a_gain_passes() -> None:
    assert judged("better", 0.9, 0.95).status == "pass"


def test_what_is_uncertain_only_warns() -> None:
    check = judged("uncertain", lost=2)
    assert (check.status, check.level) == ("fail", "warn")


def test_what_cannot_be_compared_is_not_measured() -> None:
    check = judged("not measured", None, None, reason="the baseline has no topic of this slice")
    assert (check.status, check.expected, check.actual) == ("not measured", None, None)
    assert check.message == "the baseline has no topic of this slice"


@pytest.mark.parametrize("outcome", ["worse", "churned", "same", "better", "not measured"])
def test_a_waived_cell_neither_passes_nor_fails(outcome: str) -> None:
    check = judged(outcome, waived=True)
    assert check.status == "waived"
    assert check.message.endswith("waived: no Thai segmentation yet")


def test_a_leak_is_called_one() -> None:
    check = judged("worse", 0.0, 0.05, lost=1, measure="Forbidden@10")
    assert (check.status, check.operator, check.expected) == ("fail", "", None)
    assert check.message == "leak: on 1 of 20 topics a forbidden document came back that the baseline kept out"


def test_a_store_that_leaks_no_more_than_it_did_is_told_without_praise() -> None:
    assert judged("same", 0.05, 0.05, measure="Forbidden@10").message == (
        "no forbidden document came back that the baseline kept out on these 20 topics"
    )
    assert judged("better", 0.05, 0.0, measure="Forbidden@10").status == "pass"


@pytest.mark.parametrize(("required", "status", "level"), [(True, "not measured", "error"), (False, "pass", "info")])
def test_an_absent_baseline_is_a_finding_where_one_is_required(required: bool, status: str, level: str) -> None:
    check = refused("reference on seeded@smoke, cpu-hash", PATH, "there is no baseline yet", required=required)
    assert (check.status, check.level, check.where) == (status, level, str(PATH))
    assert check.message == "reference on seeded@smoke, cpu-hash: there is no baseline yet"


def gained(topics: int, before: float, after: float, measure: str = "R@5") -> list[Check]:
    return gain_checks([Comparison(cell_key(measure), "better", before, after, topics)], PATH)


@pytest.mark.parametrize(("won", "warned"), [(12, False), (13, True)])
def test_a_gain_of_more_than_twice_what_may_be_lost_warns(won: int, warned: bool) -> None:
    # Of 200 topics 6 may be lost: 7 are significant.
    found = gained(200, 0.5, 0.5 + won / 200)
    assert [(check.status, check.level) for check in found] == [("fail", "warn")] * warned
    if warned:
        assert "0.500 -> 0.565 on 200 topics" in found[0].message
        assert "would pass, 6 topics moving singly" in found[0].message


def test_a_fall_of_what_is_better_low_is_a_gain_too() -> None:
    assert gained(200, 0.5, 0.1, "FalseRefused")
    assert not gained(200, 0.1, 0.5, "FalseRefused")
    assert not gained(200, 0.5, 0.1)


def test_gains_of_one_run_are_one_warning() -> None:
    cells = [Comparison(cell_key(name), "better", 0.2, 0.9, 100) for name in ("R@5", "nDCG@10")]
    cells.append(Comparison(cell_key("R@5", mode="vector"), "better", 0.2, 0.9, 100))
    first, second = gain_checks(cells, PATH)
    assert "so did 1 more cell" in first.message
    assert "so did" not in second.message
