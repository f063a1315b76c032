"""What plantings cost: `python tests/bench/bench_prove.py [GLOB [TIER]]`, as in `'k-*' smoke`.

Plants the defects that the glob names, or whose family it names (default: all), at the doses of `gate prove`, one after
the other in this process, and prints the processor's seconds of each and of its stages. The healthy run before them is
a line of its own. Nothing goes through the command line.
"""

from __future__ import annotations

import gc
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from gate.cli.run import COLLECTED_AFTER
from gate.defects import DEFECTS
from gate.opening import Here
from gate.pipeline import plan_gate
from gate.plan import Flags, Request
from gate.progress import Silent
from gate.prove import bench
from gate.prove.prove import DOSES
from gate.settings import find_settings, read_settings
from gate.stop import Stop
from gate.stopwatch import today

STAGES = {"search": "run_trial", "score": "measured_of", "judge": "judged", "probes": "run_probes"}


def watch(spent: Counter[str]) -> None:
    """Puts a timed function in the place of each stage."""

    def timed(stage: str, call: Callable[..., Any]) -> Callable[..., Any]:
        def run(*args: Any, **named: Any) -> Any:
            began = time.process_time()
            try:
                return call(*args, **named)
            finally:
                spent[stage] += time.process_time() - began  # type: ignore[assignment]

        return run

    for stage, name in STAGES.items():
        setattr(bench, name, timed(stage, getattr(bench, name)))


def line(name: str, seconds: float, spent: Counter[str]) -> str:
    return f"{name:32} {seconds:7.2f} " + " ".join(f"{spent[stage]:7.2f}" for stage in STAGES)


def main(glob: str, tier: str) -> None:
    gc.set_threshold(*COLLECTED_AFTER)
    with tempfile.TemporaryDirectory() as folder:
        settings = read_settings(find_settings(None))
        request = Request(settings, Flags(tiers=(tier,)), today(), base="none")
        plan = plan_gate(request, Here(Path(folder), settings.timeout, Stop()), Path(folder))
        spent: Counter[str] = Counter()
        watch(spent)
        began = time.process_time()
        healthy = bench.in_health(plan, Path(folder), Silent())
        print(f"{'planted':32} seconds " + " ".join(f"{stage:>7}" for stage in STAGES))
        print(line("nothing", time.process_time() - began, spent))
        gc.freeze()
        total: Counter[str] = Counter()
        everything = 0.0
        for name, defect in DEFECTS.items():
            if not (fnmatchcase(name, glob) or fnmatchcase(defect.family, glob)) or healthy.unfit(defect):
                continue
            for dose in DOSES[:1] if defect.undosed or defect.benign else DOSES:
                spent.clear()
                began = time.process_time()
                healthy.see(defect, dose, Path(folder) / f"{name}-{dose:g}")
                gc.collect()
                seconds = time.process_time() - began
                print(line(f"{name}={dose:g}", seconds, spent), flush=True)
                total.update(spent)
                everything += seconds
        print(line("all of them", everything, total))


if __name__ == "__main__":
    given = sys.argv[1:]
    main(given[0] if given else "*", given[1] if len(given) > 1 else "smoke")
