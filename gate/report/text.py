"""The report on a terminal: the verdict first, then only what failed or changed, then what to do.

The main figures follow where nothing failed: a run without a baseline is somebody's first look.
"""

from __future__ import annotations

from gate.figures import count, duration, figures_apart
from gate.records import Check, TopicMove, Verdict
from gate.report.context import ReportContext
from gate.report.escape import shown_line, visible
from gate.report.figure_tables import FigureTable, figure_tables
from gate.report.moves import left_out, value_change
from gate.report.outline import (
    Finding,
    Section,
    expectation,
    failed,
    headline,
    kept,
    next_steps,
    remarks,
    sections,
    size_of,
    totals,
    unit_of_check,
)
from gate.report.page import Page, write_documents

FINDINGS = 20
CHANGES = 5
QUERIES = 3
SLICES = 12
_VERDICT_STYLES = {"PASS": "bold green", "REGRESSION": "bold red"}
_LABELS = {
    "failed": ("FAIL", "bold red"),
    "not measured": ("NOT MEASURED", "bold yellow"),
    "warning": ("WARN", "yellow"),
    "changed": ("CHANGED", "cyan"),
    "waived": ("WAIVED", "dim"),
}


def render_text(verdict: Verdict, context: ReportContext) -> str:
    """The report as text of `context.width` columns, with ANSI escapes only if `context.colour`.

    Names and paths are never cut or broken, so that they can be copied; texts of the corpus are.
    """
    page = Page(context.width, context.colour)
    if verdict.planted:
        page.line((f"A DEFECT WAS PLANTED: {visible(verdict.planted)}", "bold reverse red"))
        page.paragraph("These results speak of the defect, not of the store.")
    style = _VERDICT_STYLES.get(verdict.verdict, "bold yellow")
    page.line((f"{verdict.verdict}", style), (f"  {headline(verdict)}", ""), (f"  (exit {verdict.exit_code})", "dim"))
    for section in sections(verdict):
        if section.kind != "waived":
            _section(page, section)
    if verdict.verdict == "INTERRUPTED":
        _kept(page, verdict)
    if verdict.verdict != "INTERRUPTED" and not failed(verdict.checks):
        for table in figure_tables(verdict):
            page.blank()
            _table(page, table)
    page.blank()
    for remark in remarks(verdict):
        page.paragraph(f"note: {visible(remark)}", hanging=6)
    took = f"; {duration(context.seconds)}" if context.seconds is not None else ""
    page.paragraph(totals(verdict) + took, hanging=2)
    page.line((f"results: {visible(context.results)} (see verdict.json, report.md, store.log)", ""))
    for step in next_steps(verdict, context.results):
        page.paragraph(f"next: {visible(step.says)}", hanging=6)
        if step.command:
            page.line((f"      {visible(step.command)}", "bold"))
    return page.text()


def _section(page: Page, section: Section) -> None:
    page.blank()
    page.line((f"{section.title} ({size_of(section)})", "bold"))
    most = CHANGES if section.kind == "changed" else FINDINGS
    for finding in section.findings[:most]:
        _finding(page, finding, *_LABELS[section.kind])
    if more := left_out(most, section.findings, "of these in verdict.json"):
        page.line((f"  {more}", "dim"))


def _finding(page: Page, finding: Finding, label: str, style: str) -> None:
    check = finding.check
    more = f" and {count(finding.more, 'more cell')}" if finding.more else ""
    page.line(("  ", ""), (label, style), (f" {check.source}  {visible(check.cell)}{more}", ""))
    if figures := _figures(check):
        page.line((f"    {figures}", ""))
    if check.where:
        page.line((f"    {'in' if check.source == 'base' else 'asked for by'} {visible(check.where)}", "dim"))
    if check.message:
        page.paragraph(visible(check.message), indent=4)
    for line in check.show:
        page.line((f"      {shown_line(line)}", "dim"))
    for move in check.moves[:QUERIES]:
        _move(page, move, unit_of_check(check))
    if queries := left_out(QUERIES, check.moves, "query in verdict.json", "queries in verdict.json"):
        page.line((f"    {queries}", "dim"))


def _figures(check: Check) -> str:
    if check.actual is None and check.expected is None:
        return ""
    actual, expected = figures_apart((check.actual, check.expected), unit_of_check(check))
    asked = expectation(check, expected)
    if check.source == "baseline":
        return f"{actual}, {asked}" if asked else actual
    return f"{actual}, expected {asked}" if asked else actual


def _move(page: Page, move: TopicMove, unit: str) -> None:
    """One topic; its documents only where they are not told above, since one fault breaks many checks alike."""
    if page.told.get(move.topic_id) == _documents(move):
        page.line((f"    query {visible(move.topic_id)}  {value_change(move, unit)}  as above", "dim"))
        return
    page.told[move.topic_id] = _documents(move)
    page.clipped((f"    query {visible(move.topic_id)}  {value_change(move, unit)}  ", ""), visible(move.query), "bold")
    write_documents(page, move)


def _documents(move: TopicMove) -> frozenset[str]:
    return frozenset(doc.doc_id for doc in move.moved)


def _kept(page: Page, verdict: Verdict) -> None:
    page.blank()
    page.line(("Kept", "bold"))
    for name, measured, planned in kept(verdict):
        page.line((f"  {visible(name)}  {measured} of {count(planned, 'cell')}", "" if measured else "dim"))


def _table(page: Page, table: FigureTable) -> None:
    from rich.table import Table
    from rich.text import Text

    page.line((f"{table.measure}  {visible(table.title)}", "bold"))
    grid = Table(box=None, pad_edge=False, show_edge=False, header_style="dim")
    grid.add_column(Text("slice"), no_wrap=True)
    for mode in table.modes:
        grid.add_column(Text(visible(mode)), justify="right", no_wrap=True)
    shown = table.weakest(SLICES)
    for name, figures in shown:
        grid.add_row(Text(visible(name)), *(Text(figure) for figure in figures))
    page.console.print(grid)
    if len(shown) < len(table.rows):
        page.line((f"the weakest of {len(table.rows)} slices; all are in report.md", "dim"))
