"""The canonical report: all of a verdict as JSON, and back."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from gate.errors import Problem, UsageError
from gate.files import LinedData, canonical_json, violations
from gate.records import Ahead, Cell, CellKey, Check, MovedDoc, TopicMove, Verdict
from gate.report.context import ReportContext
from gate.report.escape import spelled

SCHEMA = 1
_MOST_PROBLEMS = 20
_AGAIN = "Make it again with gate run."


def to_json(verdict: Verdict, _context: ReportContext | None = None) -> str:
    """The verdict as JSON that holds to `verdict.schema.json`: equal verdicts give equal bytes.

    Keys are sorted; checks, cells and notes keep their order, one a line. Characters that a
    terminal would obey, or that no UTF-8 file can hold, are written as escapes. Raises
    ValueError on NaN and infinities, which no stage may let through.
    """
    data: dict[str, Any] = {
        "schema": SCHEMA,
        "verdict": verdict.verdict,
        "exit_code": verdict.exit_code,
        "checks": [_check(check) for check in verdict.checks],
        "cells": [_cell(cell) for cell in verdict.cells],
        "notes": list(verdict.notes),
        "narrowed": list(verdict.narrowed),
        "out_of_scope": verdict.out_of_scope,
        "planted": verdict.planted,
    }
    members = ",\n".join(f' "{key}": {_member(data[key])}' for key in sorted(data))
    return f"{{\n{members}\n}}\n"


def from_json(text: str, path: Path) -> Verdict:
    """The verdict that `to_json` wrote. `path` is only for errors.

    Raises UsageError where the text is cut off, is no JSON, is of a newer version or does not hold to the schema.
    """
    try:
        data = json.loads(text, parse_constant=_no_number, parse_float=_finite, parse_int=_whole)
    except json.JSONDecodeError as error:
        raise UsageError(
            "verdict-not-json",
            f"this is not a whole JSON file: {error.msg} in column {error.colno}",
            where=f"{path}:{error.lineno}",
            hint=f"It may have been cut off or edited. {_AGAIN}",
        ) from None
    except (ValueError, RecursionError) as error:
        what = "it is nested too deeply" if isinstance(error, RecursionError) else str(error)
        raise UsageError(
            "verdict-not-json", f"this JSON cannot be read: {what}", where=str(path), hint=_AGAIN
        ) from None
    version = data.get("schema") if isinstance(data, dict) else None
    if isinstance(version, int) and version > SCHEMA:
        raise UsageError(
            "verdict-newer",
            f"this verdict has schema {version}, and this gate reads {SCHEMA}",
            where=str(path),
            hint="It was written by a newer gate: use that one, or make the verdict again with this one.",
        )
    problems = violations(LinedData(path, data, {}), "verdict")
    if problems:
        more = len(problems) - _MOST_PROBLEMS
        shown = (*problems[:_MOST_PROBLEMS], *([Problem(f"and {more} more")] if more > 0 else []))
        raise UsageError("verdict-invalid", "this is not a verdict file", where=str(path), hint=_AGAIN, problems=shown)
    return Verdict(
        verdict=data["verdict"],
        exit_code=int(data["exit_code"]),
        checks=tuple(_read_check(check) for check in data["checks"]),
        cells=tuple(_read_cell(cell) for cell in data["cells"]),
        notes=tuple(data["notes"]),
        narrowed=tuple(data["narrowed"]),
        out_of_scope=int(data["out_of_scope"]),
        planted=data["planted"],
    )


def _member(value: Any) -> str:
    if not isinstance(value, list) or not value:
        return _one_line(value)
    items = ",\n".join(f"  {_one_line(item)}" for item in value)
    return f"[\n{items}\n ]"


def _one_line(value: Any) -> str:
    return spelled(canonical_json(value))


def _number(value: float | None) -> float | None:
    # Adding zero turns -0.0 into 0.0, which is equal and has to give equal bytes.
    return None if value is None else float(value) + 0.0


def _check(check: Check) -> dict[str, Any]:
    return {
        "id": check.check_id,
        "source": check.source,
        "cell": check.cell,
        "operator": check.operator,
        "expected": _number(check.expected),
        "actual": _number(check.actual),
        "status": check.status,
        "level": check.level,
        "message": check.message,
        "where": check.where,
        "moves": [
            {**asdict(move), "before": _number(move.before), "after": _number(move.after)} for move in check.moves
        ],
        **({"paste": check.paste} if check.paste else {}),
        **({"show": list(check.show)} if check.show else {}),
    }


def _cell(cell: Cell) -> dict[str, Any]:
    return {
        "id": str(cell.key),
        "status": cell.status,
        "reason": cell.reason,
        "value": _number(cell.value),
        "topics": cell.topics,
        **({"spread": [_number(end) for end in cell.spread]} if cell.spread is not None else {}),
    }


def _read_check(data: Mapping[str, Any]) -> Check:
    return Check(
        check_id=data["id"],
        source=data["source"],
        cell=data["cell"],
        operator=data["operator"],
        expected=_number(data["expected"]),
        actual=_number(data["actual"]),
        status=data["status"],
        level=data["level"],
        message=data["message"],
        where=data["where"],
        moves=tuple(_read_move(move) for move in data["moves"]),
        paste=data.get("paste", ""),
        show=tuple(data.get("show", ())),
    )


def _read_move(data: Mapping[str, Any]) -> TopicMove:
    return TopicMove(
        topic_id=data["topic_id"],
        query=data["query"],
        before=_number(data["before"]),
        after=float(data["after"]),
        moved=tuple(
            MovedDoc(
                doc_id=doc["doc_id"],
                grade=int(doc["grade"]),
                before=_rank(doc["before"]),
                after=_rank(doc["after"]),
                text=doc["text"],
                forbidden=doc["forbidden"],
            )
            for doc in data["moved"]
        ),
        ahead=tuple(Ahead(doc["doc_id"], int(doc["rank"]), doc["text"]) for doc in data["ahead"]),
    )


def _rank(place: float | None) -> int | None:
    return None if place is None else int(place)


def _read_cell(data: Mapping[str, Any]) -> Cell:
    store, corpus, part, arm, mode, fault, measure = data["id"].split("/")
    name, _, tier = corpus.rpartition("@")
    key = CellKey(store, name, tier, part, arm, mode, fault, measure)
    low, high = data.get("spread", (None, None))
    spread = (float(low), float(high)) if low is not None and high is not None else None
    return Cell(key, data["status"], _number(data["value"]), int(data["topics"]), data["reason"], spread)


def _no_number(name: str) -> float:
    raise ValueError(f"{name} is not a number")


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(f"{text} is too large")
    return value


def _whole(text: str) -> int:
    if len(text) > 18:
        raise ValueError(f"a whole number of {len(text)} digits is too large")
    return int(text)
