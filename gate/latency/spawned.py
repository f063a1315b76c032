"""A side in a process started anew, which works on every system: lines of JSON over its pipes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import IO, Any

import gate
from gate.guard import Stopped
from gate.latency.records import Opened, Tree
from gate.latency.side import SideFailed
from gate.models import Choice
from gate.stop import Stop
from gate.stopwatch import now

POLL_SECONDS = 0.1
# How much longer than the store itself its process may take: what it waits for is told with more by the process.
GRACE_SECONDS = 10.0
# The tree comes first on the import path. The gate comes last: a tree that has one brings its own.
START = (
    "import json, sys; job = json.load(open(sys.argv[1], encoding='utf-8')); "
    "sys.path[:0] = job['path']; sys.path.append(job['gate']); "
    "from gate.latency.child import main; main(job)"
)


@dataclass(frozen=True, slots=True)
class Job:
    """What a process is started for. `documents` is a file of the corpus `label`, `plant` a defect or empty.

    `timeout` is in seconds and holds for each call of the store; `depth` is the hits asked for. `choice` is what
    settings say of the arm, folders of models absolute.
    """

    spec: str
    arm: str
    label: str
    documents: Path
    timeout: float
    depth: int
    deletions: tuple[str, ...] = field(default=())
    plant: str = ""
    choice: Choice = field(default_factory=Choice)


class Spawned:
    """A process of a tree's code. It is told nothing before it has said what it opened.

    `folder` is for its store, empty and its own; what it prints goes to `log`. `seed` is that of its hashes: with one
    seed on both sides sets have one order. Where a `stop` is given, a wish to stop ends every wait with Stopped.
    """

    def __init__(
        self, tree: Tree, other: Tree, job: Job, folder: Path, log: Path, seed: int, stop: Stop | None = None
    ) -> None:
        self.name, self._tree, self._timeout = tree.side, tree, job.timeout + GRACE_SECONDS
        self._stop = stop
        self._opened: Opened | None = None
        folder.mkdir(parents=True)
        told = {
            "spec": job.spec,
            "arm": job.arm,
            "choice": asdict(job.choice),
            "plant": job.plant,
            "label": job.label,
            "documents": str(job.documents),
            "deletions": list(job.deletions),
            "timeout": job.timeout,
            "depth": job.depth,
            "store": str(folder),
            "root": str(tree.root),
            "other": str(other.root),
            "path": [str(path) for path in tree.path],
            "gate": str(Path(gate.__file__).resolve().parent.parent),
        }
        (folder / "job.json").write_text(json.dumps(told), encoding="utf-8")
        self._log = log
        self._logged = log.stat().st_size if log.exists() else 0
        with log.open("ab") as output:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-c", START, str(folder / "job.json")],
                cwd=tree.folder,
                env={**os.environ, "PYTHONHASHSEED": str(seed)},
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=output,
                # Its own session: what it starts ends with it, and a Ctrl-C is for us to hand on.
                start_new_session=os.name == "posix",
            )
        self._answers: SimpleQueue[Mapping[str, Any] | None] = SimpleQueue()
        assert self._process.stdout is not None
        threading.Thread(target=self._read, args=(self._process.stdout,), daemon=True).start()

    @property
    def opened(self) -> Opened:
        """What it opened, once the corpus is stored. Raises SideFailed."""
        if self._opened is None:
            while "stored" in (said := self._next("open")):
                continue
            if failure := said.get("failure"):
                raise SideFailed(
                    "latency-open",
                    f"the store of the {self.name} cannot be timed: {failure}",
                    where=self._tree.shown,
                    hint=self._hint(),
                )
            self._opened = Opened(said["name"], frozenset(said["modes"]), frozenset(said["abilities"]), said["factory"])
        return self._opened

    def ask(self, message: Mapping[str, Any]) -> Mapping[str, Any]:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(message).encode("ascii") + b"\n")
            self._process.stdin.flush()
        except OSError:
            raise self._died(message["do"]) from None
        return self._next(message["do"])

    def close(self) -> None:
        with suppress(SideFailed):
            if self._opened is not None:
                self.ask({"do": "end"})
        self.kill()

    def kill(self) -> None:
        """Ends the process and what it started, at once."""
        if os.name == "posix":
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)
        else:
            self._process.kill()
        self._process.wait()
        with suppress(OSError):
            assert self._process.stdin is not None
            self._process.stdin.close()

    def _next(self, doing: str) -> Mapping[str, Any]:
        deadline = now() + self._timeout
        while True:
            try:
                # In short waits: Windows hands no Ctrl-C to one who waits for long.
                said = self._answers.get(timeout=POLL_SECONDS)
                break
            except Empty:
                if self._stop is not None and self._stop.requested:
                    raise Stopped(self._stop) from None
                if now() >= deadline:
                    raise SideFailed(
                        "latency-hung",
                        f"the process of the {self.name} gave no answer to '{doing}' within {self._timeout:g} s",
                        where=self._tree.shown,
                        hint="Find what its store waits for, or raise `timeout` in the settings.",
                    ) from None
        if said is None:
            raise self._died(doing)
        return said

    def _died(self, doing: str) -> SideFailed:
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(timeout=1)
        code = self._process.poll()
        return SideFailed(
            "latency-died",
            f"the process of the {self.name} ended at '{doing}'" + ("" if code is None else f" with exit code {code}"),
            where=self._tree.shown,
            hint=self._hint(),
        )

    def _hint(self) -> str:
        """The last line that this process printed, where there is one."""
        with suppress(OSError), self._log.open("rb") as file:
            file.seek(self._logged)
            lines = [line for line in file.read().decode("utf-8", "replace").splitlines() if line.strip()]
            if lines:
                return f"It said last: {lines[-1].strip()[:300]}"
        return ""

    def _read(self, pipe: IO[bytes]) -> None:
        """A thread that reads answers: there is no waiting for a pipe with a timeout on Windows."""
        with suppress(OSError, ValueError), pipe:
            for line in pipe:
                self._answers.put(json.loads(line))
        self._answers.put(None)
