from __future__ import annotations

from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from headroom_cells import SLICE, cells_of, measurements_of

from gate.budgets import read_budgets
from gate.checks.contrasts import contrast_checks
from gate.checks.limits import limit_checks
from gate.errors import UsageError
from gate.headroom.audit import audit_budgets
from gate.headroom.measurements import Measurements
from gate.headroom.slack import rule_slacks
from gate.headroom.slices import Slices
from gate.headroom.suggest import Choice, ceiling_of, floor_of, read_headroom, suggestion
from gate.records import Budgets

DAY = date(2026, 11, 30)
FAULT = SLICE.replace("none", "embedder-raises")
LATENCY = SLICE.replace("zh-Hans", "all").replace("R@5", "latency-p95")
LEAK = SLICE.replace("R@5", "Forbidden@10")
REFUSALS = SLICE.replace("R@5", "FalseRefused")


def suggested(folder: Path, measured: Measurements, headroom: float = 0.2) -> tuple[str, Budgets]:
    text = suggestion(measured, headroom, DAY).text
    (folder / "budgets.yml").write_text(text, encoding="utf-8")
    return text, read_budgets(folder / "budgets.yml")


@pytest.mark.parametrize(
    ("value", "topics", "floor", "lost"),
    [
        # Four of 20 are the fifth that must not go unseen, so three may be lost.
        (1.0, 20, 0.85, 3),
        # 18 found: a fifth is 3.6, so three may be lost, and 15 of 20 still pass.
        (0.9, 20, 0.75, 3),
        # 17 found: a fifth is 3.4, so three may be lost: 14/18 is 0.7777..., rounded down.
        (17 / 18, 18, 0.7777, 3),
        # A fifth of three topics is less than one: none may be lost.
        (1.0, 3, 1.0, 0),
        # 0.8 itself would let a fifth go.
        (1.0, 100, 0.81, None),
        (0.9877, 880, 0.80, None),
        # Above 0.004 * 0.8 there is no hundredth below the value.
        (0.004, 1000, 0.004, None),
    ],
)
def test_a_floor_lets_less_than_the_headroom_go(value: float, topics: int, floor: float, lost: int | None) -> None:
    least, may_be_lost = floor_of(value, topics, 0.2)
    assert least == pytest.approx(floor)
    assert may_be_lost == lost


def test_a_floor_of_a_small_slice_allows_whole_topics(tmp_path: Path) -> None:
    for topics in range(1, 60):
        for missing in range(topics):
            value = (topics - missing) / topics
            floor, lost = floor_of(value, topics, 0.2)
            assert lost is not None
            assert (topics - missing - lost) / topics >= floor
            assert (topics - missing - lost - 1) / topics < floor


@pytest.mark.parametrize(("measured", "ceiling"), [(0.5, 100), (4.9, 100), (5.1, 200), (40.0, 1000), (120.0, 5000)])
def test_a_ceiling_of_times_is_generous_and_round(measured: float, ceiling: float) -> None:
    assert ceiling_of(measured) == ceiling


@pytest.mark.parametrize("text", ["20", "nan", "inf", "0", "1", "-0.2", "a fifth", ""])
def test_a_headroom_that_is_no_share_is_refused(text: str) -> None:
    with pytest.raises(UsageError) as caught:
        read_headroom(text)
    assert "above 0 and below 1" in caught.value.what


def test_a_percentage_is_told_what_was_meant() -> None:
    with pytest.raises(UsageError) as caught:
        read_headroom("20")
    assert caught.value.hint == "Write 0.2 for 20%."
    assert read_headroom("0.2") == 0.2


def test_what_is_suggested_passes_on_the_same_results_and_is_not_too_loose(tmp_path: Path) -> None:
    measured = measurements_of(
        {
            SLICE: (0.95, 20),
            SLICE.replace("R@5", "nDCG@10"): (0.7312, 150),
            FAULT: (0.5, 20),
            LATENCY: (9.5, 20),
            LEAK: (0.0, 20),
            REFUSALS: (0.05, 20),
        }
    )
    text, budgets = suggested(tmp_path, measured)
    checks = [*limit_checks(budgets, measured.cells), *contrast_checks(budgets, measured.cells, set())]
    assert {check.status for check in checks} == {"pass"}
    # R@5, nDCG@10, Forbidden@10 and FalseRefused, a ceiling of times, and a contrast.
    assert len(checks) == 6
    assert text.startswith("# Suggested on 2026-11-30")
    assert audit_budgets(budgets, measured, Slices((), {}), DAY, 30).flagged == ()


