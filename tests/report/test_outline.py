from __future__ import annotations

from dataclasses import replace

import pytest
from report_verdicts import (
    BASELINE_LOST,
    BOTH,
    BUDGET_BROKEN,
    GREEN,
    HEALTHY,
    INTERRUPTED,
    KEYS,
    NOT_MEASURED,
    WARNED,
    cell_key,
    check,
    unmeasured,
)

from gate.records import Check, Verdict
from gate.report.outline import (
    headline,
    kept,
    next_steps,
    remarks,
    sections,
    totals,
    unit_of_check,
)


def steps(verdict: Verdict, results: str = "gate-results") -> list[str]:
    return [f"{step.says} {step.command}".strip() for step in next_steps(verdict, results)]


def test_failures_come_first_then_unmeasured_then_warnings_then_changes() -> None:
    verdict = replace(BOTH, checks=(*WARNED.checks[::-1], *BOTH.checks[::-1]))
    assert [section.kind for section in sections(verdict)] == ["failed", "not measured", "warning", "changed", "waived"]


def test_what_passed_without_a_move_is_not_listed() -> None:
    assert sections(GREEN) == ()


def test_a_change_that_is_allowed_is_listed() -> None:
    better = check("baseline", "pass", cell=cell_key(), expected=0.9, actual=0.95, moves=(KEYS,))
    assert [section.kind for section in sections(replace(GREEN, checks=(better,)))] == ["changed"]


def test_an_unmeasured_cell_is_listed_even_if_no_check_speaks_of_it() -> None:
    cell = unmeasured("the slice came out empty", of=cell_key("th"))
    (section,) = sections(replace(GREEN, cells=(*GREEN.cells, cell)))
    assert section.kind == "not measured"
    assert [(f.check.cell, f.check.message) for f in section.findings] == [(str(cell.key), "the slice came out empty")]


def test_a_cell_that_a_check_speaks_of_is_listed_once() -> None:
    cells = [finding.check.cell for finding in sections(NOT_MEASURED)[0].findings]
    assert len(cells) == len(set(cells)) == 2


def test_the_same_reason_for_many_cells_is_one_finding() -> None:
    checks = tuple(check("plan", "not measured", cell=cell_key(f"s{n}"), message="it raised") for n in range(5))
    (section,) = sections(Verdict("NOT_MEASURED", 2, checks, ()))
    assert [(finding.check.cell, finding.more) for finding in section.findings] == [(checks[0].cell, 4)]


@pytest.mark.parametrize(
    "other",
    [
        check("plan", "not measured", cell=cell_key("b"), message="another reason"),
        check("plan", "not measured", cell=cell_key("b"), message="it raised", where="gate.yml:3"),
        check("plan", "not measured", cell=cell_key("b"), message="it raised", level="warn"),
        check("budget", "not measured", cell=cell_key("b"), message="it raised"),
    ],
)
def test_different_reasons_are_different_findings(other: object) -> None:
    first = check("plan", "not measured", cell=cell_key("a"), message="it raised")
    (section,) = sections(Verdict("NOT_MEASURED", 2, (first, other), ()))  # type: ignore[arg-type]
    assert [finding.more for finding in section.findings] == [0, 0]


def test_headlines_count_what_the_verdict_rests_on() -> None:
    assert headline(GREEN) == "all 2 checks passed"
    assert headline(replace(GREEN, checks=GREEN.checks[:1])) == "the one check passed"
    assert headline(replace(GREEN, checks=())) == "nothing was held against a budget, a baseline or a probe"
    assert headline(BUDGET_BROKEN) == "3 failed, 1 passed of 4 checks"
    assert headline(BOTH) == "2 failed, 2 not measured, 2 passed of 6 checks"
    assert headline(WARNED) == "1 only warned, 1 waived, 1 passed of 3 checks"
    assert headline(INTERRUPTED) == "stopped before the end; 2 of 4 cells were measured and are kept"


def test_totals_account_for_every_check_and_every_cell() -> None:
    assert totals(GREEN) == "2 checks: 2 passed; 9 cells: 9 measured"
    assert totals(WARNED) == ("3 checks: 1 passed, 1 only warned, 1 waived; 4 cells: 3 measured, 1 waived")
    assert totals(INTERRUPTED) == "0 checks; 4 cells: 2 measured, 2 not measured"


def test_a_narrowed_run_says_so() -> None:
    assert remarks(replace(GREEN, notes=(), narrowed=("--mode keyword",), out_of_scope=1)) == (
        "narrowed by --mode keyword: these results cannot be accepted as a baseline",
        "1 budget out of scope, left out by flags",
    )


