"""A proof on a terminal: what escaped first, then the kill matrix, then what a weaker dose hides."""

from __future__ import annotations

from collections.abc import Iterable

from gate.figures import duration
from gate.prove.false_alarms import Alarms
from gate.prove.outline import (
    HEAD,
    NUMBERS,
    alarms_headline,
    escapes,
    false_alarms,
    headline,
    matrix,
    others,
    planted_in,
    unjudged,
    weaker,
)
from gate.prove.records import Proof, Row
from gate.report.context import ReportContext
from gate.report.escape import visible
from gate.report.page import Page

_STYLES = {0: ("PASS", "bold green"), 1: ("NOT PROVEN", "bold red"), 2: ("NOT SHOWN", "bold yellow")}
_INTERRUPTED = ("INTERRUPTED", "bold yellow")


def render_text(proof: Proof, context: ReportContext) -> str:
    """The proof as text of `context.width` columns, with ANSI escapes only if `context.colour`."""
    page = Page(context.width, context.colour)
    code = int(proof.exit_code)
    word, style = _STYLES.get(code, _INTERRUPTED)
    page.line((word, style), (f"  {headline(proof)}", ""), (f"  (exit {code})", "dim"))
    for row, told in escapes(proof):
        page.blank()
        page.line((f"ESCAPED  {row.defect.name}", "bold red"), (f"  ({row.defect.family})", ""))
        for line in told:
            page.paragraph(visible(line), indent=2, hanging=2)
    _section(page, "FALSE ALARMS", false_alarms(proof))
    _section(page, "NOT JUDGED", unjudged(proof))
    rows = matrix(proof)
    if rows:
        page.blank()
        page.line(("Red checks at the full dose, by what they come from", "bold"))
        _table(page, (HEAD, *rows))
    _section(page, "At weaker doses", weaker(proof))
    _section(page, "Not shown here", others(proof))
    page.blank()
    for note in proof.notes:
        page.paragraph(f"note: {visible(note)}", hanging=6)
    page.paragraph(f"planted in {visible(planted_in(proof))}{_took(context)}", hanging=2)
    page.line((f"results: {visible(context.results)} (see proof.json, proof.md)", ""))
    return page.text()


def render_alarms(alarms: Alarms, context: ReportContext) -> str:
    """The false alarms as text."""
    page = Page(context.width, context.colour)
    code = int(alarms.exit_code)
    word, style = {1: ("FALSE ALARMS", "bold red"), 2: ("NOT MEASURED", "bold yellow")}.get(
        code, _STYLES[0] if code == 0 else _INTERRUPTED
    )
    page.line((word, style), (f"  {alarms_headline(alarms)}", ""), (f"  (exit {code})", "dim"))
    for run in (*alarms.red, *alarms.broken):
        said = f"{run.change}, hash seed {run.seed}: exit {run.exit_code}, {run.said}"
        page.paragraph(visible(said), indent=2, hanging=2)
    page.line((f"results: {visible(context.results)} (see proof.json, proof.md){_took(context)}", ""))
    return page.text()


def _took(context: ReportContext) -> str:
    return f"; {duration(context.seconds)}" if context.seconds is not None else ""


def _section(page: Page, title: str, told: Iterable[tuple[Row, str]]) -> None:
    lines = list(told)
    if not lines:
        return
    page.blank()
    page.line((title, "bold"))
    for row, says in lines:
        page.paragraph(f"{row.defect.name} {visible(says)}", indent=2, hanging=2)


def _table(page: Page, rows: Iterable[tuple[str, ...]]) -> None:
    listed = list(rows)
    widths = [max(map(len, column)) for column in zip(*listed, strict=True)]
    for row in listed:
        cells = (
            cell.rjust(width) if at in NUMBERS else cell.ljust(width)
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        page.line((("  " + "  ".join(cells)).rstrip(), ""))
