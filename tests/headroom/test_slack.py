from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from headroom_cells import SLICE, budgets_of, cells_of

from gate.headroom.slack import RuleSlack, rule_slacks, unguarded

OTHER = SLICE.replace("keyword", "vector")


def slack_of(folder: Path, text: str, values: dict[str, tuple[float | None, int]]) -> RuleSlack:
    (rule,) = rule_slacks(budgets_of(folder, text), cells_of(values))
    return rule


def limit(bound: str, cell: str = SLICE, more: str = "") -> str:
    return f'budgets:\n  - cell: "{cell}"\n    {bound}\n{more}'


@pytest.mark.parametrize(
    ("value", "topics", "bound", "slack", "whole"),
    [
        (1.0, 20, "min: 0.95", 0.05, 1),
        (0.95, 20, "min: 0.95", 0.0, 0),
        # 190 of 200 found against a floor of 0.85: 20 may be lost, as 170 of 200 is 0.85.
        (0.95, 200, "min: 0.85", 0.10, 20),
        # 18.4 topics of 24 stand above 0.7 by 1.6: only one whole topic may be lost.
        (18.4 / 24, 24, "min: 0.7", 18.4 / 24 - 0.7, 1),
        (0.90, 20, "min: 0.95", -0.05, 0),
    ],
)
def test_slack_is_in_points_and_in_whole_topics(
    tmp_path: Path, value: float, topics: int, bound: str, slack: float, whole: int
) -> None:
    (one,) = slack_of(tmp_path, limit(bound), {SLICE: (value, topics)}).cells
    assert one.slack == pytest.approx(slack)
    assert (one.topics, one.of) == (whole, topics)


def test_a_rule_that_is_red_now_is_broken(tmp_path: Path) -> None:
    assert slack_of(tmp_path, limit("min: 0.95"), {SLICE: (0.9, 20)}).status == "broken"
    assert slack_of(tmp_path, limit("min: 0.95"), {SLICE: (0.95, 20)}).status == "ok"


def test_a_floor_that_lets_a_fifth_go_is_too_loose_and_one_just_above_is_not(tmp_path: Path) -> None:
    assert slack_of(tmp_path, limit("min: 0.80"), {SLICE: (1.0, 20)}).status == "too loose"
    assert slack_of(tmp_path, limit("min: 0.801"), {SLICE: (1.0, 20)}).status == "ok"


def test_a_fifth_of_the_topics_is_rounded_up(tmp_path: Path) -> None:
    # A fifth of 24 is 4.8 topics: five lost leave 19/24, which is 0.79.
    assert slack_of(tmp_path, limit("min: 0.79"), {SLICE: (1.0, 24)}).status == "too loose"
    assert slack_of(tmp_path, limit("min: 0.795"), {SLICE: (1.0, 24)}).status == "ok"


def test_a_slice_that_can_vanish_unseen_is_too_loose(tmp_path: Path) -> None:
    assert slack_of(tmp_path, limit("min: 0"), {SLICE: (0.1, 20)}).status == "too loose"
    assert slack_of(tmp_path, limit("min: 0.05"), {SLICE: (0.1, 20)}).status == "ok"


def test_a_ceiling_on_what_should_be_low_is_judged_alike(tmp_path: Path) -> None:
    cell = SLICE.replace("R@5", "FalseRefused")
    assert slack_of(tmp_path, limit("max: 0.2", cell), {cell: (0.0, 20)}).status == "too loose"
    assert slack_of(tmp_path, limit("max: 0.15", cell), {cell: (0.0, 20)}).status == "ok"


def test_a_ceiling_on_what_should_be_high_guards_no_loss(tmp_path: Path) -> None:
    (one,) = slack_of(tmp_path, limit("max: 0.9"), {SLICE: (0.1, 20)}).cells
    assert one.lets_go is None
    assert one.status == "ok"


@pytest.mark.parametrize(
    ("text", "value", "breaks"),
    [
        (limit("min: 0"), 0.0, False),
        (limit("min: 0.05"), 0.5, True),
        (limit("max: 1", SLICE.replace("R@5", "FalseRefused")), 0.2, False),
        (limit("max: 0.9", SLICE.replace("R@5", "FalseRefused")), 0.2, True),
        (limit("max: 200", SLICE.replace("R@5", "latency-p95")), 10.0, True),
        (limit("min: 0", SLICE.replace("R@5", "latency-p95")), 10.0, False),
    ],
)
def test_a_bound_that_no_value_is_beyond_can_not_break(tmp_path: Path, text: str, value: float, breaks: bool) -> None:
    cell = text.split('"')[1]
    (one,) = slack_of(tmp_path, text, {cell: (value, 20)}).cells
    assert one.can_break is breaks
    assert breaks or one.topics is None


def test_a_difference_of_0_can_break_and_one_of_minus_1_can_not(tmp_path: Path) -> None:
    values: dict[str, tuple[float | None, int]] = {SLICE: (0.9, 20), OTHER: (0.5, 20)}
    for text, breaks in (
        (contrast("min: 0"), True),
        (contrast("min: -1"), False),
        (contrast("max: 1"), False),
        (contrast("min: 0", "ratio", "over"), False),
        (contrast("max: 5", "ratio", "over"), True),
    ):
        (one,) = slack_of(tmp_path, text, values).cells
        assert one.can_break is breaks


def test_times_have_slack_in_their_unit_and_no_topics(tmp_path: Path) -> None:
    cell = SLICE.replace("zh-Hans", "all").replace("R@5", "latency-p95")
    (one,) = slack_of(tmp_path, limit("max: 200", cell), {cell: (10.0, 20)}).cells
    assert one.slack == pytest.approx(190)
    assert (one.topics, one.status) == (None, "ok")


