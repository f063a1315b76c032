"""A proof as Markdown, for a page in a project's docs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

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
from gate.report.escape import code, prose


def render_markdown(proof: Proof, command: str) -> str:
    """GitHub-flavoured Markdown, with nothing of a store or corpus taken as markup. `command` made it."""
    return "\n".join(_lines(proof, command)) + "\n"


def render_alarms(alarms: Alarms, command: str) -> str:
    """The false alarms as Markdown."""
    lines = ["# False alarms", "", f"Made by {code(command)}: {prose(alarms_headline(alarms))}."]
    odd = (*alarms.red, *alarms.broken)
    lines += [""] if odd else []
    lines += [f"- {code(run.change)}, hash seed {run.seed}: exit {run.exit_code}, {prose(run.said)}" for run in odd]
    return "\n".join(lines) + "\n"


def _lines(proof: Proof, command: str) -> Iterator[str]:
    yield "# What the gate catches"
    yield ""
    yield f"Made by {code(command)}: {prose(headline(proof))}."
    yield f"Planted in {prose(planted_in(proof))}."
    escaped = list(escapes(proof))
    if escaped:
        yield from ("", "## Escapes", "")
    for row, told in escaped:
        yield f"- {code(row.defect.name)} ({row.defect.family}): " + "; ".join(map(prose, told))
    yield from _section("False alarms", false_alarms(proof))
    yield from _section("Not judged", unjudged(proof))
    rows = matrix(proof)
    if rows:
        yield from ("", "## Red checks at the full dose, by what they come from", "")
        yield f"| {' | '.join(HEAD)} |"
        yield f"| {' | '.join('---:' if at in NUMBERS else '---' for at in range(len(HEAD)))} |"
        yield from (f"| {' | '.join(row)} |" for row in rows)
    yield from _section("At weaker doses", weaker(proof))
    yield from _section("Not shown here", others(proof))


def _section(title: str, told: Iterable[tuple[Row, str]]) -> Iterator[str]:
    lines = [f"- {code(row.defect.name)} {prose(says)}" for row, says in told]
    if lines:
        yield from ("", f"## {title}", "", *lines)
