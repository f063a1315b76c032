"""What was seen of the arms, as text and as JSON: the answer of `gate doctor`."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Any

from gate.doctor.examine import Diagnosis, Line, exit_code
from gate.doctor.look import SKIPPED, STATUSES
from gate.report.escape import disarmed, visible

SCHEMA = 1
_WIDTH = max(map(len, STATUSES))


def found_json(found: Sequence[Diagnosis]) -> dict[str, Any]:
    """Plain data that holds to `doctor.schema.json`."""
    return {
        "schema": SCHEMA,
        "exit_code": int(exit_code(found)),
        "arms": [
            {
                "arm": one.arm.name,
                "device": one.arm.device,
                "asked": one.asked,
                "runs": one.runs,
                "looks": [
                    {
                        "look": line.look,
                        "part": line.part,
                        "status": line.seen.status,
                        "says": line.seen.says,
                        "hint": line.seen.hint,
                        "facts": dict(line.seen.facts),
                    }
                    for line in one.lines
                ],
            }
            for one in found
        ],
    }


def found_text(found: Sequence[Diagnosis]) -> str:
    """Each arm that was asked for with a line a look, then a line for each other arm."""
    code = exit_code(found)
    asked, others = [one for one in found if one.asked], [one for one in found if not one.asked]
    lines = []
    for one in asked:
        verdict = "can run here" if one.runs else "cannot run here"
        lines += [f"{one.arm.name}: {verdict}  ({one.arm.says})", *_looks(one.lines), ""]
    if others:
        lines += ["Other arms", *(line for one in others for line in _other(one)), ""]
    failed = [one.arm.name for one in asked if not one.runs]
    lines.append(f"{'cannot run here: ' + ', '.join(failed) if failed else 'all well'}  (exit {int(code)})")
    return disarmed("\n".join(lines)) + "\n"


def _looks(lines: Sequence[Line]) -> list[str]:
    """One line a look; those that were not made for one reason share one."""
    width = max(len(_name(line)) for line in lines)
    shown = []
    for (status, part, reason), same in groupby(lines, key=_kind):
        group = list(same)
        if status == SKIPPED:
            names = ", ".join(line.look for line in group)
            shown.append(f"  {status:<{_WIDTH}}  {part + ' ' if part else ''}{names}: {visible(reason)}")
            continue
        for line in group:
            shown.append(f"  {status:<{_WIDTH}}  {_name(line):<{width}}  {visible(line.seen.says)}")
            if line.seen.hint:
                shown.append(f"  {'':<{_WIDTH}}  {'':<{width}}  {visible(line.seen.hint)}")
    return shown


def _kind(line: Line) -> tuple[str, str, str]:
    skipped = line.seen.status == SKIPPED
    return line.seen.status, line.part, line.seen.says if skipped else ""


def _name(line: Line) -> str:
    return f"{line.part} {line.look}" if line.part else line.look


def _other(one: Diagnosis) -> list[str]:
    if one.runs:
        return [f"  {one.arm.name}: can run here"]
    first = one.missing[0]
    shown = [f"  {one.arm.name}: cannot run here: {_name(first)}: {visible(first.seen.says)}"]
    return shown + ([f"    {visible(first.seen.hint)}"] if first.seen.hint else [])
