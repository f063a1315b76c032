"""The report as Markdown, for pull requests and job summaries: the verdict first, details folded away."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from gate.figures import count, duration, figures_apart
from gate.records import Check, TopicMove, Verdict
from gate.report.context import ReportContext
from gate.report.escape import code, fenced, html_code, prose
from gate.report.figure_tables import FigureTable, figure_tables
from gate.report.moves import DocLine, ahead_lines, doc_lines, left_out, value_change
from gate.report.outline import (
    Finding,
    Section,
    expectation,
    headline,
    kept,
    next_steps,
    remarks,
    sections,
    size_of,
    totals,
    unit_of_check,
)

# A comment on GitHub may have 65,536 characters; the rest is room for what is put around a report.
MOST_CHARACTERS = 60_000
QUERIES = 3
DOCUMENTS = 3
NAME = 160
SENTENCE = 300
SNIPPET = 120


@dataclass(frozen=True, slots=True)
class Amount:
    """How much a report shows: rows of a table of findings, findings with details, rows of a table of figures."""

    rows: int
    detailed: int
    figures: int


AMOUNTS = (Amount(rows=20, detailed=8, figures=60), Amount(rows=20, detailed=2, figures=30), Amount(5, 0, 5))


def render_markdown(verdict: Verdict, context: ReportContext) -> str:
    """The report as GitHub-flavoured Markdown, with nothing of a corpus, store or setting taken as markup.

    A report that would be too long for a comment shows less, and says how much it leaves out.
    """
    text = ""
    for amount in AMOUNTS:
        text = "\n".join(_lines(verdict, context, amount)) + "\n"
        if len(text) <= MOST_CHARACTERS:
            break
    return text


def _lines(verdict: Verdict, context: ReportContext, amount: Amount) -> Iterator[str]:
    if verdict.planted:
        yield f"> **A DEFECT WAS PLANTED:** {code(verdict.planted, limit=NAME)}."
        yield "> These results speak of the defect, not of the store."
        yield ""
    yield f"## {verdict.verdict.replace('_', ' ')}: {headline(verdict)} (exit code {verdict.exit_code})"
    found = sections(verdict)
    for section in found:
        if section.kind not in ("changed", "waived"):
            yield from _section(section, amount)
    for step in next_steps(verdict, context.results):
        yield ""
        yield prose(step.says, limit=2 * SENTENCE) + (f" {code(step.command)}" if step.command else "")
    for section in found:
        if section.kind in ("changed", "waived"):
            yield from _folded(f"{section.title}: {size_of(section)}", _section(section, amount, title=False))
    if verdict.verdict == "INTERRUPTED":
        yield from _folded("Kept", _kept(verdict))
    tables = figure_tables(verdict)
    for table in tables[: amount.rows]:
        yield from _folded(f"{table.measure}: {html_code(table.title, limit=NAME)}", _table(table, amount.figures))
    if more := left_out(amount.rows, tables, "table of figures", "tables of figures"):
        yield ""
        yield f"{more}: every cell is in verdict.json"
    notes = remarks(verdict)
    if notes:
        yield ""
        yield from (f"- {prose(remark, limit=SENTENCE)}" for remark in notes[: amount.rows])
        if more := left_out(amount.rows, notes, "note in verdict.json", "notes in verdict.json"):
            yield f"- {more}"
    took = f"; {duration(context.seconds)}" if context.seconds is not None else ""
    yield ""
    yield f"{totals(verdict)}{took}. Results: {code(context.results, limit=NAME)}, every query in `verdict.json`."


def _section(section: Section, amount: Amount, *, title: bool = True) -> Iterator[str]:
    if title:
        yield ""
        yield f"### {section.title} ({size_of(section)})"
    yield ""
    yield "| from | cell | actual | expected | asked for by |"
    yield "| --- | --- | ---: | ---: | --- |"
    for finding in section.findings[: amount.rows]:
        yield _row(finding)
    if more := left_out(amount.rows, section.findings, "of these in verdict.json"):
        yield ""
        yield more
    detailed = [finding for finding in section.findings[: amount.rows] if finding.check.message or finding.check.moves]
    for finding in detailed[: amount.detailed]:
        yield from _details(finding.check)
    if more := left_out(amount.detailed, detailed, "with details in verdict.json"):
        yield ""
        yield more


def _row(finding: Finding) -> str:
    check = finding.check
    actual, expected = figures_apart((check.actual, check.expected), unit_of_check(check))
    if check.actual is None and check.status != "not measured":
        actual = ""
    more = f" and {count(finding.more, 'more cell')}" if finding.more else ""
    where = code(check.where, limit=NAME, table=True) if check.where else ""
    # A check of the base as a whole, say, speaks of no cell.
    cell = code(check.cell, limit=NAME, table=True) if check.cell else ""
    return f"| {check.source} | {cell}{more} | {actual} | {expectation(check, expected)} | {where} |"


def _details(check: Check) -> Iterator[str]:
    if not check.moves:
        yield ""
        yield f"{code(check.cell or check.source, limit=NAME)}: {prose(check.message, limit=SENTENCE)}"
        if check.show:
            yield ""
            yield from fenced(check.show, "python")
        return
    queries = count(len(check.moves), "query", "queries")
    yield from _folded(f"{queries} in {html_code(check.cell or check.source, limit=NAME)}", _moves(check))


def _moves(check: Check) -> Iterator[str]:
    unit = unit_of_check(check)
    if check.message:
        yield prose(check.message, limit=SENTENCE)
        yield ""
    for move in check.moves[:QUERIES]:
        yield from _move(move, unit)
    if more := left_out(QUERIES, check.moves, "query in verdict.json", "queries in verdict.json"):
        yield f"- {more}"


def _move(move: TopicMove, unit: str) -> Iterator[str]:
    change = value_change(move, unit).replace("->", "→")
    yield f"- {code(move.query, limit=SNIPPET)} ({code(move.topic_id, limit=NAME)}): {change}"
    docs, ahead = doc_lines(move), ahead_lines(move)
    for line in (*docs[:DOCUMENTS], *ahead[:DOCUMENTS]):
        yield f"  - {_document(line)}"
    rest = [left_out(DOCUMENTS, docs, "document", "documents"), left_out(DOCUMENTS, ahead, "ahead")]
    if any(rest):
        yield f"  - {', '.join(part for part in rest if part)}"


def _document(line: DocLine) -> str:
    about = f" ({prose(line.about, limit=NAME)})" if line.about else ""
    text = f": {code(line.text, limit=SNIPPET)}" if line.text else ""
    return f"{line.what}, {line.ranks.replace('->', '→')}, {code(line.doc_id, limit=NAME)}{about}{text}"


def _kept(verdict: Verdict) -> Iterator[str]:
    for name, measured, planned in kept(verdict):
        yield f"- {code(name, limit=NAME)}: {measured} of {count(planned, 'cell')}"


def _table(table: FigureTable, most: int) -> Iterator[str]:
    yield f"| slice | {' | '.join(code(mode, table=True) for mode in table.modes)} |"
    yield f"| --- |{' ---: |' * len(table.modes)}"
    for name, figures in table.rows[:most]:
        yield f"| {code(name, limit=NAME, table=True)} | {' | '.join(figures)} |"
    if more := left_out(most, table.rows, "slice in verdict.json", "slices in verdict.json"):
        yield ""
        yield more


def _folded(summary: str, lines: Iterator[str]) -> Iterator[str]:
    """Folded lines. The blank line after the summary makes GitHub read them as Markdown; `summary` is HTML."""
    yield ""
    yield f"<details><summary>{summary}</summary>"
    yield ""
    yield from lines
    yield ""
    yield "</details>"
