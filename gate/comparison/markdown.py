"""A comparison as Markdown, for pull requests: the verdict first, topics folded away."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

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
from gate.report.escape import code, prose
from gate.report.moves import ahead_lines, doc_lines, left_out

NAME = 160
SNIPPET = 120
SENTENCE = 400
ROWS = 100
DOCUMENTS = 3


def render_markdown(compared: Compared, *, results: str, every: bool = False) -> str:
    """GitHub-flavoured Markdown, with nothing of a corpus, store or file name taken as markup."""
    return "\n".join(_lines(compared, results, every=every)) + "\n"


def title(verdict: Verdict, told: str) -> str:
    return f"## {verdict.verdict.replace('_', ' ')}: {told} (exit code {verdict.exit_code})"


def _lines(compared: Compared, results: str, *, every: bool) -> Iterator[str]:
    yield title(compared.verdict, headline(compared))
    yield ""
    for side in (compared.a, compared.b):
        yield f"- {side.name}: {code(side.place, limit=NAME)} ({prose(side.about, limit=NAME)})"
    yield from (f"- {prose(line, limit=SENTENCE)}" for line in paired_on(compared))
    yield from gaps([f"{gap.subject}: {gap.reason}" for gap in compared.pairing.gaps], every=every)
    for table in tables(compared, every_cell=every):
        yield from _table(table, every=every)
    for table in detail_tables(compared) if every else ():
        yield from _table(table, every=every)
    if compared.moved:
        yield ""
        yield f"<details><summary>Topics that moved: {moved_title(compared)}</summary>"
        yield ""
        for topic in compared.moved:
            yield from _topic(topic, every=every)
        if more := topics_left(compared):
            yield f"- {more.replace('--all', '`--all`')}"
        yield ""
        yield "</details>"
    yield ""
    yield from (f"- {prose(remark, limit=SENTENCE)}" for remark in remarks(compared))
    yield ""
    yield f"Results: {code(results, limit=NAME)}, every cell in `comparison.json`."


def gaps(told: Sequence[str], *, every: bool) -> Iterator[str]:
    """What could not be compared."""
    if told:
        yield ""
        yield f"### Not compared ({len(told)})"
        yield ""
        shown = told if every else told[:20]
        yield from (f"- {prose(line, limit=SENTENCE)}" for line in shown)
        if more := left_out(len(shown), told, "in verdict.json"):
            yield f"- {more}"


def _table(table: Table, *, every: bool) -> Iterator[str]:
    yield ""
    yield f"### {code(table.title, limit=NAME)}"
    yield ""
    if table.rows:
        yield from rows(table.head, table.rows if every else table.rows[:ROWS], table.numbers)
        if not every and (more := left_out(ROWS, table.rows, "cell in comparison.json", "cells in comparison.json")):
            yield ""
            yield more
    if table.left_out:
        others = "more " if table.rows else ""
        yield from [""] * bool(table.rows)
        yield f"{count(table.left_out, f'{others}cell')}: no rank moved"


def rows(head: Sequence[str], body: Sequence[Sequence[str]], numbers: frozenset[int]) -> Iterator[str]:
    """A table. Names stand in code; figures, which are ours, do not."""
    yield f"| {' | '.join(head)} |"
    yield f"|{'|'.join(' ---: ' if at in numbers else ' --- ' for at in range(len(head)))}|"
    for row in body:
        entries = (
            entry if at in numbers or at >= len(head) - 1 or not entry else code(entry, limit=NAME, table=True)
            for at, entry in enumerate(row)
        )
        yield f"| {' | '.join(entries)} |"


def _topic(topic: MovedTopic, *, every: bool) -> Iterator[str]:
    move = topic.move
    most = len(move.moved) + len(move.ahead) if every else DOCUMENTS
    query = f"{code(move.query, limit=SNIPPET)}, " if move.query else ""
    place = f"{topic.run.corpus}@{topic.run.tier} {topic.run.mode}"
    values = values_moved(topic).replace("->", "→")
    yield f"- {query}{code(move.topic_id, limit=NAME)}, {code(place, limit=NAME)}: {values}"
    docs, ahead = doc_lines(move), ahead_lines(move)
    for line in (*docs[:most], *ahead[:most]):
        about = f" ({prose(line.about, limit=NAME)})" if line.about else ""
        yield f"  - {line.what}, {line.ranks.replace('->', '→')}, {code(line.doc_id, limit=NAME)}{about}"
    rest = [left_out(most, docs, "document", "documents"), left_out(most, ahead, "ahead")]
    if any(rest):
        yield f"  - {', '.join(part for part in rest if part)}"
