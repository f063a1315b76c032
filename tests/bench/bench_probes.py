"""What probes cost: `python tests/bench/bench_probes.py [STORE [SET [ROUNDS]]]`, as in `reference fast 5`.

Prints the seconds of each round, of the clock and of the processor, and of the last round the ten
probes that took longest. What a process makes once (dictionaries, compiled patterns) falls into the
first round, as it does in a run into the storing of the corpus.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from gate.opening import Here
from gate.probes.plan import names_of, plan_probes
from gate.probes.run import run_probes
from gate.stop import Stop


class Watch:
    """A progress that takes the time between looks."""

    def __init__(self) -> None:
        self.looks: list[float] = []

    def stage(self, label: str, total: int | None) -> None:
        self.looks = [time.perf_counter()]

    def tick(self, steps: int) -> None:
        self.looks += [time.perf_counter()] * steps


def main(spec: str, which: str, rounds: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        subject, declared = Here(Path(folder), 60.0, Stop())(spec, "cpu-hash", "")
        plan = plan_probes(declared, names_of(which))
        watch = Watch()
        for number in range(rounds):
            began = time.perf_counter(), time.process_time()
            checks = run_probes(subject, declared, plan, Path(folder) / f"round-{number}", watch)
            took = time.perf_counter() - began[0], time.process_time() - began[1]
            passed = sum(check.status == "pass" for check in checks)
            print(f"{passed} of {len(checks)} looks passed: {took[0]:.2f} s, processor {took[1]:.2f} s")
        spent: Counter[str] = Counter()
        for check, before, after in zip(checks, watch.looks, watch.looks[1:], strict=False):
            spent[check.cell.rpartition("/")[2]] += after - before  # type: ignore[assignment]
        for name, seconds in spent.most_common(10):
            print(f"{name:<20} {seconds:.3f}")


if __name__ == "__main__":
    asked = [*sys.argv[1:], *("reference", "fast", "5")[len(sys.argv) - 1 :]]
    main(asked[0], asked[1], int(asked[2]))
