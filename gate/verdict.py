"""The stage that decides: all checks and all cells in, one verdict and one exit code out. A pure function."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from gate.exit_codes import ExitCode
from gate.records import Cell, Check, Verdict


def failing(check: Check, fail_on: str) -> bool:
    """Whether a check counts against the verdict."""
    return check.level == "error" or (check.level == "warn" and fail_on == "warn")


def decide(
    checks: Sequence[Check],
    cells: Sequence[Cell],
    *,
    fail_on: str = "error",
    not_measured: str = "fail",
    interrupted: bool = False,
    notes: Sequence[str] = (),
    narrowed: Sequence[str] = (),
    out_of_scope: int = 0,
    planted: str = "",
    gated: str | None = None,
) -> Verdict:
    """The verdict. `fail_on` is error, warn or never; `not_measured` is fail or allow.

    With `allow`, what was not measured is demoted to a warning before the ranking, so that a
    regression beside it survives. Where both a regression and something unmeasured remain, the
    code is NOT_MEASURED. A planned cell that was not measured counts, whether or not a check
    speaks of it. Where not a single cell of the store `gated` was measured (of any store, where
    it is None), nothing passes. `fail_on` speaks of
    broken checks alone: `never` makes a REGRESSION exit with 0.
    """
    allowed = not_measured == "allow"
    if allowed:
        checks = [replace(c, level="warn") if c.status == "not measured" and c.level == "error" else c for c in checks]
    if fail_on == "warn":
        checks = [replace(c, level="error") if c.status == "fail" and c.level == "warn" else c for c in checks]
    lost = any(check.status == "fail" and failing(check, fail_on) for check in checks)
    unknown = not allowed and (
        any(check.status == "not measured" and failing(check, fail_on) for check in checks)
        or any(cell.status == "not measured" for cell in cells)
    )
    unknown |= not any(cell.value is not None for cell in cells if gated in (None, cell.key.store))
    if interrupted:
        name, code = "INTERRUPTED", ExitCode.INTERRUPTED
    elif unknown:
        name, code = "NOT_MEASURED", ExitCode.NOT_MEASURED
    elif lost:
        name, code = "REGRESSION", ExitCode.PASS if fail_on == "never" else ExitCode.REGRESSION
    else:
        name, code = "PASS", ExitCode.PASS
    return Verdict(name, int(code), tuple(checks), tuple(cells), tuple(notes), tuple(narrowed), out_of_scope, planted)
