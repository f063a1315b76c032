"""What every report for people says, and in which order: the verdict, then what failed, then what changed.

The views only lay it out, so that a terminal and a pull request never tell two stories.
"""

from __future__ import annotations

import math
import shlex
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from gate.figures import count, unit_of
from gate.records import Cell, Check, Verdict

OPERATORS = {">=": "at least", "<=": "at most", "==": "exactly", "": ""}


@dataclass(frozen=True, slots=True)
class Finding:
    """A check worth showing, and the number of further cells of which the very same is said."""

    check: Check
    more: int = 0


@dataclass(frozen=True, slots=True)
class Section:
    """Findings of one kind: `failed`, `not measured`, `warning`, `changed` or `waived`."""

    kind: str
    title: str
    findings: tuple[Finding, ...]


def size_of(section: Section) -> str:
    """How much a section holds: a number, and where cells without a check of their own stand beside checks, both."""
    cells = sum(1 + finding.more for finding in section.findings if not finding.check.check_id)
    checks = sum(1 + finding.more for finding in section.findings) - cells
    if not cells:
        return str(checks)
    return f"{count(checks, 'check')}, {count(cells, 'cell')}" if checks else count(cells, "cell")


@dataclass(frozen=True, slots=True)
class Step:
    """What a reader can do next. `command` may be empty; text and command are unescaped."""

    says: str
    command: str = ""


def headline(verdict: Verdict) -> str:
    """What the verdict rests on, in one line, without the verdict's name."""
    if verdict.verdict == "INTERRUPTED":
        measured = sum(cell.status == "measured" for cell in verdict.cells)
        return f"stopped before the end; {measured} of {count(len(verdict.cells), 'cell')} were measured and are kept"
    if not verdict.checks:
        return "nothing was held against a budget, a baseline or a probe"
    rest = _listed(_not_passed(verdict))
    passed = sum(check.status == "pass" for check in verdict.checks)
    total = len(verdict.checks)
    if not rest:
        return "the one check passed" if total == 1 else f"all {total} checks passed"
    return f"{rest}, {passed} passed of {count(total, 'check')}"


def failed(checks: Iterable[Check]) -> list[Check]:
    return [check for check in checks if check.status == "fail" and check.level == "error"]


def sections(verdict: Verdict) -> tuple[Section, ...]:
    """All that failed or changed, the worst first; empty sections are left out."""
    checks = verdict.checks
    unmeasured = [check for check in checks if _is_unmeasured(check)]
    kinds = (
        ("failed", "Failed", _worst_first(failed(checks))),
        ("not measured", "Not measured", [*unmeasured, *_unspoken(verdict)]),
        ("warning", "Warnings", [check for check in checks if _is_warning(check)]),
        ("changed", "Changed, and allowed", _worst_first([c for c in checks if c.status == "pass" and c.moves])),
        ("waived", "Waived", [check for check in checks if check.status == "waived"]),
    )
    return tuple(Section(kind, title, _merged(found)) for kind, title, found in kinds if found)


def _worst_first(checks: Sequence[Check]) -> list[Check]:
    """What people wrote before what was measured once; then, of each run and slice, the largest loss before its others.

    One fault breaks several measures of a slice, and the slice of one corpus must not hide that of another.
    """
    told: Counter[str] = Counter()
    keys = {}
    for check in sorted(checks, key=lambda check: -_loss(check)):
        of_slice = check.cell.rpartition("/")[0]
        if check.source == "baseline" and check.cell:
            keys[id(check)] = (1, told[of_slice], -_loss(check))
            told[of_slice] += 1
        else:
            keys[id(check)] = (0, 0, 0.0)
    return sorted(checks, key=lambda check: keys[id(check)])


def _loss(check: Check) -> float:
    """How much worse a cell got than its baseline: a leak more than anything else."""
    if check.source != "baseline" or check.actual is None:
        return 0.0
    if check.expected is None:
        return math.inf
    return abs(check.expected - check.actual)


def _is_unmeasured(check: Check) -> bool:
    return check.status == "not measured"


def _is_warning(check: Check) -> bool:
    return check.status == "fail" and check.level != "error"


def _unspoken(verdict: Verdict) -> list[Check]:
    """Cells without a value of which no check speaks: nothing vanishes."""
    spoken = {check.cell for check in verdict.checks if _is_unmeasured(check)}
    return [
        Check("", "plan", str(cell.key), "", None, None, cell.status, "error", cell.reason)
        for cell in verdict.cells
        if cell.status == "not measured" and str(cell.key) not in spoken
    ]


def _merged(checks: Sequence[Check]) -> tuple[Finding, ...]:
    """Checks that say the very same of several cells, with no figures or moves of their own, become one."""
    places: dict[tuple[str, ...], int] = {}
    found: list[Finding] = []
    for check in checks:
        same = (check.source, check.status, check.level, check.message, check.where)
        if check.moves or check.actual is not None or not check.message:
            found.append(Finding(check))
        elif same in places:
            at = places[same]
            found[at] = replace(found[at], more=found[at].more + 1)
        else:
            places[same] = len(found)
            found.append(Finding(check))
    return tuple(found)