def test_a_loose_rule_is_fine_where_another_one_on_the_cell_would_go_red(tmp_path: Path) -> None:
    text = limit("min: 0.5", more=f'  - cell: "{SLICE}"\n    min: 0.95\n')
    loose, tight = rule_slacks(budgets_of(tmp_path, text), cells_of({SLICE: (1.0, 20)}))
    assert (loose.status, tight.status) == ("ok", "ok")


def test_a_rule_that_only_warns_guards_nothing(tmp_path: Path) -> None:
    text = limit("min: 0.5", more=f'  - cell: "{SLICE}"\n    min: 0.95\n    level: warn\n')
    loose, _ = rule_slacks(budgets_of(tmp_path, text), cells_of({SLICE: (1.0, 20)}))
    assert loose.status == "too loose"


def contrast(bound: str, kind: str = "difference", partner: str = "minus") -> str:
    return f'budgets:\n  - contrast: {kind}\n    of: "{SLICE}"\n    {partner}: "{OTHER}"\n    {bound}\n'


def test_a_contrast_has_slack_in_points_and_guards_its_first_side(tmp_path: Path) -> None:
    values: dict[str, tuple[float | None, int]] = {SLICE: (0.9, 20), OTHER: (0.5, 20)}
    rule = slack_of(tmp_path, contrast("min: 0.15"), values)
    (one,) = rule.cells
    assert one.slack == pytest.approx(0.25)
    assert one.topics is None
    assert rule.status == "too loose"
    assert slack_of(tmp_path, contrast("min: 0.25"), values).status == "ok"


def test_a_first_side_falls_no_further_than_to_nothing(tmp_path: Path) -> None:
    # 0.1 lost whole is 0.0 over nothing, which -0.05 lets pass, and 0.1 below 0.1, which it does not.
    values: dict[str, tuple[float | None, int]] = {SLICE: (0.1, 20), OTHER: (0.0, 20)}
    assert slack_of(tmp_path, contrast("min: -0.05"), values).status == "too loose"
    values = {SLICE: (0.1, 20), OTHER: (0.1, 20)}
    assert slack_of(tmp_path, contrast("min: -0.05"), values).status == "ok"
    assert slack_of(tmp_path, contrast("min: -0.1"), values).status == "too loose"


def test_a_ratio_falls_with_its_first_side(tmp_path: Path) -> None:
    # 0.8 over 0.4 is 2; a fifth lost leaves 0.6 over 0.4, which is 1.5.
    values: dict[str, tuple[float | None, int]] = {SLICE: (0.8, 20), OTHER: (0.4, 20)}
    assert slack_of(tmp_path, contrast("min: 1.5", "ratio", "over"), values).status == "too loose"
    assert slack_of(tmp_path, contrast("min: 1.6", "ratio", "over"), values).status == "ok"


def test_what_was_not_measured_has_no_slack(tmp_path: Path) -> None:
    rule = slack_of(tmp_path, limit("min: 0.5"), {SLICE: (None, 0)})
    assert rule.status == "not measured"
    assert rule.tightest is None


def test_a_contrast_without_its_other_side_is_not_measured(tmp_path: Path) -> None:
    assert slack_of(tmp_path, contrast("min: 0.15"), {SLICE: (0.9, 20)}).status == "not measured"


def test_a_contrast_whose_other_side_was_left_out_is_left_out(tmp_path: Path) -> None:
    budgets = budgets_of(tmp_path, contrast("min: 0.15"))
    (rule,) = rule_slacks(budgets, cells_of({SLICE: (0.9, 20)}), partial=True)
    assert rule.status == "no cell"
    (rule,) = rule_slacks(budgets, cells_of({SLICE: (0.9, 20), OTHER: (0.5, 20)}), partial=True)
    assert rule.status == "too loose"


def test_a_rule_that_matches_nothing_has_no_cell(tmp_path: Path) -> None:
    assert slack_of(tmp_path, limit("min: 0.5"), {OTHER: (1.0, 20)}).status == "no cell"


def test_a_waived_cell_neither_breaks_nor_loosens_a_rule(tmp_path: Path) -> None:
    cells = {key: replace(cell, status="waived") for key, cell in cells_of({SLICE: (0.1, 20)}).items()}
    (rule,) = rule_slacks(budgets_of(tmp_path, limit("min: 0.95")), cells)
    assert rule.status == "waived"


def test_the_tightest_and_the_loosest_cell_are_named(tmp_path: Path) -> None:
    values: dict[str, tuple[float | None, int]] = {SLICE: (0.9, 20), OTHER: (1.0, 20)}
    rule = slack_of(tmp_path, limit("min: 0.85", SLICE.replace("keyword", "*")), values)
    assert rule.tightest is not None
    assert rule.loosest is not None
    assert (rule.tightest.cell.mode, rule.loosest.cell.mode) == ("keyword", "vector")


def test_rules_come_in_the_order_of_the_file(tmp_path: Path) -> None:
    text = contrast("min: 0.15") + f'  - cell: "{SLICE}"\n    min: 0.7\n'
    rules = rule_slacks(budgets_of(tmp_path, text), cells_of({SLICE: (0.9, 20), OTHER: (0.5, 20)}))
    assert [rule.kind for rule in rules] == ["difference", "limit"]


def test_cells_in_health_without_a_rule_are_found_and_faults_are_not(tmp_path: Path) -> None:
    broken = SLICE.replace("none", "embedder-raises")
    cells = cells_of({SLICE: (1.0, 20), OTHER: (1.0, 20), broken: (1.0, 20)})
    rules = rule_slacks(budgets_of(tmp_path, limit("min: 0.95")), cells)
    assert [str(key) for key in unguarded(rules, cells, ("R@5",))] == [OTHER]
