"""The report as JUnit's XML, which every CI system reads: one test case a check.

As in the schema of Ant's and Jenkins's readers: `failure` is a check that failed, `error` one that
could not be measured, `skipped` one that is waived; what only warned passes and says so.
"""

from __future__ import annotations

from collections.abc import Sequence
from xml.etree import ElementTree as Xml

from gate.figures import figures_apart
from gate.records import Check, Verdict
from gate.report.context import ReportContext
from gate.report.escape import shown_line, visible
from gate.report.moves import ahead_lines, doc_lines, value_change
from gate.report.outline import expectation, failed, headline, unit_of_check

QUERIES = 20


def render_junit(verdict: Verdict, context: ReportContext) -> str:
    """The whole verdict as one document, checks grouped by their source in the order they came in."""
    root = Xml.Element("testsuites", name="retrieval gate")
    sources = list(dict.fromkeys(check.source for check in verdict.checks))
    for source in sources:
        checks = [check for check in verdict.checks if check.source == source]
        suite = Xml.SubElement(root, "testsuite", {"name": visible(source), **_counts(checks)})
        for check in checks:
            _case(suite, check)
    root.attrib |= _counts(verdict.checks)
    if context.seconds is not None:
        root.set("time", f"{context.seconds:.3f}")
    said = Xml.SubElement(root, "testsuite", {"name": "verdict", **_counts(())})
    Xml.SubElement(said, "system-out").text = f"{verdict.verdict} {headline(verdict)} (exit {verdict.exit_code})"
    Xml.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + Xml.tostring(root, encoding="unicode") + "\n"


def _counts(checks: Sequence[Check]) -> dict[str, str]:
    return {
        "tests": str(len(checks)),
        "failures": str(len(failed(checks))),
        "errors": str(sum(_is_error(check) for check in checks)),
        "skipped": str(sum(check.status == "waived" for check in checks)),
    }


def _is_error(check: Check) -> bool:
    return check.status == "not measured" and check.level == "error"


def _case(suite: Xml.Element, check: Check) -> None:
    # A cell is full of slashes and dots, which readers take for packages.
    case = Xml.SubElement(suite, "testcase", classname=f"gate.{visible(check.source)}", name=visible(check.check_id))
    if check.where:
        case.set("file", visible(check.where))
    message = visible(check.message)
    if check.status == "fail" and check.level == "error":
        Xml.SubElement(case, "failure", message=message, type=visible(check.source)).text = _details(check)
    elif _is_error(check):
        Xml.SubElement(case, "error", message=message, type="not measured")
    elif check.status == "waived":
        Xml.SubElement(case, "skipped", message=message)
    elif check.status != "pass":
        Xml.SubElement(case, "system-out").text = f"{check.level}: {message}"


def _details(check: Check) -> str:
    """What was held against what, and the queries that lost documents."""
    unit = unit_of_check(check)
    lines = [visible(check.cell)]
    if check.actual is not None and check.expected is not None:
        actual, expected = figures_apart((check.actual, check.expected), unit)
        lines.append(f"{actual}, {expectation(check, expected)}")
    lines += map(shown_line, check.show)
    for move in check.moves[:QUERIES]:
        lines.append(f"query {visible(move.topic_id)} {value_change(move, unit)} {visible(move.query)}")
        lines += [
            f"  {line.what} {line.ranks} {visible(line.doc_id)} {visible(line.text)}".rstrip()
            for line in (*doc_lines(move), *ahead_lines(move))
        ]
    if len(check.moves) > QUERIES:
        lines.append(f"and {len(check.moves) - QUERIES} more in verdict.json")
    return "\n".join(lines)