def expectation(check: Check, expected: str) -> str:
    """`at least 0.900`, `was 0.900` of a baseline, or nothing where the check has no number to hold against."""
    if check.source == "baseline" and check.expected is not None:
        return f"was {expected}"
    return f"{OPERATORS[check.operator]} {expected}".strip() if check.expected is not None else ""


def unit_of_check(check: Check) -> str:
    """The unit of both its figures; a contrast may be a ratio, so it has none."""
    return "" if check.source == "contrast" else unit_of(check.cell.rpartition("/")[2])


def totals(verdict: Verdict) -> str:
    """One line that accounts for every check and every cell."""
    passed = sum(check.status == "pass" for check in verdict.checks)
    checks = _listed([(passed, "passed"), *_not_passed(verdict)])
    statuses = ("measured", "not measured", "waived")
    cells = _listed([(sum(cell.status == status for cell in verdict.cells), status) for status in statuses])
    return "; ".join(
        f"{count(len(items), noun)}{': ' if parts else ''}{parts}"
        for items, noun, parts in ((verdict.checks, "check", checks), (verdict.cells, "cell", cells))
    )


def _not_passed(verdict: Verdict) -> list[tuple[int, str]]:
    return [
        (len(failed(verdict.checks)), "failed"),
        (sum(_is_unmeasured(check) for check in verdict.checks), "not measured"),
        (sum(_is_warning(check) for check in verdict.checks), "only warned"),
        (sum(check.status == "waived" for check in verdict.checks), "waived"),
    ]


def _listed(numbers: Iterable[tuple[int, str]]) -> str:
    return ", ".join(f"{number} {word}" for number, word in numbers if number)


def remarks(verdict: Verdict) -> tuple[str, ...]:
    """What a reader must know whatever the outcome, unescaped."""
    lines = list(verdict.notes)
    if verdict.narrowed:
        lines.append(f"narrowed by {', '.join(verdict.narrowed)}: these results cannot be accepted as a baseline")
    if verdict.out_of_scope:
        lines.append(f"{count(verdict.out_of_scope, 'budget')} out of scope, left out by flags")
    return tuple(lines)


def next_steps(verdict: Verdict, results: str) -> tuple[Step, ...]:
    """What to do about a verdict that is not PASS; nothing after a PASS."""
    if verdict.verdict == "PASS":
        return ()
    if verdict.verdict == "INTERRUPTED":
        return (Step("Run the same command again: a verdict needs every cell."),)
    steps = []
    bad = failed(verdict.checks) or [check for check in verdict.checks if _is_warning(check)]
    if any(check.source == "base" and check.status == "fail" for check in bad):
        steps.append(
            Step(
                "Where the bar is meant to be lower, put the label gate-accept-loosened on the pull request,"
                " or run with --accept-loosened."
            )
        )
    bad = [check for check in bad if check.source != "base"]
    rules = list(dict.fromkeys(check.where for check in bad if check.source != "baseline" and check.where))
    if rules:
        more = f" and {len(rules) - 3} more" if len(rules) > 3 else ""
        steps.append(Step(f"Fix the store, or change what is asked of it: {', '.join(rules[:3])}{more}."))
    elif bad:
        steps.append(Step("Fix the store."))
    unmeasured = [check for check in verdict.checks if _is_unmeasured(check) and check.level == "error"]
    pasted = [check.paste.partition("\n") for check in unmeasured if check.paste]
    steps += [Step(f"Put this {place}", line) for place, _, line in pasted]
    if len(unmeasured) > len(pasted):
        steps.append(Step("See to what was not measured first: a verdict needs it."))
    if any(check.source == "baseline" for check in (*bad, *unmeasured)):
        steps.append(_accepting(verdict, results))
    return tuple(steps)


def _accepting(verdict: Verdict, results: str) -> Step:
    """How these results become the baseline, or why they cannot."""
    if verdict.planted:
        return Step("These results cannot become a baseline: a defect was planted.")
    if verdict.narrowed:
        return Step("Where these results are meant, run again without the flags that narrow, then gate accept.")
    if any(cell.status == "not measured" for cell in verdict.cells):
        return Step("Where these results are meant, gate accept takes them once every cell is measured.")
    # A path that starts with a dash would be read as an option.
    path = f"./{results}" if results.startswith("-") else results
    return Step("Where these results are meant, accept them:", f"gate accept {shlex.quote(path)} --reason WHY")


def kept(verdict: Verdict) -> tuple[tuple[str, int, int], ...]:
    """For an interrupted run: each run's name, its measured cells and its planned cells, in the order of the plan."""
    runs: dict[str, list[Cell]] = {}
    for cell in verdict.cells:
        runs.setdefault(str(cell.key.run), []).append(cell)
    return tuple((name, sum(c.status == "measured" for c in cells), len(cells)) for name, cells in runs.items())
