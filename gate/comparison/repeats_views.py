"""Repeats of one run on a terminal, as Markdown and as JSON."""

from __future__ import annotations

from collections.abc import Sequence

from gate.comparison import json, markdown, text
from gate.comparison.repeats import Repeated, Repeats
from gate.figures import count, figure, figures_apart
from gate.records import NO_FAULT
from gate.report.escape import code, prose, visible
from gate.report.page import Page

HEAD = ("slice", "mode", "measure", "topics", "mean", "deviation", "least", "most")
NUMBERS = frozenset((3, 4, 5, 6, 7))


def headline(repeats: Repeats) -> str:
    """What was found, in one line."""
    n = len(repeats.sides)
    scattered = sum(one.deviation is not None for one in repeats.cells)
    gaps = f"{count(len(repeats.gaps), 'thing')} could not be pooled" if repeats.gaps else ""
    if not repeats.cells:
        return gaps or "nothing was measured"
    told = f"{count(len(repeats.cells), 'cell')} in {n} repeats: {len(repeats.cells) - scattered} identical"
    if scattered:
        told += f", {scattered} with a deviation"
    return "; ".join(part for part in (told, gaps) if part)


def tables(repeats: Repeats) -> dict[str, list[tuple[str, ...]]]:
    """The rows of each store, corpus and arm."""
    groups: dict[str, list[tuple[str, ...]]] = {}
    for one in repeats.cells:
        title = f"{one.cell.store}  {one.cell.corpus}@{one.cell.tier}  {one.cell.arm}"
        groups.setdefault(title, []).append(_row(one, len(repeats.sides)))
    return groups


def _row(one: Repeated, repeats: int) -> tuple[str, ...]:
    cell = one.cell
    place = (cell.slice, cell.mode if cell.fault == NO_FAULT else f"{cell.mode}/{cell.fault}", cell.measure)
    if one.deviation is None:
        return (*place, str(one.topics), figure(one.mean), f"identical in {repeats} repeats", "", "")
    middle, least, most = figures_apart((one.mean, min(one.values), max(one.values)))
    return (*place, str(one.topics), middle, figure(one.deviation), least, most)


def render_text(repeats: Repeats, *, results: str, width: int, colour: bool, every: bool) -> str:
    page = Page(width, colour)
    text.verdict_line(page, repeats.verdict, headline(repeats))
    for side in repeats.sides:
        page.line((f"{side.name}  {visible(side.place)}  ({visible(side.about)})", ""))
    text.gaps(page, [f"{gap.subject}: {gap.reason}" for gap in repeats.gaps], every=every)
    for title, rows in tables(repeats).items():
        page.blank()
        page.line((visible(title), "bold"))
        text.rows(page, HEAD, rows, NUMBERS, {})
    page.blank()
    for remark in remarks(repeats):
        page.paragraph(f"note: {visible(remark)}", hanging=6)
    page.line((f"results: {visible(results)} (see comparison.json, verdict.json, report.md)", ""))
    return page.text()


def remarks(repeats: Repeats) -> Sequence[str]:
    told = list(repeats.notes)
    if any(one.deviation is not None for one in repeats.cells):
        told.append("deviation: standard deviation of the repeats' means, n - 1")
    if any(one.deviation is None for one in repeats.cells):
        told.append("identical: every answer was the same in every repeat, so that there is no deviation to speak of")
    return told


def render_markdown(repeats: Repeats, *, results: str, every: bool) -> str:
    lines = [markdown.title(repeats.verdict, headline(repeats)), ""]
    lines += [f"- {side.name}: {code(side.place, limit=markdown.NAME)}" for side in repeats.sides]
    lines += markdown.gaps([f"{gap.subject}: {gap.reason}" for gap in repeats.gaps], every=every)
    for title, rows in tables(repeats).items():
        lines += ["", f"### {code(title, limit=markdown.NAME)}", "", *markdown.rows(HEAD, rows, NUMBERS)]
    lines += ["", *(f"- {prose(remark, limit=markdown.SENTENCE)}" for remark in remarks(repeats))]
    lines += ["", f"Results: {code(results, limit=markdown.NAME)}, every cell in `comparison.json`."]
    return "\n".join(lines) + "\n"


def to_json(repeats: Repeats) -> str:
    """All of the repeats, in the schema of a comparison."""
    return json.document(
        {
            **json.head(repeats.verdict, "repeats", repeats.notes),
            "repeats": [{"place": side.place, "about": side.about, "store": side.subject} for side in repeats.sides],
            "gaps": [{"subject": gap.subject, "reason": gap.reason} for gap in repeats.gaps],
            "cells": [
                {
                    "cell": str(one.cell),
                    "topics": one.topics,
                    "values": list(one.values),
                    "mean": one.mean,
                    "deviation": one.deviation,
                    "identical": one.deviation is None,
                }
                for one in repeats.cells
            ],
        }
    )
