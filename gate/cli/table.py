"""Tables as plain lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import click


def table_lines(rows: Iterable[tuple[str, ...]], right: tuple[int, ...]) -> Iterator[str]:
    """Columns as wide as their widest entry; those in `right` are numbers."""
    listed = list(rows)
    widths = [max(map(len, column)) for column in zip(*listed, strict=True)]
    for row in listed:
        cells = (
            cell.rjust(width) if at in right else cell.ljust(width)
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        yield ("  " + "  ".join(cells)).rstrip()


def echo_table(rows: Iterable[tuple[str, ...]], right: tuple[int, ...]) -> None:
    """The same, printed."""
    for line in table_lines(rows, right):
        click.echo(line)
