"""Reading run and qrels files in TREC's formats, as trec_eval reads them.

Buckley, "trec_eval", README and `form_res_rels.c`: a run is sorted by score, highest first, and
equal scores by document id, last first. Scores are held in single precision there, so that two which
differ beyond it are equal. The rank column is not looked at.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterator
from pathlib import Path

from gate.columns import JUDGED_AGAIN, Row, grade_of, rows
from gate.errors import Problem, UsageError
from gate.files import read_text, shown

MOST_SHOWN = 20
_RUN_COLUMNS = "topic Q0 document rank score tag"
_QRELS_COLUMNS = "topic 0 document grade"


class _Problems:
    """What is wrong with one file: the first lines in full, the others as a count."""

    def __init__(self, path: Path, what: str) -> None:
        self.path, self.what = path, what
        self.found: list[Problem] = []
        self.more = 0

    def add(self, line: int, what: str, hint: str = "") -> None:
        if len(self.found) < MOST_SHOWN:
            self.found.append(Problem(what, f"{self.path}:{line}", hint))
        else:
            self.more += 1

    def check(self) -> None:
        if self.found:
            rest = (Problem(f"and {self.more} more lines like these"),) if self.more else ()
            raise UsageError(
                "trec-invalid",
                f"the {self.what} file cannot be used",
                where=str(self.path),
                hint="Correct the lines above; nothing was compared.",
                problems=(*self.found, *rest),
            )


def read_run(path: Path) -> dict[str, tuple[str, ...]]:
    """The documents of each topic, best first, in the order of trec_eval; topics in the order of the file.

    An empty file is a run that found nothing. Raises UsageError with every line that has another
    number of columns, a score that is no finite number, or a document that its topic has already.
    """
    problems = _Problems(path, "run")
    scores: dict[str, dict[str, float]] = {}
    for number, columns, _ in _rows(path, problems, 6, _RUN_COLUMNS):
        topic, _, document, _, written, _ = columns
        score = _score(written)
        if score is None:
            problems.add(number, f"the score is {shown(written)}, and has to be a finite number")
        elif document in scores.setdefault(topic, {}):
            problems.add(number, f"topic {shown(topic)} has the document {shown(document)} already")
        else:
            scores[topic][document] = score
    problems.check()
    return {topic: _ranked(documents) for topic, documents in scores.items()}


def read_qrels(path: Path, notes: list[str] | None = None) -> dict[str, dict[str, int]]:
    """The grade of each judged document of each topic, in the order of the file.

    A document judged again has its last grade, which the notes count where it differs, as for a
    corpus. Raises UsageError with every line that has another number of columns or a grade that is no
    whole number, and where there is no line at all.
    """
    problems = _Problems(path, "qrels")
    grades: dict[str, dict[str, int]] = {}
    conflicting = 0
    for number, (topic, _, document, written), _ in _rows(path, problems, 4, _QRELS_COLUMNS):
        grade = grade_of(written)
        if grade is None:
            problems.add(number, f"the grade is {shown(written)}, and has to be a whole number")
            continue
        of_topic = grades.setdefault(topic, {})
        conflicting += of_topic.get(document, grade) != grade
        of_topic[document] = grade
    if not grades and not problems.found:
        problems.add(1, "there is no judgement in this file", f"the columns are: {_QRELS_COLUMNS}")
    problems.check()
    if conflicting and notes is not None:
        notes.append(f"{JUDGED_AGAIN}: {conflicting}")
    return grades


def _rows(path: Path, problems: _Problems, width: int, names: str) -> Iterator[Row]:
    """The lines that have the right number of columns; blank lines are passed over."""
    for row in rows(read_text(path, problems.what)):
        found = len(row.columns)
        if found == width:
            yield row
        else:
            cut = " (cut short?)" if row.last and found < width else ""
            problems.add(row.number, f"{width} columns belong here, not {found}{cut}", names)


def _score(written: str) -> float | None:
    """A score as trec_eval holds it; None where it is no finite number."""
    try:
        # Python's own additions, which no other reader takes: 1_000 and digits of other scripts.
        value = float(written) if written.isascii() and "_" not in written else math.nan
    except ValueError:
        return None
    if not math.isfinite(value):
        return None
    return float(array("f", [value])[0])


def _ranked(scores: dict[str, float]) -> tuple[str, ...]:
    by_id = sorted(scores, reverse=True)
    return tuple(sorted(by_id, key=lambda document: -scores[document]))
