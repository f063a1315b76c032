"""Where one run of the gate spends its time: `python tests/bench/bench_run.py [SETTINGS [TIER [ROUNDS]]]`.

Runs the settings (default gate.yml) on one tier (default smoke) in this process, and prints the
seconds of each stage, without those of the stages inside it, beside the processor's: the second
column holds still on a busy machine. Faults that are looked at in other processes count by the clock
alone. Of several rounds, which share what a process keeps, the last is printed. The results go to a
folder that is removed.
"""

from __future__ import annotations

import gc
import importlib
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

# The function or method that is each stage: the module it is looked up in, and its name there.
STAGES = {
    "settings": ("gate.settings", "read_settings"),
    "plan": ("gate.pipeline", "scope_of"),
    "corpora": ("gate.asked_corpora", "load_corpus"),
    "read baselines": ("gate.pipeline", "read_baselines"),
    "trial": ("gate.pipeline", "run_trial"),
    "store": ("gate.bench", "_Bench._store"),
    "reopen": ("gate.bench", "_Bench._open_again"),
    "search": ("gate.bench", "Searcher.run"),
    "faults": ("gate.bench", "_Bench._beside_each_other"),
    "score": ("gate.pipeline", "measured_of"),
    "checks": ("gate.pipeline", "all_checks"),
    "write runs": ("gate.pipeline", "write_runs"),
    "write baselines": ("gate.pipeline", "write_baselines"),
    "write reports": ("gate.pipeline", "write_reports"),
}


class Stages:
    """Seconds by stage, [of the clock, of the processor], each without the stages inside it."""

    def __init__(self) -> None:
        self.spent: dict[str, list[float]] = {}
        self._inner: list[list[float]] = []

    def timed(self, stage: str, call: Callable[..., Any]) -> Callable[..., Any]:
        def run(*args: Any, **named: Any) -> Any:
            began = time.perf_counter(), time.process_time()
            self._inner.append([0.0, 0.0])
            try:
                return call(*args, **named)
            finally:
                took = time.perf_counter() - began[0], time.process_time() - began[1]
                inside = self._inner.pop()
                spent = self.spent.setdefault(stage, [0.0, 0.0])
                for at in (0, 1):
                    spent[at] += took[at] - inside[at]
                    if self._inner:
                        self._inner[-1][at] += took[at]

        return run

    def watch(self) -> None:
        """Puts a timed function in the place of each stage."""
        for stage, (module, name) in STAGES.items():
            *owner, function = name.split(".")
            place: Any = importlib.import_module(module)
            for part in owner:
                place = getattr(place, part)
            setattr(place, function, self.timed(stage, getattr(place, function)))

    def table(self) -> str:
        total = [sum(spent[at] for spent in self.spent.values()) for at in (0, 1)]
        rows = {**self.spent, "all": total}
        lines = [f"{'stage':16} seconds  processor"]
        return "\n".join(lines + [f"{name:16} {spent[0]:7.2f} {spent[1]:10.2f}" for name, spent in rows.items()])


def gated(settings_file: Path, tier: str) -> None:
    from gate.cli.run import COLLECTED_AFTER
    from gate.pipeline import run_gate
    from gate.plan import Flags, Request
    from gate.progress import Silent
    from gate.settings import read_settings
    from gate.stop import Stop
    from gate.stopwatch import today

    gc.set_threshold(*COLLECTED_AFTER)
    with tempfile.TemporaryDirectory() as folder:
        request = Request(read_settings(settings_file), Flags(tiers=(tier,)), today())
        run_gate(request, Path(folder), Stop(), Silent())


def main(settings_file: Path, tier: str, rounds: int) -> None:
    stages = Stages()
    stages.timed("imports", stages.watch)()
    for turn in range(rounds):
        if turn:
            stages.spent.clear()
        stages.timed("rest", gated)(settings_file, tier)
    print(stages.table())


if __name__ == "__main__":
    given = sys.argv[1:]
    main(
        Path(given[0] if given else "gate.yml"),
        given[1] if len(given) > 1 else "smoke",
        int(given[2]) if len(given) > 2 else 1,
    )
