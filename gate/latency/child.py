"""The process that times one tree: opens its store, stores the corpus, and answers what it is asked over its pipes."""

from __future__ import annotations

import json
import os
import signal
import threading
from collections.abc import Mapping
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from gate.errors import GateError
from gate.guard import Guard
from gate.ingest import ingest
from gate.latency.code import astray, factory_file
from gate.latency.handover import handed_over
from gate.latency.worker import Worker, opened_message
from gate.models import Choice
from gate.opening import Here
from gate.stop import Stop


def main(job: Mapping[str, Any]) -> None:
    """Serves until it is told to end, or until nobody is there to tell."""
    # A signal to all of a terminal's processes is for the parent, which ends this one.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    channel = _Channel()
    try:
        guard = _opened(job, channel)
    except GateError as error:
        where, hint = f"{error.where}: " if error.where else "", f" ({error.hint})" if error.hint else ""
        channel.send({"failure": f"{where}{error.what}{hint}"})
        os._exit(0)
    worker = Worker(guard, job["depth"])
    while (message := channel.receive())["do"] != "end":
        channel.send(_code(job) if message["do"] == "code" else worker.answer(message))
    channel.send(worker.answer(message))
    # Nothing that a store left behind may keep this process.
    os._exit(0)


def _opened(job: Mapping[str, Any], channel: _Channel) -> Guard:
    """The store with the corpus in it, once what it declares was told. Raises UsageError and StoreError."""
    stop = Stop()
    folder = Path(job["store"])
    models = {job["arm"]: Choice(**job["choice"])}
    subject, declared = Here(folder, job["timeout"], stop, models)(job["spec"], job["arm"], job["plant"])
    guard = subject.open(folder / "timed", declared)
    corpus = handed_over(Path(job["documents"]), job["label"], job["deletions"])
    stored = ingest(guard, corpus, stop, lambda many: channel.send({"stored": many}))
    if stored.failure:
        channel.send({"failure": stored.failure})
        os._exit(0)
    channel.send(opened_message(guard, factory_file(subject.open_store)))
    return guard


def _code(job: Mapping[str, Any]) -> Mapping[str, Any]:
    root, here = Path(job["root"]), Path.cwd()
    # Where packages usually lie, whether or not anybody named it: what is missed there was found somewhere else.
    roots = [*map(Path, job["path"]), root, root / "src", here / "src"]
    return {"astray": list(astray(root, Path(job["other"]), roots))}


class _Channel:
    """Lines of JSON over what were standard input and output; what a store reads or prints is none of them."""

    def __init__(self) -> None:
        commands, self._answers = os.dup(0), os.dup(1)
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        os.close(nothing)
        os.dup2(2, 1)
        self._waiting: SimpleQueue[Mapping[str, Any]] = SimpleQueue()
        threading.Thread(target=self._read, args=(commands,), daemon=True).start()

    def _read(self, commands: int) -> None:
        """A thread that waits for commands: with the parent gone this process ends, whatever its store is doing."""
        with open(commands, "rb") as file:
            for line in file:
                self._waiting.put(json.loads(line))
        os._exit(0)

    def receive(self) -> Mapping[str, Any]:
        return self._waiting.get()

    def send(self, message: Mapping[str, Any]) -> None:
        data = json.dumps(message).encode("ascii") + b"\n"
        try:
            while data:
                data = data[os.write(self._answers, data) :]
        except OSError:
            os._exit(0)
