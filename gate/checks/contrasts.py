"""Budgets on the difference or ratio of one measure between two cells."""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet

from gate.budgets import CellIndex, partner_of
from gate.checks.limits import finite, judged
from gate.figures import figures_apart, unit_of
from gate.records import Budgets, Cell, CellKey, Check, Contrast


def contrast_checks(budgets: Budgets, cells: Mapping[CellKey, Cell], planned: AbstractSet[str]) -> list[Check]:
    """One check a contrast, bound and pair of cells. A side without its counterpart is not measured.

    `planned` are the cells of the full plan, as they are written. Those that are not in `cells` flags left out: a pair
    that needs one of them is left out too.
    """
    by_name = {str(key): cell for key, cell in cells.items()}
    found = []
    index = CellIndex(cells)
    for contrast in budgets.contrasts:
        partners = {str(key): key for key in index.matching(contrast.partner)}
        for key in index.matching(contrast.of):
            partner = partner_of(contrast, key)
            partners.pop(partner, None)
            if partner not in by_name and partner in planned:
                continue
            found += _pair(contrast, cells[key], by_name.get(partner), partner)
        for partner_key in partners.values():
            wanted = partner_of(Contrast(contrast.kind, contrast.partner, contrast.of, None, None), partner_key)
            if wanted not in by_name and wanted not in planned:
                found.append(_left_over(contrast, str(partner_key), wanted))
    return found


def _pair(contrast: Contrast, cell: Cell, other: Cell | None, partner: str) -> list[Check]:
    found = []
    for operator, bound in ((">=", contrast.minimum), ("<=", contrast.maximum)):
        if bound is None:
            continue
        combined = _combined(contrast, cell, other, partner)
        unit = unit_of(cell.key.measure)
        status, message = judged(combined, operator, bound, unit if contrast.kind == "difference" else "")
        if combined.value is not None and other is not None:
            sign = "minus" if contrast.kind == "difference" else "over"
            one, two = figures_apart((cell.value, other.value), unit)
            message = f"{message}: {one} {sign} {two} ({partner})"
        found.append(
            Check(
                check_id=f"contrast {cell.key} {contrast.kind} {partner} {operator} {bound:g}",
                source="contrast",
                cell=str(cell.key),
                operator=operator,
                expected=bound,
                actual=combined.value,
                status=status,
                level=contrast.level,
                message=f"{message} ({contrast.reason})" if contrast.reason else message,
                where=contrast.where,
            )
        )
    return found


def _combined(contrast: Contrast, cell: Cell, other: Cell | None, partner: str) -> Cell:
    """The contrast as if it were a cell: waived or unmeasured as soon as one side is."""
    if other is None:
        return Cell(cell.key, "not measured", None, 0, f"the plan has no cell {partner} to compare with")
    waived = next((side for side in (cell, other) if side.status == "waived"), None)
    value, reason = _value(contrast.kind, cell, other)
    if waived is not None:
        return Cell(cell.key, "waived", value, cell.topics, waived.reason)
    return Cell(cell.key, "not measured" if value is None else "measured", value, cell.topics, reason)


def _value(kind: str, cell: Cell, other: Cell) -> tuple[float | None, str]:
    """The difference or ratio, or the reason why there is none."""
    first, second = finite(cell.value), finite(other.value)
    if first is None or second is None:
        side = cell if first is None else other
        return None, f"{side.key}: {side.reason or 'the value is not a finite number'}"
    if kind == "difference":
        return first - second, ""
    value = finite(first / second) if second else None
    return value, "" if value is not None else f"{other.key} is {second:g}, and nothing can be divided by it"


def _left_over(contrast: Contrast, partner: str, wanted: str) -> Check:
    """A cell of the partner's side that no cell of `of` stands beside."""
    return Check(
        check_id=f"contrast {partner} without {wanted}",
        source="contrast",
        cell=partner,
        operator="",
        expected=None,
        actual=None,
        status="not measured",
        level=contrast.level,
        message=f"the plan has no cell {wanted} to compare this one with",
        where=contrast.where,
    )