def test_the_head_says_where_the_figures_are_from(tmp_path: Path) -> None:
    text, _ = suggested(tmp_path, measurements_of({SLICE: (0.95, 20)}))
    for said in ("2026-11-30", "gate-results", "0123456789abcdef", "reference on seeded@smoke", "--headroom 0.2"):
        assert said in text


def test_a_loss_of_the_headroom_breaks_every_floor(tmp_path: Path) -> None:
    measured = measurements_of({SLICE: (0.95, 20), SLICE.replace("R@5", "nDCG@10"): (0.7312, 150)})
    _, budgets = suggested(tmp_path, measured)
    less = {key: replace(cell, value=(cell.value or 0.0) * 0.8) for key, cell in measured.cells.items()}
    assert {check.status for check in limit_checks(budgets, less)} == {"fail"}


def test_the_drop_of_a_fault_gets_a_contrast_where_it_shows_most(tmp_path: Path) -> None:
    other, other_fault = (name.replace("zh-Hans", "memory") for name in (SLICE, FAULT))
    measured = measurements_of({SLICE: (0.9, 20), FAULT: (0.8, 20), other: (1.0, 24), other_fault: (0.5, 24)})
    _, budgets = suggested(tmp_path, measured)
    (contrast,) = budgets.contrasts
    assert (contrast.of, contrast.partner) == (other, other_fault)
    # Of a drop of 0.5 four fifths have to stay.
    assert contrast.minimum == pytest.approx(0.4)


def test_a_fault_that_was_asked_on_fewer_topics_gets_no_contrast(tmp_path: Path) -> None:
    _, budgets = suggested(tmp_path, measurements_of({SLICE: (0.9, 20), FAULT: (0.5, 19)}))
    assert budgets.contrasts == ()


def test_a_fault_that_costs_nothing_gets_no_contrast(tmp_path: Path) -> None:
    _, budgets = suggested(tmp_path, measurements_of({SLICE: (0.9, 20), FAULT: (0.88, 20)}))
    assert budgets.contrasts == ()


def test_a_leak_that_is_there_is_promised_nothing(tmp_path: Path) -> None:
    _, budgets = suggested(tmp_path, measurements_of({SLICE: (0.9, 20), LEAK: (0.1, 20)}))
    assert [limit.cell for limit in budgets.limits] == [SLICE]


def test_unmeasured_cells_controls_and_names_like_globs_get_no_budget(tmp_path: Path) -> None:
    measured = measurements_of(
        {
            SLICE: (0.9, 20),
            SLICE.replace("zh-Hans", "th"): (None, 0),
            SLICE.replace("zh-Hans", "a*"): (0.9, 20),
            SLICE.replace("zh-Hans", "x\u202e"): (0.9, 20),
            SLICE.replace("reference", "exact-cosine"): (0.9, 20),
        }
    )
    text, budgets = suggested(tmp_path, measured)
    assert [limit.cell for limit in budgets.limits] == [SLICE]
    assert "# Left out: 3 cells" in text


def of_slice(name: str, cell: str = SLICE) -> str:
    return cell.replace("zh-Hans", name)


def test_slices_with_the_same_bound_are_one_glob(tmp_path: Path) -> None:
    measured = measurements_of({of_slice(name): (1.0, 20) for name in ("ja", "ko", "th")})
    _, budgets = suggested(tmp_path, measured)
    (limit,) = budgets.limits
    assert (limit.cell, limit.minimum) == (of_slice("*"), 0.85)


@pytest.mark.parametrize(
    "other",
    [
        # Another bound, one without a bound, one that found too little, one of another number of topics.
        (0.9, 20),
        (None, 0),
        (0.1, 20),
        (1.0, 8),
    ],
)
def test_a_glob_that_would_bind_anything_else_is_not_written(tmp_path: Path, other: tuple[float | None, int]) -> None:
    measured = measurements_of({of_slice("ja"): (1.0, 20), of_slice("ko"): (1.0, 20), of_slice("th"): other})
    _, budgets = suggested(tmp_path, measured)
    assert {of_slice("ja"), of_slice("ko")} <= {limit.cell for limit in budgets.limits}
    assert not any("*" in limit.cell for limit in budgets.limits)
    checks = limit_checks(budgets, measured.cells)
    assert {check.status for check in checks} == {"pass"}


