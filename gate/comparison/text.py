"""A comparison on a terminal: the verdict first, then the cells that moved, then the topics with their documents."""

from __future__ import annotations

from collections.abc import Sequence

from gate.comparison.outline import (
    Table,
    detail_tables,
    headline,
    moved_title,
    paired_on,
    remarks,
    tables,
    topics_left,
    values_moved,
)
from gate.comparison.records import Compared, MovedTopic
from gate.figures import count
from gate.records import Verdict
from gate.report.escape import visible
from gate.report.page import DOCUMENTS, Page, write_documents

STYLES = {"PASS": "bold green", "REGRESSION": "bold red"}
_OUTCOMES = {"worse": "bold red", "uncertain": "yellow", "better": "green"}
GAPS = 20


def render_text(
    compared: Compared, *, results: str, width: int = 100, colour: bool = False, every: bool = False
) -> str:
    """The comparison as text. `every` shows the cells in which nothing moved, too, and all that moved elsewhere."""
    page = Page(width, colour)
    verdict_line(page, compared.verdict, headline(compared))
    for side in (compared.a, compared.b):
        page.line((f"{side.name}  {visible(side.place)}  ({visible(side.about)})", ""))
    for line in paired_on(compared):
        page.line((visible(line), ""))
    gaps(page, [f"{gap.subject}: {gap.reason}" for gap in compared.pairing.gaps], every=every)
    for table in (*tables(compared, every_cell=every), *(detail_tables(compared) if every else ())):
        page.blank()
        _table(page, table)
    if compared.moved:
        page.blank()
        page.line((f"Topics that moved ({moved_title(compared)})", "bold"))
        for topic in compared.moved:
            _topic(page, topic, every=every)
        if more := topics_left(compared):
            page.line((f"  {more}", "dim"))
    page.blank()
    for remark in remarks(compared):
        page.paragraph(f"note: {visible(remark)}", hanging=6)
    page.line((f"results: {visible(results)} (see comparison.json, verdict.json, report.md)", ""))
    return page.text()


def verdict_line(page: Page, verdict: Verdict, told: str) -> None:
    style = STYLES.get(verdict.verdict, "bold yellow")
    page.line((verdict.verdict, style), (f"  {told}", ""), (f"  (exit {verdict.exit_code})", "dim"))


def gaps(page: Page, told: Sequence[str], *, every: bool) -> None:
    """What could not be compared."""
    if not told:
        return
    page.blank()
    page.line((f"Not compared ({len(told)})", "bold"))
    shown = told if every else told[:GAPS]
    for line in shown:
        page.paragraph(visible(line), indent=2, hanging=2)
    if len(told) > len(shown):
        page.line((f"  and {len(told) - len(shown)} more: --all shows them", "dim"))


def _table(page: Page, table: Table) -> None:
    page.line((visible(table.title), "bold"))
    if table.rows:
        rows(page, table.head, table.rows, table.numbers, _OUTCOMES)
    if table.left_out:
        others = "more " if table.rows else ""
        page.line((f"{count(table.left_out, f'{others}cell')}: no rank moved", "dim"))


def rows(
    page: Page,
    head: Sequence[str],
    body: Sequence[Sequence[str]],
    numbers: frozenset[int],
    styles: dict[str, str],
) -> None:
    """Lines of columns as wide as their widest entry, never cut; a row is coloured by the first word of an entry."""
    shown = [[visible(entry) for entry in row] for row in body]
    widths = [max(map(len, column)) for column in zip(head, *shown, strict=True)]
    for number, row in enumerate((head, *shown)):
        cells = (
            entry.rjust(width) if at in numbers else entry.ljust(width)
            for at, (entry, width) in enumerate(zip(row, widths, strict=True))
        )
        style = next((styles[word] for entry in row if (word := entry.partition(" ")[0]) in styles), "")
        page.line(("  ".join(cells).rstrip(), style if number else "dim"))


def _topic(page: Page, topic: MovedTopic, *, every: bool) -> None:
    move = topic.move
    place = f"{topic.run.corpus}@{topic.run.tier} {topic.run.mode}"
    page.clipped((f"  {visible(move.topic_id)}  {visible(place)}  ", ""), visible(move.query), "bold")
    page.line((f"      {values_moved(topic)}", ""))
    write_documents(page, move, len(move.moved) + len(move.ahead) if every else DOCUMENTS)
