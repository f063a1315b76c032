"""A page of a report on a terminal: lines that fit, and the documents that a topic lost."""

from __future__ import annotations

from collections.abc import Sequence
from io import StringIO
from typing import TYPE_CHECKING

from gate.records import TopicMove
from gate.report.escape import disarmed, visible
from gate.report.moves import DocLine, ahead_lines, doc_lines, left_out

if TYPE_CHECKING:
    from rich.text import Text

DOCUMENTS = 3
NARROWEST = 40


class Page:
    """Lines for one console that writes to memory, so that nothing of the machine's terminal gets in.

    Only `rich.text.Text` is ever printed, and never a plain string: rich reads no markup in it.
    `told` holds the documents last told of each topic.
    """

    def __init__(self, width: int, colour: bool) -> None:
        from rich.console import Console

        self.width = max(width, NARROWEST)
        self.told: dict[str, frozenset[str]] = {}
        self._file = StringIO()
        self.console = Console(
            file=self._file,
            width=self.width,
            height=100,
            color_system="standard" if colour else None,
            force_terminal=colour,
            no_color=not colour,
            force_jupyter=False,
            force_interactive=False,
            legacy_windows=False,
        )

    def blank(self) -> None:
        self.console.print()

    def line(self, *parts: tuple[str, str]) -> None:
        """One line that is never broken, of (text, style) parts."""
        self.console.print(self._joined(parts), soft_wrap=True)

    def clipped(self, start: tuple[str, str], text: str, style: str = "") -> None:
        """One line whose text is cut at the edge of the page; its start is not."""
        whole = self._joined((start, (text, style)))
        # Marks of no width would let a text of any length fit in one column.
        whole = whole[: len(start[0]) + 2 * self.width]
        whole.truncate(max(self.width, len(start[0]) + 10), overflow="ellipsis")
        self.console.print(whole, soft_wrap=True)

    def paragraph(self, text: str, *, indent: int = 0, hanging: int = 0) -> None:
        """Text broken at words to the page's width, all lines indented, those after the first by `hanging` more."""
        lines = self._joined(((text, ""),)).wrap(self.console, self.width - indent - hanging, overflow="fold")
        for number, line in enumerate(lines):
            line.rstrip()
            self.line((" " * (indent + hanging * (number > 0)), ""), (line.plain, ""))

    def text(self) -> str:
        """All lines, none of which a CI runner takes for a command of its own."""
        return disarmed("\n".join(line.rstrip() for line in self._file.getvalue().split("\n")))

    def _joined(self, parts: Sequence[tuple[str, str]]) -> Text:
        from rich.text import Text

        text = Text()
        for content, style in parts:
            text.append(content, style=style or None)
        return text


def write_documents(page: Page, move: TopicMove, most: int = DOCUMENTS) -> None:
    """The documents of a topic that moved, and those ahead of them now: so many of each, and the count of the rest."""
    docs, ahead = doc_lines(move), ahead_lines(move)
    lines = (*docs[:most], *ahead[:most])
    what, ranks = (max((len(part) for part in column), default=0) for column in _columns(lines))
    for line in lines:
        about = f"  ({visible(line.about)})" if line.about else ""
        style = "red" if line.what in ("lost", "fell", "missing", "forbidden") else ""
        start = f"      {line.what:<{what}}  {line.ranks:<{ranks}}  "
        page.clipped((start, style), f"{visible(line.doc_id)}{about}  {visible(line.text)}")
    rest = [left_out(most, docs, "document", "documents"), left_out(most, ahead, "ahead")]
    if any(rest):
        page.line((f"      {', '.join(part for part in rest if part)}", "dim"))


def _columns(lines: Sequence[DocLine]) -> tuple[list[str], list[str]]:
    return [line.what for line in lines], [line.ranks for line in lines]
