"""Markdown cut to what GitHub takes: at the end of a line, with what was opened closed, and with a note of it."""

from __future__ import annotations

from collections.abc import Callable

from gate.figures import count

_OPENED, _CLOSED = "<details>", "</details>"
_MOST_OPEN = 4


def utf16_units(text: str) -> int:
    """The length of a text as JavaScript counts it, which is never less than its number of characters."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def utf8_bytes(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))


def fitted(text: str, most: int, size: Callable[[str], int], where: str) -> str:
    """The text, or as many of its first lines as leave room for a note of how many were cut; `where` holds all."""
    if size(text) <= most:
        return text
    lines = text.splitlines(keepends=True)
    room = most - size(_end(0, _MOST_OPEN, len(lines), where))
    kept, used = 0, 0
    for line in lines:
        used += size(line)
        if used > room:
            break
        kept += 1
    opened = sum(line.startswith(_OPENED) - line.startswith(_CLOSED) for line in lines[:kept])
    return "".join(lines[:kept]) + _end(kept, min(max(opened, 0), _MOST_OPEN), len(lines), where)


def _end(kept: int, opened: int, total: int, where: str) -> str:
    """What stands in the place of the lines that were cut."""
    note = f"**Cut here:** {count(total - kept, 'more line')} of this report in {where}."
    return f"\n{_CLOSED}\n" * opened + f"\n{note}\n"
