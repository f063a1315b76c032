"""Runs `gate run` in the current folder again and again, kills it at seeded moments, and at last lets it end.

    python killed_runs.py KILLS

The gate is imported once; each run is a fork of this process. The first comes to its end, with its results in
`whole`. The others share `killed`, and each is killed with SIGKILL at a moment of the first 45% of the time that the
first took. One that ends by itself before is followed by the next all the same, which starts anew.
`rounds.jsonl` gets one line a run: its process, the searches that were on disk when it began, its exit code,
None where it was killed, and whether its verdict was written by then.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from pathlib import Path

# What a run imports on its way is imported before the forks, so that kills hit the run and not its imports.
import jsonschema  # noqa: F401
import rich.progress  # noqa: F401
import yaml  # noqa: F401

import gate.pipeline  # noqa: F401
from gate import checkpoints
from gate.cli import root
from gate.corpus.rng import Rng
from gate.sources import gate_code, packages

GRAIN = 1_000_000
LONG = 600.0


def main(kills: int) -> None:
    # A run of a second has many blocks.
    checkpoints.SECONDS = 0.02
    gate_code()
    packages()
    rng = Rng(20261130, "kills")
    began = time.monotonic()
    _, code = one_run(Path("whole"), LONG)
    longest = 0.45 * (time.monotonic() - began)
    assert code == 0
    killed = 0
    with Path("rounds.jsonl").open("w", encoding="utf-8") as rounds:
        while True:
            last = killed == kills
            kept = on_disk(Path("killed"))
            process, code = one_run(Path("killed"), LONG if last else longest * rng.below(GRAIN) / GRAIN)
            killed += code is None
            whole = Path("killed", "verdict.json").is_file()
            rounds.write(json.dumps({"process": process, "kept": kept, "code": code, "whole": whole}) + "\n")
            if last:
                return


def one_run(results: Path, wait: float) -> tuple[int, int | None]:
    """The process of a run and its exit code, None where it was killed after `wait` seconds."""
    process = os.fork()
    if process == 0:
        code = 70
        try:
            code = root.main(["run", "--quiet", "--out", str(results)], prog_name="gate", standalone_mode=False)
        finally:
            os._exit(code)
    end = time.monotonic() + wait
    while time.monotonic() < end:
        done, status = os.waitpid(process, os.WNOHANG)
        if done:
            return process, os.waitstatus_to_exitcode(status)
        time.sleep(0.0005)
    os.kill(process, signal.SIGKILL)
    _, status = os.waitpid(process, 0)
    code = os.waitstatus_to_exitcode(status)
    return process, None if code == -signal.SIGKILL else code


def on_disk(results: Path) -> list[list[str]]:
    """The mode, fault and topic of every search in every block, read without the code under test."""
    found = []
    for block in sorted(results.glob("checkpoints/*/block-*.json")):
        found += [entry[:3] for entry in json.loads(block.read_text(encoding="utf-8").split("\n")[1])["asked"]]
    return found


if __name__ == "__main__":
    main(int(sys.argv[1]))
