"""Documents and topics as TREC marks them up: elements in SGML, tags in either case, no declarations.

E. Voorhees and D. Harman (eds), "TREC: Experiment and Evaluation in Information Retrieval", MIT
Press, 2005; the topics of TREC-8 for how fields end where the next begins.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from gate.corpus.fields import Problems
from gate.corpus.lines import MOST_IN_LINE, too_long

# Nothing here looks for an end from every beginning anew: text with many beginnings and no end takes no longer.
_TAG = re.compile(r"<!--|</?[A-Za-z][^<>]*>")
_COMMENT, _COMMENT_END = "<!--", "-->"
# Beyond what any character needs, and beyond what Python reads as a number.
_NO_CHARACTER = re.compile(r"&#[0-9]{100,};?")
_DECLARATION = re.compile(r"\s*<[?!][^<>]*>\s*")


@dataclass(frozen=True, slots=True)
class Element:
    """What stands between a tag and its end, with the place of the tag. `name` is in lower case."""

    name: str
    text: str
    where: str

    def inside(self, name: str) -> list[str]:
        """The text of every element of that name in this one, without tags and with single spaces."""
        opening = re.compile(rf"<{name}(?:\s[^<>]*)?>", re.IGNORECASE)
        closing = re.compile(rf"</{name}\s*>", re.IGNORECASE)
        found, at = [], 0
        # After the last end there is none for any later beginning either.
        while (begin := opening.search(self.text, at)) and (end := closing.search(self.text, begin.end())):
            found.append(plain(self.text[begin.end() : end.start()]))
            at = end.end()
        return found

    def opens(self, name: str) -> int:
        """How often such an element begins in this one."""
        return len(re.findall(rf"<{name}(?:\s[^<>]*)?>", self.text, re.IGNORECASE))

    def field(self, name: str) -> str | None:
        """What follows a tag, up to the next one: fields of topics seldom have an end. None without such a tag."""
        found = re.search(rf"<{name}>([^<]*)", self.text, re.IGNORECASE)
        return plain(found[1]) if found else None


def plain(text: str) -> str:
    """The text without tags, entities as characters, runs of white space as one space."""
    return " ".join(html.unescape(_NO_CHARACTER.sub("\ufffd", " ".join(_between_tags(text)))).split())


def _between_tags(text: str) -> Iterator[str]:
    """What stands between tags and comments. A comment that does not end is text."""
    at = kept = 0
    last_end = text.rfind(_COMMENT_END)
    while found := _TAG.search(text, at):
        at = found.end()
        if found[0] == _COMMENT:
            if at > last_end:
                continue
            at = text.index(_COMMENT_END, at) + len(_COMMENT_END)
        yield text[kept : found.start()]
        kept = at
    yield text[kept:]


def elements(lines: Iterable[tuple[str, str]], name: str, problems: Problems) -> Iterator[Element]:
    """The elements of a name, one at a time, from lines with their places.

    What stands outside of them, an element that begins in another one and one that does not end
    are problems. Raises UsageError where one is longer than a line of a file may be: it is kept in memory.
    """
    tag = re.compile(rf"<(/?){name}(?:\s[^<>]*)?>", re.IGNORECASE)
    begun, parts, length = "", list[str](), 0
    for where, line in lines:
        at = 0
        for found in tag.finditer(line):
            between, at = line[at : found.start()], found.end()
            if found[1] and begun:
                yield Element(name, "\n".join((*parts, between)), begun)
                begun = ""
            elif found[1]:
                problems.add(f"</{name}> ends what did not begin", where)
            else:
                if begun:
                    problems.add(f"<{name}> begins before the one of {_line(begun)} ended", where)
                else:
                    _check_outside(between, where, name, problems)
                begun, parts, length = where, [], 0
        rest = line[at:]
        if begun:
            parts.append(rest)
            length += len(rest) + 1
            if length > MOST_IN_LINE:
                raise too_long("document", begun)
        else:
            _check_outside(rest, where, name, problems)
    if begun:
        problems.add(f"<{name}> does not end", begun, "cut short?")


def _check_outside(text: str, where: str, name: str, problems: Problems) -> None:
    if text.strip() and not _DECLARATION.fullmatch(text):
        problems.add(f"this stands outside of <{name}>: {text.strip()[:60]}", where)


def _line(where: str) -> str:
    return f"line {where.rpartition(':')[2]}"
