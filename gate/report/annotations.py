"""The report as GitHub's workflow commands: each puts a sentence beside the line of the rule that was broken.

GitHub shows ten errors and ten warnings a step, so the worst come first and the last says how
many more there are. Escapes: github.com/actions/toolkit, packages/core/src/command.ts.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Sequence

from gate.figures import count, figures_apart
from gate.records import Check, Verdict
from gate.report.context import ReportContext
from gate.report.escape import cut, visible
from gate.report.outline import Finding, expectation, headline, sections, unit_of_check

SHOWN = 10
SENTENCE = 400
_PLACE = re.compile(r"(?P<file>.+?)(?::(?P<line>[1-9][0-9]{0,8}))?")
_KINDS = {"failed": "error", "not measured": "error", "warning": "warning"}


def render_annotations(verdict: Verdict, context: ReportContext) -> str:
    """One command a line. A verdict with nothing to show is one notice."""
    found = sections(verdict)
    lines: list[str] = []
    for kind in ("error", "warning"):
        findings = [
            (section.kind, finding)
            for section in found
            if _KINDS.get(section.kind) == kind
            for finding in section.findings
        ]
        lines += _commands(kind, findings, context)
    if not lines:
        lines.append(_command("notice", f"Retrieval gate: {verdict.verdict.replace('_', ' ')}", headline(verdict)))
    return "\n".join(lines) + "\n"


def _commands(kind: str, findings: Sequence[tuple[str, Finding]], context: ReportContext) -> Iterator[str]:
    for number, (section, finding) in enumerate(findings[:SHOWN], start=1):
        check = finding.check
        message = cut(_sentence(finding), SENTENCE)
        if number == SHOWN and len(findings) > SHOWN:
            rest = count(len(findings) - SHOWN, f"more {kind}")
            message = f"{_ended(message)} And {rest}, all of them in {visible(context.results)}/report.md."
        title = f"{section.capitalize()}: {visible(check.cell) or check.source}"
        yield _command(kind, title, message, check, context.folder)


def _sentence(finding: Finding) -> str:
    check = finding.check
    parts = [visible(check.message)]
    if check.actual is not None and check.expected is not None and check.source != "baseline":
        actual, expected = figures_apart((check.actual, check.expected), unit_of_check(check))
        parts.append(f"({actual}, {expectation(check, expected)})")
    if finding.more:
        parts.append(f"(and {count(finding.more, 'more cell')})")
    said = " ".join(part for part in parts if part)
    for move in check.moves[:1]:
        said = f"{_ended(said)} First: {cut(visible(move.query), 120)} ({visible(move.topic_id)})."
    return said.strip() or "see the report"


def _ended(sentence: str) -> str:
    return sentence if not sentence or sentence.endswith((".", "!", "?", "…", "。")) else f"{sentence}."


def _command(kind: str, title: str, message: str, check: Check | None = None, folder: str = "") -> str:
    place = _PLACE.fullmatch(check.where) if check is not None and check.where else None
    properties = {}
    # A colon is that of a commit (`3f2a9c1d04:gate.yml`) or of a drive: no file of this checkout.
    file = posixpath.normpath(posixpath.join(folder, place["file"])) if place is not None else ""
    if place is not None and ":" not in place["file"] and not file.startswith(("/", "..")):
        properties["file"] = visible(file)
        # A baseline is no file for reading: its first line says who accepted it and why.
        properties["line"] = place["line"] or "1"
    properties["title"] = cut(title, 200)
    shown = ",".join(f"{key}={_property(value)}" for key, value in properties.items())
    return f"::{kind} {shown}::{_data(message)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
