"""What probes found in a store, as text and as JSON: the answer of `gate store check`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from gate.exit_codes import ExitCode
from gate.figures import count
from gate.probes.plan import key_of
from gate.probes.probe import NO_MODE
from gate.records import Check
from gate.report.escape import disarmed, shown_line, visible

SCHEMA = 1
_LABELS = {"fail": "FAIL", "not measured": "NOT MEASURED"}


@dataclass(frozen=True, slots=True)
class StoreChecked:
    """All that was looked at in a store, over its arms. `notes` are for the reader; `stopped` names a signal."""

    store: str
    checks: tuple[Check, ...]
    notes: tuple[str, ...]
    stopped: str = ""

    @property
    def exit_code(self) -> ExitCode:
        statuses = {check.status for check in self.checks}
        if self.stopped:
            return ExitCode.INTERRUPTED
        if "not measured" in statuses or not statuses:
            return ExitCode.NOT_MEASURED
        return ExitCode.REGRESSION if "fail" in statuses else ExitCode.PASS


def checked_json(checked: StoreChecked) -> dict[str, Any]:
    """Plain data that holds to `store-check.schema.json`."""
    return {
        "schema": SCHEMA,
        "exit_code": int(checked.exit_code),
        "store": checked.store,
        "checks": [
            {"cell": check.cell, "status": check.status, "message": check.message, "show": list(check.show)}
            for check in checked.checks
        ],
        "notes": list(checked.notes),
    }


def checked_text(checked: StoreChecked) -> str:
    """The verdict, what was found with the lines that show it, and one line a probe."""
    lines = [_headline(checked)]
    found = [check for check in checked.checks if check.status != "pass"]
    for (status, message), same in _alike(found):
        first = same[0]
        lines += ["", f"{_LABELS[status]}  {visible(first.cell)}{_more(same)}", f"  {visible(message)}"]
        lines += [f"    {shown_line(line)}" for line in first.show]
    lines.append("")
    lines += _table(checked.checks)
    lines += [f"note: {visible(note)}" for note in checked.notes]
    return disarmed("\n".join(lines)) + "\n"


def _headline(checked: StoreChecked) -> str:
    code = checked.exit_code
    counted = [
        (sum(check.status == status for check in checked.checks), word)
        for status, word in (("fail", "failed"), ("not measured", "not measured"), ("pass", "passed"))
    ]
    told = ", ".join(f"{number} {word}" for number, word in counted if number) or "nothing was looked at"
    looks = f" of {count(len(checked.checks), 'look')}" if checked.checks else ""
    return f"{code.name}  {visible(checked.store)}: {told}{looks}  (exit {int(code)})"


def _alike(checks: Iterable[Check]) -> list[tuple[tuple[str, str], list[Check]]]:
    """Checks that say the very same, in the order of the first of them."""
    groups: dict[tuple[str, str], list[Check]] = {}
    for check in checks:
        groups.setdefault((check.status, check.message), []).append(check)
    return list(groups.items())


def _more(same: Sequence[Check]) -> str:
    return f" and {count(len(same) - 1, 'more look')}" if len(same) > 1 else ""


def _table(checks: Sequence[Check]) -> list[str]:
    """A line a probe and arm: in which modes it passed, and in which it did not."""
    rows = []
    for (arm, family, name), own in groupby(checks, key=_probe):
        told: dict[str, list[str]] = {}
        for check in own:
            told.setdefault(check.status, []).append(key_of(check.cell).mode)
        states = [f"{status}{_in(told[status])}" for status in ("fail", "not measured", "pass") if status in told]
        rows.append((arm, family, name, "; ".join(states)))
    widths = [max((len(row[at]) for row in rows), default=0) for at in range(3)]
    several = len({row[0] for row in rows}) > 1
    return [
        "  ".join(f"{cell:<{width}}" for cell, width in list(zip(row[:3], widths, strict=True))[0 if several else 1 :])
        + f"  {row[3]}"
        for row in rows
    ]


def _probe(check: Check) -> tuple[str, str, str]:
    key = key_of(check.cell)
    return key.arm, key.slice, key.measure


def _in(modes: Sequence[str]) -> str:
    return "" if list(modes) == [NO_MODE] else f" ({', '.join(modes)})"
