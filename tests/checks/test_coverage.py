from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest
from builders import KEYWORD, answer, cell_key, measured, run_of, waived

from gate.checks.coverage import dead_budgets, required_checks, run_checks, stray_checks, waiver_checks
from gate.records import Budgets, CellKey, Contrast, Limit, Run, Waiver

TODAY = date(2026, 11, 30)
PLAN = [cell_key(), cell_key(part="th"), cell_key(mode="vector")]
FAILED = run_of({}, failure="reference, mode keyword: RuntimeError: no such index")


def test_a_run_that_went_well_is_no_finding() -> None:
    assert run_checks([run_of({"q": ["a"]})]) == []


def test_a_run_that_failed_is_not_measured() -> None:
    (check,) = run_checks([FAILED])
    assert (check.source, check.status, check.level, check.cell) == ("plan", "not measured", "error", str(KEYWORD))
    assert "no such index" in check.message


def test_a_noisy_run_is_not_measured() -> None:
    (check,) = run_checks([replace(run_of({"q": ["a"]}), repeats_moved=("q7", "q9"))])
    assert (check.status, check.level) == ("not measured", "error")
    assert "(2 topics, q7 first)" in check.message


@pytest.mark.parametrize("run", [FAILED, replace(run_of({"q": ["a"]}), repeats_moved=("q7",))])
def test_a_run_of_which_every_cell_is_waived_is_waived(run: Run) -> None:
    (check,) = run_checks([run], [waived(None), waived(None, cell_key(part="th"))])
    assert check.status == "waived"
    assert "no Thai segmentation yet" in check.message
    (check,) = run_checks([run], [waived(None), measured(0.5, cell_key(part="th"))])
    assert check.status == "not measured"
    (check,) = run_checks([run], [waived(None, cell_key(mode="vector"))])
    assert check.status == "not measured"


def test_hits_past_the_depth_warn() -> None:
    (check,) = run_checks([Run(KEYWORD, {"q": answer(["a"], surplus=3), "r": answer(["a"])})])
    assert (check.status, check.level) == ("fail", "warn")
    assert check.message.startswith("1 search returned more hits")


@pytest.mark.parametrize(
    ("glob", "planned", "findings"),
    [
        ("*/*/th/*/keyword/*/R@5", PLAN, 0),
        ("*/*/th/*/keyword/*/R@5", [], 0),  # left out by flags
        ("*/*/all/*/facts/none/R@5", PLAN, 1),  # not declared by the store
        ("*/*/all/*/keyword/none/R@50", PLAN, 1),
    ],
)
def test_what_is_required_has_to_be_planned(glob: str, planned: list[CellKey], findings: int) -> None:
    found = required_checks([glob], planned, PLAN)
    assert len(found) == findings
    assert all((check.status, check.level, check.cell) == ("not measured", "error", glob) for check in found)


@pytest.mark.parametrize(
    ("glob", "dead"),
    [
        ("*/*/th/*/keyword/none/R@5", False),
        ("*/*/thai/*/keyword/none/R@5", True),
        ("*/*/all/*/rerank/none/R@5", True),
        ("*/*/all/*/*/none/MAP@5", True),
    ],
)
def test_a_budget_that_matches_nothing_is_a_finding(glob: str, dead: bool) -> None:
    found = dead_budgets(Budgets(limits=(Limit(glob, 0.5, None, where="budgets.yml:4"),)), PLAN)
    assert [(c.status, c.level, c.cell, c.where) for c in found] == [
        ("not measured", "error", glob, "budgets.yml:4")
    ] * dead


def test_each_side_of_a_contrast_has_to_match_something() -> None:
    alive, dead = "*/*/all/*/vector/none/R@5", "*/*/all/*/vector/embedder-hangs/R@5"
    rules = (Contrast("difference", alive, dead, 0.1, None), Contrast("difference", dead, alive, 0.1, None, "warn"))
    found = dead_budgets(Budgets(contrasts=rules), PLAN)
    assert [(check.cell, check.level) for check in found] == [(dead, "error"), (dead, "warn")]


@pytest.mark.parametrize(
    ("glob", "until", "says"),
    [
        ("*/*/th/*/*/*/*", "2026-11-30", ""),
        ("*/*/th/*/*/*/*", "2026-11-29", "ran out on 2026-11-29"),
        ("*/*/thai/*/*/*/*", "2027-03-31", "unused"),
    ],
)
def test_a_waiver_that_ran_out_or_excuses_nothing_is_reported(glob: str, until: str, says: str) -> None:
    waiver = Waiver(glob, until, "no Thai segmentation yet", "budgets.yml:12")
    found = waiver_checks(Budgets(waivers=(waiver,)), PLAN, TODAY)
    assert [says in check.message for check in found] == [True] * bool(says)
    assert all((check.status, check.level, check.where) == ("fail", "warn", "budgets.yml:12") for check in found)


STORED = frozenset({"a", "b"})


def test_ids_that_nobody_stored_are_a_failure_of_the_driver() -> None:
    assert stray_checks([run_of({"q": ["a", "b"]})], STORED) == []
    (check,) = stray_checks([run_of({"q": ["a", "x2", "x1"]})], STORED)
    assert (check.status, check.level) == ("fail", "error")
    assert check.message == "2 ids came back that nobody stored, 'x1' for one"


def test_a_run_that_finds_nothing_on_any_topic_is_a_failure_of_the_driver() -> None:
    (check,) = stray_checks([run_of({"q": [], "r": []})], STORED)
    assert (check.status, check.message) == ("fail", "no search found anything, on any of 2 topics")
    assert stray_checks([run_of({"q": [], "r": ["a"]})], STORED) == []


@pytest.mark.parametrize(
    ("glob", "says"),
    [
        ("*/*/al/*/keyword/none/R@5", "no cell has the slice 'al' (did you mean 'all'?)"),
        ("*/*/all/*/keyword/none/R@50", "no cell has the measure 'R@50' (did you mean 'R@5'?)"),
        ("*/*/th/*/vector/none/R@5", ""),
    ],
)
def test_a_budget_that_speaks_of_nothing_says_which_part_is_strange(glob: str, says: str) -> None:
    (check,) = dead_budgets(Budgets(limits=(Limit(glob, 0.9, None),)), PLAN)
    assert check.message == f"this budget matches no cell of the plan: {glob}" + (f"; {says}" if says else "")


def test_a_run_that_is_declared_noisy_and_repeated_is_no_finding() -> None:
    run = replace(run_of({"q1": ["a"]}), repeats_moved=("q1",))
    assert run_checks([run])
    assert run_checks([replace(run, repeats=(run.results,))]) == []
