"""Published results as two tables, for a terminal or as Markdown: retrieval first, answers apart from it."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator, Sequence

from gate.cli.table import table_lines
from gate.figures import count, figure
from gate.published.file import ANSWERS, Dataset, Entry, Published, without
from gate.published.match import Group, Local, groups, same_dataset
from gate.report.escape import disarmed, prose, visible

_WIDTH = 100
_RETRIEVAL_HEAD = ("", "dataset", "measure", "system", "value", "topics", "protocol")
_ANSWERS_HEAD = ("", "dataset", "measure", "system", "value", "topics", "answered by", "judged by", "protocol")
_NUMBERS = (4, 5)
_NONE = "-"
_RETRIEVAL_SAYS = "Retrieval: what share of the evidence was found. 'here' is measured by this run."
_ANSWERS_SAYS = "Answers: what share of a model's answers was judged right. This gate measures no answers."
_NO_ANSWERS = "nothing here to match"

Row = tuple[str, ...]


def published_tables(published: Published, local: Sequence[Local], style: str, *, everything: bool) -> str:
    """The two tables, then datasets and sources. `style` is `text` or `markdown`.

    A dataset of which nothing was measured here is one line, unless `everything` is wanted.
    """
    numbers = {id(entry): f"[{place}]" for place, entry in enumerate(published.entries, start=1)}
    away = [] if everything else [one for one in published.datasets if not _is_here(one.name, local)]
    elsewhere = [_ELSEWHERE[style](one, published) for one in away]
    published = without(published, {one.name for one in away})
    retrieval = [row for group in groups(published, local) for row in _retrieval(group, numbers)]
    answers = [_answer(entry, numbers) for entry in published.entries if entry.kind == ANSWERS]
    lines: list[str] = []
    for says, head, rows in (
        (_RETRIEVAL_SAYS, _RETRIEVAL_HEAD, retrieval),
        (_ANSWERS_SAYS, _ANSWERS_HEAD, answers),
    ):
        if rows:
            lines += _TABLES[style](says, [head, *rows])
    lines += [*_NOTES[style](published, numbers)] if published.datasets else []
    lines += ["", *elsewhere] if elsewhere else []
    return disarmed("\n".join(lines)) + "\n"


def _is_here(dataset: str, local: Sequence[Local]) -> bool:
    return any(same_dataset(dataset, one.key.corpus) for one in local)


def _elsewhere(dataset: Dataset, published: Published) -> str:
    figures = count(sum(entry.dataset == dataset.name for entry in published.entries), "published figure")
    return f"{dataset.name}: {figures}, and no corpus of this name was measured here (--all shows them)."


def _text_elsewhere(dataset: Dataset, published: Published) -> str:
    return visible(_elsewhere(dataset, published))


def _markdown_elsewhere(dataset: Dataset, published: Published) -> str:
    return f"- {prose(_elsewhere(dataset, published))}"


def _retrieval(group: Group, numbers: dict[int, str]) -> Iterator[Row]:
    for one in group.local:
        system = f"{one.key.store}, {one.key.mode}, {one.key.arm}"
        yield "here", group.dataset, group.measure, system, figure(one.value), f"{one.topics}", _NONE
    for entry, verdict in zip(group.entries, group.verdicts, strict=True):
        yield (*_published(entry, numbers), verdict)


def _published(entry: Entry, numbers: dict[int, str]) -> Row:
    topics = _NONE if entry.protocol.topics is None else f"{entry.protocol.topics}"
    return numbers[id(entry)], entry.dataset, entry.measure, entry.system, _as_published(entry.value), topics


def _as_published(value: float) -> str:
    """A figure with the digits that it was published with, where those are more than three."""
    return max(figure(value), f"{value:g}", key=len)


def _answer(entry: Entry, numbers: dict[int, str]) -> Row:
    protocol = entry.protocol
    return (*_published(entry, numbers), protocol.answerer or _NONE, protocol.judge or _NONE, _NO_ANSWERS)


def _text_table(says: str, rows: Sequence[Row]) -> Iterator[str]:
    yield ""
    yield says
    yield from table_lines([tuple(map(visible, row)) for row in rows], right=_NUMBERS)


def _markdown_table(says: str, rows: Sequence[Row]) -> Iterator[str]:
    head, *rest = rows
    yield from ("", says, "")
    yield f"| {' | '.join(head)} |"
    yield f"|{'|'.join(' ---: ' if at in _NUMBERS else ' --- ' for at in range(len(head)))}|"
    for row in rest:
        yield f"| {' | '.join(prose(cell, table=True) for cell in row)} |"


def _told(published: Published, numbers: dict[int, str]) -> Iterator[tuple[str, str]]:
    """What is to be said of each dataset, and of the entries, those together of which it is the same."""
    for dataset in published.datasets:
        yield f"{dataset.name}:", f"{dataset.about} {dataset.url}, seen {dataset.seen}"
    alike: dict[str, list[str]] = {}
    for entry in published.entries:
        said = [f"called {entry.said} there"] if entry.said else []
        said += [f"{name} {value}" for name, value in _made_with(entry) if value]
        says = f"{'; '.join((*said, entry.url))}, seen {entry.seen}"
        if entry.dispute:
            says += f". Disputed: {entry.dispute}"
        alike.setdefault(says, []).append(numbers[id(entry)])
    yield from ((" ".join(names), says) for says, names in alike.items())


def _made_with(entry: Entry) -> tuple[tuple[str, str], ...]:
    protocol = entry.protocol
    return ("embedder", protocol.embedder), ("reranker", protocol.reranker)


def _text_notes(published: Published, numbers: dict[int, str]) -> Iterator[str]:
    yield ""
    for name, says in _told(published, numbers):
        # Addresses stay whole, so that they can be copied.
        yield textwrap.fill(
            f"{visible(name)} {visible(says)}",
            _WIDTH,
            initial_indent="  ",
            subsequent_indent="      ",
            break_long_words=False,
            break_on_hyphens=False,
        )


def _markdown_notes(published: Published, numbers: dict[int, str]) -> Iterator[str]:
    yield ""
    yield from (f"- {prose(f'{name} {says}')}" for name, says in _told(published, numbers))


_TABLES: dict[str, Callable[[str, Sequence[Row]], Iterator[str]]] = {"text": _text_table, "markdown": _markdown_table}
_NOTES: dict[str, Callable[[Published, dict[int, str]], Iterator[str]]] = {
    "text": _text_notes,
    "markdown": _markdown_notes,
}
_ELSEWHERE: dict[str, Callable[[Dataset, Published], str]] = {
    "text": _text_elsewhere,
    "markdown": _markdown_elsewhere,
}
STYLES = tuple(_TABLES)
