"""What an engine is here: tokens and a few habits around one ranking function that is not ours."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from gate.engines.tokens import Tokens
from gate.records import Document


def text_of(document: Document) -> Sequence[str]:
    """The text, whole."""
    return (document.text,)


@dataclass(frozen=True, slots=True)
class Engine:
    """`name` is printed. `tokens` are those of documents and, without `asks`, of questions.

    `pieces` cuts a document into texts that are indexed each on its own; its best one stands for
    it. An engine that is `scoped` keeps to the scope of a question; a `distinct` one leaves out
    hits that repeat an earlier one. `package` is what it needs beside bm25s, empty for nothing.
    """

    name: str
    tokens: Tokens
    asks: Tokens | None = None
    pieces: Callable[[Document], Sequence[str]] = text_of
    scoped: bool = False
    distinct: bool = False
    package: str = ""


@dataclass(frozen=True, slots=True)
class Panel:
    """Two good engines for a slice, unlike each other, and its natural wrong one.

    `unjudged` says why their figures are shown only. `invariant` says why both good ones may find
    everything: what such a slice changes is meant to change nothing.
    """

    good: Engine
    other: Engine
    wrong: Engine
    unjudged: str = ""
    invariant: str = ""

    @property
    def engines(self) -> tuple[Engine, Engine, Engine]:
        return (self.good, self.other, self.wrong)
