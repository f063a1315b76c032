"""Text from corpora, stores and settings, made safe to show: it is quoted, never obeyed.

Everything passes `visible` first. A terminal needs no more than that. Markdown, as GitHub
renders it, also turns words into links, mentions, pictures and markup; only a code span is
exempt from all of it, so whatever could be turned into something stands in one.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable

# Fixed ranges and not Unicode categories, which differ between versions of Python: controls,
# soft hyphen, invisible and bidirectional marks, separators, surrogates, non-characters,
# invisible musical marks, tags. Joiners (U+200C, U+200D) stay: Persian, Hindi and emoji need them.
UNSAFE = re.compile(
    "[\u0000-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f"
    "\u2028-\u202e\u2060-\u206f\u3164\ud800-\udfff\ufdd0-\ufdef\ufeff\uffa0\ufff0-\uffff"
    "\U0001d173-\U0001d17a\U000e0000-\U000e0fff\U0010fffe\U0010ffff]"
)
_SPACE = re.compile("[ \t\n\r\u0085\u2028\u2029]+")
_MARKUP = re.compile(r"([\\`*_\[\]#|~$^])")
# What makes a list, a rule or a heading of a line, but only where a line starts.
_LINE_START = re.compile(r"^(\d{0,9})([-+=.)])")
_RISKY_WORD = re.compile(r"\S*(?:[@#`]|:\S|www\.|GH-)(?:\S*[^\s.,;:!?)])?", re.IGNORECASE)
# What a sentence of ours shows as code, such as `gate accept`: between two single backticks that stand around words.
_QUOTED = r"(?<!\S)(?P<before>[(\[\"']*)`(?P<quoted>[^\s`][^`]*)`(?=[.,;:!?)\]\"']*(?!\S))"
_SPAN = re.compile(f"{_QUOTED}|{_RISKY_WORD.pattern}", re.IGNORECASE)
_BACKTICKS = re.compile("`+")
# What a CI runner takes for a command of its own: `::error::` at the start of a line, `##[...]` anywhere.
_COMMANDS = re.compile(r"(?m)(?<=^)[ ]*::(?=\w)|##(?=\[)")


def visible(text: str) -> str:
    """One line in which every character shows: space runs as one space, unsafe ones as `<U+202E>`."""
    return UNSAFE.sub(lambda found: f"<U+{ord(found[0]):04X}>", _SPACE.sub(" ", text)).strip()


def spelled(json_text: str) -> str:
    """JSON in which every unsafe character of a text is written as an escape, so that it is data and nothing else."""
    return UNSAFE.sub(_escape, json_text)


def disarmed(text: str) -> str:
    """A whole page for a terminal or a log, with nothing in it that a CI runner would obey."""
    return _COMMANDS.sub(lambda found: " ".join(found[0]), text)


def cut(text: str, limit: int) -> str:
    """At most `limit` characters, the last of them an ellipsis where something was cut."""
    return text if len(text) <= limit else text[: limit - 1].rstrip() + "…"


def code(text: str, *, limit: int = 0, table: bool = False) -> str:
    """A Markdown code span that holds exactly the visible text, cut where a limit is given.

    In a row of a table a pipe would end the column even inside a code span (GFM, section 4.10).
    """
    shown = visible(text)
    if limit:
        shown = cut(shown, limit)
    if not shown:
        return "(empty)"
    if table:
        shown = shown.replace("|", "\\|")
    fence = "`" * (max((len(run) for run in _BACKTICKS.findall(shown)), default=0) + 1)
    pad = " " if shown.startswith("`") or shown.endswith("`") else ""
    return f"{fence}{pad}{shown}{pad}{fence}"


def prose(text: str, *, limit: int = 0, table: bool = False) -> str:
    """A sentence in Markdown: markup escaped, and words that GitHub would link, mention or replace in code spans.

    What stands between backticks is a code span already, and becomes one that nothing in it can end.
    """
    shown = visible(text)
    if limit:
        shown = cut(shown, limit)
    parts = []
    end = 0
    for found in _SPAN.finditer(shown):
        before, span = found["before"] or "", found["quoted"] or found[0]
        parts += [_escaped(shown[end : found.start()] + before), code(span, table=table)]
        end = found.end()
    return _LINE_START.sub(r"\1\\\2", "".join((*parts, _escaped(shown[end:]))))


def shown_line(line: str) -> str:
    """A line of code in which every unsafe character shows; unlike `visible` it keeps its spaces."""
    return UNSAFE.sub(lambda found: f"<U+{ord(found[0]):04X}>", line)


def fenced(lines: Iterable[str], language: str) -> list[str]:
    """A fenced block of code in Markdown, with a fence that none of its lines can end."""
    shown = [shown_line(line) for line in lines]
    longest = max((len(run) for line in shown for run in _BACKTICKS.findall(line)), default=0)
    fence = "`" * max(3, longest + 1)
    return [f"{fence}{language}", *shown, fence]


def html_code(text: str, *, limit: int = 0) -> str:
    """The visible text as an HTML code element, for places where Markdown is not read, such as a summary."""
    shown = visible(text)
    return f"<code>{html.escape(cut(shown, limit) if limit else shown)}</code>"


def _escaped(text: str) -> str:
    return _MARKUP.sub(r"\\\1", html.escape(text, quote=False))


def _escape(found: re.Match[str]) -> str:
    """A character as JSON escapes: two where it lies beyond the first plane."""
    units = found[0].encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at] << 8 | units[at + 1]:04x}" for at in range(0, len(units), 2))