def test_globs_choose_slices_modes_and_corpora(tmp_path: Path) -> None:
    names = [of_slice(name, SLICE.replace("keyword", mode)) for name in ("ja", "ko") for mode in ("keyword", "vector")]
    names += [name.replace("@smoke", "@1k") for name in names]
    measured = measurements_of(dict.fromkeys(names, (0.9, 20)))
    for choice, wanted in (
        (Choice(slices=("j*",)), {"ja"}),
        (Choice(slices=("!ja",)), {"ko"}),
    ):
        assert {cell.split("/")[2] for cell in chosen_cells(measured, choice)} == wanted
    assert chosen_cells(measured, Choice(("ja",), ("vector",), ("*@1k",))) == {
        of_slice("ja").replace("keyword", "vector").replace("@smoke", "@1k")
    }
    with pytest.raises(UsageError, match="no slice is called 'jo'"):
        suggestion(measured, 0.2, DAY, Choice(slices=("jo",)))


def test_the_head_names_what_was_chosen_and_nothing_else() -> None:
    measured = measurements_of({SLICE: (0.9, 20), SLICE.replace("@smoke", "@1k"): (0.9, 20)})
    text = suggestion(measured, 0.2, DAY, Choice(corpora=("*@1k",))).text
    assert "suggest --headroom 0.2 --corpus '*@1k'," in text
    assert "@smoke" not in text


def chosen_cells(measured: Measurements, choice: Choice) -> set[str]:
    lines = suggestion(measured, 0.2, DAY, choice).text.splitlines()
    return {line.split('"')[1] for line in lines if line.startswith("  - cell: ")}


def test_a_glob_over_slices_is_not_written_where_only_some_were_chosen() -> None:
    measured = measurements_of({of_slice(name): (1.0, 20) for name in ("ja", "ko", "th")})
    assert chosen_cells(measured, Choice(slices=("ja", "ko"))) == {of_slice("ja"), of_slice("ko")}


def test_less_found_than_a_fifth_is_no_floor_and_is_told(tmp_path: Path) -> None:
    values: dict[str, tuple[float | None, int]] = {of_slice("ja"): (0.19, 100), of_slice("ko"): (0.2, 100)}
    refused = of_slice("ja", REFUSALS)
    text, budgets = suggested(tmp_path, measurements_of({**values, refused: (0.85, 100)}))
    assert [limit.cell for limit in budgets.limits] == [of_slice("ko")]
    assert "# Left out: 2 cells with less than 0.2 found" in text


def test_only_floors_of_which_no_topic_may_be_lost_have_a_comment() -> None:
    few, more = of_slice("ja"), of_slice("ko")
    text = suggestion(measurements_of({few: (1.0, 3), more: (1.0, 20)}), 0.2, DAY).text
    assert "    min: 1  # 3 topics: none may be lost\n" in text
    assert "    min: 0.85\n" in text


def test_budgets_stand_by_mode() -> None:
    vector = SLICE.replace("keyword", "vector")
    names = (SLICE, vector, LEAK, LATENCY)
    text = suggestion(measurements_of({name: (0.0 if name == LEAK else 0.9, 20) for name in names}), 0.2, DAY).text
    keyword, others = text.split("  # Mode vector.\n")
    assert all(name in keyword for name in (SLICE, LEAK, LATENCY))
    assert vector in others


def test_many_budgets_are_told_how_to_be_chosen() -> None:
    many = measurements_of({of_slice(f"s{at}"): (1.0 - at / 1000, 150) for at in range(101)})
    assert "--slice, --mode and --corpus" in suggestion(many, 0.2, DAY).text
    assert "--slice" not in suggestion(measurements_of({SLICE: (0.9, 20)}), 0.2, DAY).text


def test_nothing_to_bind_is_a_sentence() -> None:
    with pytest.raises(UsageError, match="nothing that was measured"):
        suggestion(measurements_of({SLICE: (0.0, 20)}), 0.2, DAY)


def test_a_place_of_several_lines_stays_a_comment(tmp_path: Path) -> None:
    measured = replace(
        measurements_of({SLICE: (0.9, 20)}),
        place="results\nbudgets: []\n- cell: x",
        commit="a\nb: c",
        notes=("narrowed by\n- cell: y",),
    )
    _, budgets = suggested(tmp_path, measured)
    assert [limit.cell for limit in budgets.limits] == [SLICE]


def test_a_slice_without_anything_found_gets_no_floor(tmp_path: Path) -> None:
    _, budgets = suggested(tmp_path, measurements_of({SLICE: (0.0, 20), SLICE.replace("zh-Hans", "all"): (0.9, 20)}))
    assert len(budgets.limits) == 1
    assert rule_slacks(budgets, cells_of({SLICE: (0.0, 20)}))[0].status == "no cell"
