"""What times by turns tell: `python tests/bench/bench_latency.py [REPEATS [MODE]]`, as in `20 keyword`.

Plants in the embedded store what slows its searches, in full and at a fifth, and the harmless changes that are timed;
then holds the healthy store against itself so many times. Prints what `gate prove` would say of each, the seconds of
the clock and of the processor, forks included, and how many of the repeats failed, with Wilson's 95% interval.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from dataclasses import replace
from datetime import date
from pathlib import Path

from gate.data import data_path
from gate.defects import DEFECTS, Defect
from gate.latency.records import Timed
from gate.opening import Here
from gate.pipeline import plan_gate
from gate.plan import Flags, Request
from gate.progress import Silent
from gate.prove.bench import in_health
from gate.prove.timed import Stand, in_words, is_timed, stand_of
from gate.settings import FailOpen, read_settings
from gate.stats.paired_latency import FAIL, PASS
from gate.stats.wilson import interval
from gate.stop import Stop


def main(repeats: int, mode: str) -> None:
    settings = replace(read_settings(data_path("gate.yml")), fail_open=FailOpen(faults=()), probes="off")
    request = Request(settings, Flags(tiers=("smoke",), modes=(mode,)), date(2026, 11, 30), base="none")
    with tempfile.TemporaryDirectory() as folder:
        plan = plan_gate(request, Here(Path(folder) / "declared", 60.0, Stop()), Path(folder) / "plan")
        bench = in_health(plan, Path(folder) / "health", Silent())
        stand = stand_of(bench, Path(folder) / "timed", Stop())
        assert stand is not None
        for defect in filter(is_timed, DEFECTS.values()):
            for dose in (1.0, 0.2) if defect.slows else (1.0,):
                timed(stand, defect, dose)
        outcomes = [timed(stand, None, 1.0).outcome for _ in range(repeats)]
        stand.close()
    failed = outcomes.count(FAIL)
    low, high = interval(failed, repeats)
    print(f"{failed} of {repeats} repeats failed ({low:.1%} to {high:.1%}), {outcomes.count(PASS)} passed")


def timed(stand: Stand, defect: Defect | None, dose: float) -> Timed:
    began = time.perf_counter(), sum(os.times()[:4])
    found = stand.time(defect, dose)
    took = time.perf_counter() - began[0], sum(os.times()[:4]) - began[1]
    name = f"{defect.name}={dose:g}" if defect is not None else "itself"
    print(f"{name:<22} {found.outcome:<12} {in_words(found)}; {took[0]:.1f} s, processor {took[1]:.1f} s", flush=True)
    return found


if __name__ == "__main__":
    asked = [*sys.argv[1:], *("20", "keyword")[len(sys.argv) - 1 :]]
    main(int(asked[0]), asked[1])