def test_nothing_is_to_be_done_about_a_pass() -> None:
    assert steps(GREEN) == steps(WARNED) == []


def test_a_broken_budget_leads_to_its_lines() -> None:
    rules = "budgets/recall.yml:5, budgets/recall.yml:9, budgets/recall.yml:12"
    assert steps(BUDGET_BROKEN) == [f"Fix the store, or change what is asked of it: {rules}."]


def test_a_loosened_bar_leads_to_the_label_and_the_flag_and_not_to_its_lines() -> None:
    (broken, *_) = [one for one in BUDGET_BROKEN.checks if one.status == "fail"]
    loosened = replace(broken, source="base", where="budgets.yml:3")
    (step,) = steps(replace(BUDGET_BROKEN, checks=(loosened,)))
    assert "gate-accept-loosened" in step
    assert "--accept-loosened" in step
    assert "budgets.yml" not in step
    assert len(steps(replace(BUDGET_BROKEN, checks=(loosened, broken)))) == 2


def test_a_lost_baseline_leads_to_accept() -> None:
    accept = "Where these results are meant, accept them: gate accept 'my results' --reason WHY"
    assert steps(BASELINE_LOST, "my results") == ["Fix the store.", accept]
    assert steps(BASELINE_LOST, "-o")[-1].endswith("gate accept ./-o --reason WHY")


def test_an_absent_baseline_leads_to_accept() -> None:
    absent = check("baseline", "not measured", cell=cell_key(), message="there is no baseline yet")
    assert steps(Verdict("NOT_MEASURED", 2, (absent,), GREEN.cells))[-1].endswith(
        "gate accept gate-results --reason WHY"
    )


def test_a_line_that_is_missing_somewhere_is_shown_to_be_pasted_there() -> None:
    line = '- {beir: "notes", sha256: 1f6c}'
    missing = replace(
        check("plan", "not measured", cell=cell_key(), message="it is not pinned"),
        paste=f"in gate.yml, under `corpora`:\n{line}",
    )
    pinning = Verdict("NOT_MEASURED", 2, (missing,), ())
    assert steps(pinning) == [f"Put this in gate.yml, under `corpora`: {line}"]
    other = check("plan", "not measured", cell=cell_key("th"), message="it raised")
    assert steps(replace(pinning, checks=(missing, other)))[-1].startswith("See to what was not measured")


@pytest.mark.parametrize(
    "unfit",
    [
        replace(BASELINE_LOST, narrowed=("--mode keyword",)),
        replace(BASELINE_LOST, planted="reversed"),
        replace(BASELINE_LOST, cells=(*GREEN.cells, unmeasured("it raised", of=cell_key("th")))),
    ],
)
def test_accept_is_not_advised_where_it_would_refuse(unfit: Verdict) -> None:
    assert not any(step.command for step in next_steps(unfit, "gate-results"))


def test_what_was_allowed_not_to_be_measured_needs_no_step() -> None:
    allowed = check("plan", "not measured", cell=cell_key(), level="warn", message="it raised")
    assert steps(Verdict("REGRESSION", 1, (*BUDGET_BROKEN.checks, allowed), ())) == steps(BUDGET_BROKEN)


def test_an_interrupted_run_lists_what_it_kept() -> None:
    assert kept(INTERRUPTED) == (
        ("reference/seeded@1k/cpu-hash/keyword/none", 2, 2),
        ("reference/seeded@1k/cpu-hash/vector/none", 0, 2),
    )


def test_a_contrast_has_no_unit() -> None:
    cell = cell_key(measure="latency-p95")
    assert unit_of_check(check("budget", "fail", cell=cell)) == "ms"
    assert unit_of_check(check("contrast", "fail", cell=cell)) == ""


def test_what_people_wrote_comes_before_the_baseline_and_each_slice_before_its_other_measures() -> None:
    def lost(part: str, measure: str, actual: float) -> Check:
        return check("baseline", "fail", cell=cell_key(part, measure=measure), expected=1.0, actual=actual)

    checks = (
        lost("th", "R@5", 0.5),
        lost("th", "nDCG@10", 0.6),
        lost("ja", "R@5", 0.8),
        check("budget", "fail", cell=cell_key("ja"), expected=0.9, actual=0.8),
    )
    (section,) = sections(Verdict("REGRESSION", 1, checks, HEALTHY))
    told = [(found.check.source, *found.check.cell.split("/")[2::4]) for found in section.findings]
    assert told == [
        ("budget", "ja", "nDCG@10"),
        ("baseline", "th", "R@5"),
        ("baseline", "ja", "R@5"),
        ("baseline", "th", "nDCG@10"),
    ]
