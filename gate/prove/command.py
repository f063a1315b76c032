"""The gate through the command that people type: no part of the way to the exit code is left out."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from gate.defects import Defect
from gate.plan import Request
from gate.prove.enough import Enough
from gate.prove.records import CAUGHT, FULL, LATENCY, Row

# A run that takes longer is no proof of anything.
LONGEST_SECONDS = 900
TIMED_OUT = 124  # as timeout(1) has it


def chosen(rows: Sequence[Row]) -> tuple[Row, ...]:
    """One caught defect a family: the one that touches the fewest modes, and the first of those.

    What probes alone see is left out: which of them `gate run` looks at is a matter of the settings. So is what times
    alone tell: `gate run` has nothing to hold them against.
    """
    families = dict.fromkeys(row.defect.family for row in rows)
    caught = [row for row in rows if row.outcome == CAUGHT and set(row.sights[0].by) - {"probe", LATENCY}]
    return tuple(
        min(own, key=lambda row: len(row.defect.modes))
        for family in families
        if (own := [row for row in caught if row.defect.family == family])
    )


def exit_code(request: Request, defect: Defect, asked: Enough, out: Path) -> int:
    """The exit code of `gate run --plant`, narrowed to what is enough."""
    return run_gate_command(request, plant=f"{defect.name}={FULL}", out=out, modes=asked.modes, slices=asked.slices)


def run_gate_command(
    request: Request,
    *,
    plant: str,
    out: Path,
    modes: Sequence[str] = (),
    slices: Sequence[str] = (),
    hash_seed: int | None = None,
) -> int:
    """The exit code of `gate run` with a request's settings and flags, in a process of its own.

    Negative where a signal ended it; `TIMED_OUT` where it took too long.
    """
    command = [sys.executable, "-m", "gate", "run", "--quiet", "--base", "none", "--fresh", *_given(request)]
    command += [word for mode in modes or request.flags.modes for word in ("--mode", mode)]
    command += [word for name in slices or request.flags.slices for word in ("--slice", name)]
    command += ["--plant", plant] if plant else []
    seed = {} if hash_seed is None else {"PYTHONHASHSEED": str(hash_seed)}
    try:
        done = subprocess.run(
            [*command, "--out", str(out)],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=LONGEST_SECONDS,
            check=False,
            env={**os.environ, **seed},
        )
    except subprocess.TimeoutExpired:
        return TIMED_OUT
    return done.returncode


def _given(request: Request) -> Iterator[str]:
    """The request's settings and flags, as the command takes them."""
    flags = request.flags
    yield from ("--today", request.today.isoformat(), "--fail-on", request.fail_on)
    yield from ("--not-measured", request.not_measured)
    if request.settings.path:
        yield from ("--config", str(request.settings.path))
    if flags.store:
        yield from ("--store", flags.store)
    for option, values in (
        ("--corpus", flags.corpora),
        ("--tier", flags.tiers),
        ("--arm", flags.arms),
    ):
        for value in values:
            yield from (option, value)
    if flags.depth:
        yield from ("--k", str(flags.depth))
