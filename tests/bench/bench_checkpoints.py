"""What checkpoints cost a run of the embedded store: `python tests/bench/bench_checkpoints.py [TIER]`.

One whole `gate run --tier TIER` (1k), in processor seconds of the process, and how many of them went into
checkpoints: knowing whose they are, reading, keeping, writing and removing them. What timing a call adds to it is
measured on a method that does nothing, and taken off.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any

from gate.checkpoints import Checkpoint
from gate.cli import root
from gate.resume import Resume

spent: defaultdict[str, float] = defaultdict(float)
calls: Counter[str] = Counter()
inside: list[str] = []


def timed(owner: type, name: str) -> None:
    """Counts the seconds of a method, but not those of timed methods that it calls, as its own."""
    method: Callable[..., Any] = getattr(owner, name)

    @wraps(method)
    def call(*arguments: Any, **named: Any) -> Any:
        began = time.process_time()
        inside.append(name)
        try:
            return method(*arguments, **named)
        finally:
            inside.pop()
            took = time.process_time() - began
            spent[name] += took
            calls[name] += 1
            if inside:
                spent[inside[-1]] -= took

    setattr(owner, name, call)


class Idle:
    def nothing(self, key: str, topic_id: str) -> None:
        pass


def of_timing() -> float:
    """The seconds that timing adds to a call."""
    timed(Idle, "nothing")
    idle = Idle()
    for _ in range(20_000):
        idle.nothing("", "")
    return spent.pop("nothing") / calls.pop("nothing")


def main(tier: str) -> None:
    added = of_timing()
    for owner, names in ((Resume, ("open", "notes", "finish")), (Checkpoint, ("recall", "add", "write"))):
        for name in names:
            timed(owner, name)
    with tempfile.TemporaryDirectory() as folder:
        began = time.process_time()
        root.main(["run", "--quiet", "--tier", tier, "--out", str(Path(folder, "results"))], standalone_mode=False)
        whole = time.process_time() - began
    own = {name: seconds - added * calls[name] for name, seconds in spent.items()}
    for name, seconds in own.items():
        print(f"{name:7} {calls[name]:6} calls {seconds:.3f} s")
    total = sum(own.values())
    print(f"{total:.2f} of {whole:.2f} s of processor time, {100 * total / whole:.1f}%")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "1k")
