"""What `gate run --shard` says: what was searched, what was not, and how to go on. No verdict."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from gate.errors import UsageError

if TYPE_CHECKING:
    from gate.shards.run import Ended

# Of what was not measured, so many sentences are shown; shard.json and the merge have all.
SHOWN = 20


def refuse_judging(fail_on: str, not_measured: str, base: str, *, accept_loosened: bool) -> None:
    """Raises UsageError where a shard is told how to judge."""
    given = {
        "--fail-on": fail_on != "error",
        "--not-measured": not_measured != "fail",
        "--base": bool(base),
        "--accept-loosened": accept_loosened,
    }
    for option, told in given.items():
        if told:
            raise UsageError("shard-judges-nothing", f"a shard judges nothing: {option} is for `gate merge`")


def ended(one: Ended, out: Path) -> str:
    """The few lines that a shard prints."""
    from gate.report.escape import visible

    return "".join(f"{visible(line)}\n" for line in _lines(one, out))


def _lines(one: Ended, out: Path) -> Iterator[str]:
    from gate.figures import count
    from gate.report.escape import visible

    shard = one.shard
    state = "INTERRUPTED" if shard.exit_code == 130 else "NOT MEASURED" if one.unmeasured else "MEASURED"
    asked = count(one.searches, "search", "searches")
    yield f"{state}: {shard.part}, {asked}, nothing is judged yet (exit {shard.exit_code})"
    yield from (visible(what) for what in one.unmeasured[:SHOWN])
    if len(one.unmeasured) > SHOWN:
        yield f"and {len(one.unmeasured) - SHOWN} more"
    yield from (f"note: {note}" for note in shard.notes)
    yield f"results: {out}"
    yield "next: gate merge, with the folders of all shards" if shard.exit_code != 130 else "next: the same command"
