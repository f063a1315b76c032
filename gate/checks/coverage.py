"""Nothing vanishes: what was asked for and not measured, and rules that speak of nothing."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from datetime import date
from fnmatch import fnmatchcase

from gate.budgets import PARTS, index_of, matching
from gate.figures import count
from gate.files import nearest
from gate.records import NO_FAULT, Budgets, Cell, CellKey, Check, Run, RunKey

DEAD_BUDGET = "dead budget"


def finding(
    check_id: str, message: str, *, status: str = "not measured", level: str = "error", cell: str = "", where: str = ""
) -> Check:
    """A check that compares no figures."""
    return Check(check_id, "plan", cell, "", None, None, status, level, message, where)


def waived_runs(cells: Collection[Cell]) -> dict[str, str]:
    """The runs of which every cell is waived, with the reason of the first."""
    reasons: dict[RunKey, str] = {}
    for cell in cells:
        if cell.status == "waived":
            reasons.setdefault(cell.key.run, cell.reason)
    for cell in cells if reasons else ():
        if cell.status != "waived":
            reasons.pop(cell.key.run, None)
    return {str(run): reason for run, reason in reasons.items()}


def run_checks(runs: Iterable[Run], cells: Collection[Cell] = ()) -> list[Check]:
    """A run that could not be made, one that was noisy, and hits past the depth asked for.

    Where every one of a run's `cells` is waived, so is what can be said of the run.
    """
    excused = waived_runs(cells)
    found = []
    for run in runs:
        name = str(run.key)
        reason = excused.get(name, "")
        waived = f", waived: {reason}" if reason else ""
        status = "waived" if waived else "not measured"
        if run.failure:
            found.append(finding(f"run {name}", f"not measured: {run.failure}{waived}", status=status, cell=name))
            continue
        if run.repeats_moved and not run.repeats:
            topics = len(run.repeats_moved)
            found.append(
                finding(
                    f"noisy {name}",
                    f"ranks move when the same question is asked again ({topics} topic{'s' * (topics != 1)},"
                    f" {run.repeats_moved[0]} first), so one measurement tells nothing;"
                    f" find what it is, or declare `noisy: true`{waived}",
                    status=status,
                    cell=name,
                )
            )
        surplus = sum(result.surplus > 0 for result in run.results.values())
        if surplus:
            found.append(
                finding(
                    f"depth {name}",
                    f"{surplus} search{'es' * (surplus != 1)} returned more hits than were asked for;"
                    " the rest was cut off",
                    status="fail",
                    level="warn",
                    cell=name,
                )
            )
    return found


def required_checks(required: Sequence[str], planned: Collection[CellKey], full: Collection[CellKey]) -> list[Check]:
    """`require:` entries that no planned cell answers. What flags left out is no finding."""
    return [
        finding(f"require {glob}", f"'{glob}' has to be measured, and the plan has no such cell", cell=glob)
        for glob in required
        if not matching(glob, planned) and not matching(glob, full)
    ]


def dead_budgets(budgets: Budgets, full: Collection[CellKey]) -> list[Check]:
    """Budgets that match no cell of the full plan: a renamed mode, a slice that is gone, a typing error."""
    found = []
    rules = [(limit.cell, limit.level, limit.where) for limit in budgets.limits]
    for contrast in budgets.contrasts:
        rules += [(side, contrast.level, contrast.where) for side in (contrast.of, contrast.partner)]
    index = index_of(frozenset(full))
    for glob, level, where in rules:
        if not index.has(glob):
            found.append(
                finding(
                    f"{DEAD_BUDGET} {where} {glob}",
                    f"this budget matches no cell of the plan: {glob}{_strange_part(glob, full)}",
                    level=level,
                    cell=glob,
                    where=where,
                )
            )
    return found


def _strange_part(glob: str, full: Collection[CellKey]) -> str:
    """The first part of a glob that no cell of the plan has, with the nearest that one has."""
    for place, (name, part) in enumerate(zip(PARTS, glob.split("/"), strict=True)):
        known = sorted({str(key).split("/")[place] for key in full})
        if known and not any(fnmatchcase(one, part) for one in known):
            return f"; no cell has the {name} '{part}' ({nearest(part, known)})"
    return ""


def stray_checks(runs: Iterable[Run], stored: Collection[str]) -> list[Check]:
    """Searches that found nothing at all, or documents that nobody stored: a broken driver, not a bad ranking."""
    found = []
    for run in runs:
        if run.failure or not run.results:
            continue
        name = str(run.key)
        returned = {doc_id for result in run.results.values() for doc_id in result.doc_ids}
        if not returned and run.key.fault == NO_FAULT:
            message = f"no search found anything, on any of {count(len(run.results), 'topic')}"
            found.append(finding(f"empty {name}", message, status="fail", cell=name))
        strays = returned.difference(stored)
        if strays:
            message = f"{count(len(strays), 'id')} came back that nobody stored, '{min(strays)}' for one"
            found.append(finding(f"stray {name}", message, status="fail", cell=name))
    return found


def waiver_checks(budgets: Budgets, full: Collection[CellKey], today: date) -> list[Check]:
    """Waivers that have run out, and waivers that excuse nothing."""
    found = []
    for waiver in budgets.waivers:
        if date.fromisoformat(waiver.until) < today:
            found.append(
                finding(
                    f"waiver {waiver.where}",
                    f"this waiver ran out on {waiver.until} and excuses nothing any more: {waiver.cell}",
                    status="fail",
                    level="warn",
                    cell=waiver.cell,
                    where=waiver.where,
                )
            )
        elif not matching(waiver.cell, full):
            found.append(
                finding(
                    f"waiver {waiver.where}",
                    f"this waiver is unused, it matches no cell of the plan: {waiver.cell}",
                    status="fail",
                    level="warn",
                    cell=waiver.cell,
                    where=waiver.where,
                )
            )
    return found
