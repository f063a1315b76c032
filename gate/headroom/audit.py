"""The audit of a budget file: what could be lost before each budget goes red, and what no budget would notice."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from typing import Any

from gate.exit_codes import ExitCode
from gate.headroom.churn import CellSight, ChurnAudit, Loss, churn_audit
from gate.headroom.compared import Beside
from gate.headroom.measurements import Measurements
from gate.headroom.power import LOSSES, Sight, SlicePower, slice_powers
from gate.headroom.slack import BROKEN, LOOSE, NO_CELL, NOT_MEASURED, CellSlack, RuleSlack, rule_slacks, unguarded
from gate.headroom.slices import Slices
from gate.headroom.waivers import EXPIRED, UNUSED, WaiverState, waiver_states
from gate.records import NO_FAULT, Budgets, CellKey
from gate.stores import CONTROLS

SCHEMA = 1
# Gated by their slice: the two measures of which every slice and mode should have a floor.
MEASURES = ("R@5", "nDCG@10")
# Differences of floats, and powers above all, differ between machines in their last digits.
_DIGITS = 6


@dataclass(frozen=True, slots=True)
class BudgetAudit:
    """All that an audit found. `unbudgeted` are cells of R@5 and nDCG@10 in health; `gated` how many there are.

    `churn` is None where there is no run to hold against the baselines.
    """

    measured: Measurements
    budgets: str
    today: date
    rules: tuple[RuleSlack, ...]
    unbudgeted: tuple[CellKey, ...]
    gated: int
    waivers: tuple[WaiverState, ...]
    slices: tuple[SlicePower, ...]
    churn: ChurnAudit | None = None

    @property
    def flagged(self) -> tuple[RuleSlack, ...]:
        """Rules that a person should look at. One without a cell counts only where all cells are known."""
        bad = {BROKEN, LOOSE, NOT_MEASURED} | (set() if self.measured.partial else {NO_CELL})
        return tuple(rule for rule in self.rules if rule.status in bad)

    @property
    def spent(self) -> tuple[WaiverState, ...]:
        """Waivers that are over, or excuse nothing; the latter only where all cells are known."""
        bad = {EXPIRED} | (set() if self.measured.partial else {UNUSED})
        return tuple(state for state in self.waivers if state.status in bad)

    @property
    def exit_code(self) -> ExitCode:
        """1 where a rule is flagged or a waiver is spent. Cells without a budget and waivers soon over do not."""
        return ExitCode.REGRESSION if self.flagged or self.spent else ExitCode.PASS


def audit_budgets(
    budgets: Budgets, measured: Measurements, slices: Slices, today: date, within: int, beside: Beside | None = None
) -> BudgetAudit:
    """Holds a budget file against the cells. Cells of the controls need no budget.

    `beside` is the run that the cells are from, paired with its baselines.
    """
    rules = rule_slacks(budgets, measured.cells, partial=measured.partial)
    own = {key: cell for key, cell in measured.cells.items() if key.store not in CONTROLS}
    return BudgetAudit(
        measured,
        budgets.path,
        today,
        rules,
        tuple(unguarded(rules, own, MEASURES)),
        sum(key.measure in MEASURES and key.fault == NO_FAULT for key in own),
        waiver_states(budgets.waivers, measured.cells, today, within),
        slice_powers(own, slices),
        churn_audit(beside, measured.cells, _let_go(rules)) if beside is not None else None,
    )


def _let_go(rules: Iterable[RuleSlack]) -> dict[CellKey, int]:
    """The topics that the tightest budget of each cell lets go, of those that guard a loss and fail."""
    found: dict[CellKey, int] = {}
    for rule in rules:
        for one in rule.cells:
            if rule.level == "error" and one.lets_go is not None and one.topics is not None:
                found[one.cell] = min(one.topics, found.get(one.cell, one.topics))
    return found


def as_data(made: BudgetAudit) -> dict[str, Any]:
    """The audit as it is written: plain data that holds to `budget-audit.schema.json`."""
    return {
        "schema": SCHEMA,
        "exit_code": int(made.exit_code),
        "against": {
            "kind": made.measured.kind,
            "place": made.measured.place,
            "commit": made.measured.commit,
            "dirty": made.measured.dirty,
            "partial": made.measured.partial,
        },
        "budgets": made.budgets,
        "today": made.today.isoformat(),
        "notes": list(made.measured.notes),
        "rules": [_rule(rule) for rule in made.rules],
        "unbudgeted": [str(key) for key in made.unbudgeted],
        "gated": made.gated,
        "waivers": [
            {
                "where": state.waiver.where,
                "cell": state.waiver.cell,
                "until": state.waiver.until,
                "reason": state.waiver.reason,
                "status": state.status,
                "days": state.days,
            }
            for state in made.waivers
        ],
        "slices": [_slice(one) for one in made.slices],
        "churn": _churn(made.churn) if made.churn is not None else None,
    }


def _rule(rule: RuleSlack) -> dict[str, Any]:
    return {
        "where": rule.where,
        "kind": rule.kind,
        "cell": rule.cell,
        "partner": rule.partner,
        "min": rule.minimum,
        "max": rule.maximum,
        "level": rule.level,
        "status": rule.status,
        "cells": [_cell(one) for one in rule.cells],
    }


def _cell(one: CellSlack) -> dict[str, Any]:
    return {
        "cell": str(one.cell),
        "operator": one.operator,
        "bound": one.bound,
        "actual": _rounded(one.actual),
        "slack": _rounded(one.slack),
        "slack_topics": one.topics,
        "topics": one.of,
        "status": one.status,
    }


def _slice(one: SlicePower) -> dict[str, Any]:
    return {
        "corpus": one.corpus,
        "slice": one.slice,
        "topics": one.topics,
        "clusters": one.clusters,
        "unit": one.unit,
        "certain": one.certain,
        "collapse": one.collapse,
        "together": _sight(one.together),
        "apart": _sight(one.apart),
    }


def _sight(sight: Sight) -> dict[str, Any]:
    chances = zip(LOSSES, sight.chances, strict=True)
    return {
        "seen": _rounded(sight.seen),
        "chances": [{"loss": loss, "chance": _rounded(chance)} for loss, chance in chances],
    }


def _churn(made: ChurnAudit) -> dict[str, Any]:
    return {
        "baselines": made.place,
        "critical": _rounded(made.critical),
        "judged": made.judged,
        "clusters": made.clusters,
        "cells": [_seen(one) for one in made.cells],
    }


def _seen(one: CellSight) -> dict[str, Any]:
    return {
        "cell": str(one.cell),
        "status": one.status,
        "says": one.says,
        "topics": one.topics,
        "clusters": one.clusters,
        "moved": one.moved,
        "churn": _rounded(one.churn),
        "outcome": one.outcome,
        "cause": one.cause,
        "apart": _loss(one.apart),
        "together": _loss(one.together),
        "lets_go": one.lets_go,
    }


def _loss(loss: Loss) -> dict[str, int | None]:
    return {"half": loss.half, "sure": loss.sure}


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, _DIGITS) + 0.0
