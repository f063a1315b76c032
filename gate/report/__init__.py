"""Reports: each a function of a verdict. The canonical one is JSON; everything else is a view of it.

To add one: one file with a function `(verdict, context) -> str`, and one line in `REPORTS`.
"""

from __future__ import annotations

from collections.abc import Mapping

from gate.report.annotations import render_annotations
from gate.report.context import Report, ReportContext
from gate.report.json import to_json
from gate.report.junit import render_junit
from gate.report.markdown import render_markdown
from gate.report.text import render_text

__all__ = ["REPORTS", "Report", "ReportContext"]

REPORTS: Mapping[str, Report] = {
    "json": Report("verdict.json", to_json),
    "text": Report("report.txt", render_text),
    "markdown": Report("report.md", render_markdown),
    "junit": Report("junit.xml", render_junit),
    "annotations": Report("annotations.github", render_annotations),
}
