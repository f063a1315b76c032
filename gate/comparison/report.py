"""The files and views of a comparison: which there are, and in which order they are written."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from gate.comparison import json, markdown, repeats_views, text
from gate.comparison.records import Compared
from gate.comparison.repeats import Repeats
from gate.files import write_atomic
from gate.records import Verdict
from gate.report.json import to_json
from gate.results import VERDICT

COMPARISON, MARKDOWN, TEXT = "comparison.json", "report.md", "report.txt"
VIEW_FILES = (COMPARISON, MARKDOWN, TEXT)


@dataclass(frozen=True, slots=True)
class Views:
    """All that is shown of one comparison. `text` takes the width of the page and whether it may have colours."""

    verdict: Verdict
    json: str
    markdown: str
    text: Callable[[int, bool], str]

    def write(self, folder: Path) -> None:
        """Every file, the verdict last: whoever sees it finds all the others written."""
        write_atomic(folder / COMPARISON, self.json)
        write_atomic(folder / MARKDOWN, self.markdown)
        write_atomic(folder / TEXT, self.text(100, False))
        write_atomic(folder / VERDICT, to_json(self.verdict))


def comparison_views(compared: Compared, results: str, *, every: bool) -> Views:
    return Views(
        compared.verdict,
        json.to_json(compared),
        markdown.render_markdown(compared, results=results, every=every),
        partial(_text, compared, results, every),
    )


def _text(compared: Compared, results: str, every: bool, width: int, colour: bool) -> str:
    return text.render_text(compared, results=results, width=width, colour=colour, every=every)


def repeats_views_of(repeats: Repeats, results: str, *, every: bool) -> Views:
    return Views(
        repeats.verdict,
        repeats_views.to_json(repeats),
        repeats_views.render_markdown(repeats, results=results, every=every),
        partial(_repeats_text, repeats, results, every),
    )


def _repeats_text(repeats: Repeats, results: str, every: bool, width: int, colour: bool) -> str:
    return repeats_views.render_text(repeats, results=results, width=width, colour=colour, every=every)
