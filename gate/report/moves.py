"""How a topic's loss is told: which documents moved, from where to where, and what stands above them now."""

from __future__ import annotations

from collections.abc import Sized
from dataclasses import dataclass

from gate.figures import count, figures_apart, rank, rank_change
from gate.records import MovedDoc, TopicMove


@dataclass(frozen=True, slots=True)
class DocLine:
    """One document: what happened to it, its ranks, and what it is. `doc_id`, `about` and `text` are unescaped."""

    what: str
    ranks: str
    doc_id: str
    about: str
    text: str


def value_change(move: TopicMove, unit: str) -> str:
    """`1.000 -> 0.000`, or only the value where there is no baseline."""
    if move.before is None:
        return figures_apart((move.after,), unit)[0]
    before, after = figures_apart((move.before, move.after), unit)
    return f"{before} -> {after}"


def doc_lines(move: TopicMove) -> tuple[DocLine, ...]:
    """The documents that moved, losses first, in the order given."""
    lines = [_moved(doc, has_baseline=move.before is not None) for doc in move.moved]
    return tuple(sorted(lines, key=lambda line: line.what == "gained"))


def ahead_lines(move: TopicMove) -> tuple[DocLine, ...]:
    """The documents that now outrank what was lost."""
    return tuple(DocLine("ahead now", rank(doc.rank), doc.doc_id, "", doc.text) for doc in move.ahead)


def left_out(shown: int, of: Sized, noun: str, plural: str = "") -> str:
    """`and 4 more queries`, or nothing where all are shown."""
    more = len(of) - shown
    return f"and {count(more, f'more {noun}', f'more {plural or noun}')}" if more > 0 else ""


def _moved(doc: MovedDoc, *, has_baseline: bool) -> DocLine:
    better = doc.before is None or (doc.after is not None and doc.after < doc.before)
    if doc.forbidden:
        what = "forbidden" if doc.after is not None else "kept out"
        about = f"must not come back: {doc.forbidden}"
    else:
        what = "lost" if doc.after is None else "gained" if better else "fell"
        about = f"grade {doc.grade}"
    if has_baseline:
        return DocLine(what, rank_change(doc.before, doc.after), doc.doc_id, about, doc.text)
    if not doc.forbidden:
        what = "missing" if doc.after is None else "found"
    return DocLine(what, rank(doc.after), doc.doc_id, about, doc.text)
