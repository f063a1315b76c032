"""A session of ONNX Runtime on one device, which says where it really runs.

ONNX Runtime falls back to the CPU without an error. So a session is asked for one provider, then
for its live ones, and refused where the first is not the one that was asked for.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gate.errors import NotMeasured
from gate.models.onnx.runtime import CPU, PROVIDERS, load

Array = NDArray[Any]
# What ONNX Runtime and CUDA say when memory runs out.
NO_MEMORY = ("failed to allocate memory", "out of memory", "bad_alloc", "cublas_status_alloc_failed")


class OutOfMemory(Exception):
    """A batch did not fit. Half of it may."""


class Session:
    """An opened model. `inputs` are the names it takes, `outputs` those it gives, in its order.

    Usable in a forked child: there it is opened anew, since threads do not survive a fork. A
    context of CUDA does not either, and is refused.
    """

    def __init__(self, path: Path, device: str, threads: int = 0) -> None:
        """Opens a model; `threads` 0 is what ONNX Runtime chooses. Raises NotMeasured."""
        self.path, self.device, self.threads = path, device, threads
        self._of_parents: list[Any] = []
        self._open()
        self.inputs: tuple[str, ...] = tuple(one.name for one in self._session.get_inputs())
        self.outputs: tuple[str, ...] = tuple(one.name for one in self._session.get_outputs())

    @property
    def providers(self) -> tuple[str, ...]:
        """The live providers, in the order in which they are tried."""
        return tuple(self._session.get_providers())

    def run(self, feeds: Mapping[str, Array], output: str) -> NDArray[np.float32]:
        """One output, as float32. Inputs that the model does not have are left out. Raises OutOfMemory, NotMeasured."""
        if os.getpid() != self._process:
            self._reopen()
        known = {name: value for name, value in feeds.items() if name in self.inputs}
        try:
            (found,) = self._session.run([output], known)
        except Exception as error:  # noqa: BLE001 - its own types are no part of what the library promises
            said = str(error)
            if any(sign in said.lower() for sign in NO_MEMORY):
                raise OutOfMemory(said.strip().splitlines()[0]) from None
            raise NotMeasured(
                "model-failed", f"the model failed: {said.strip().splitlines()[0]}", where=str(self.path)
            ) from None
        return np.asarray(found, dtype=np.float32)

    def _reopen(self) -> None:
        if self.device != "cpu":
            raise NotMeasured(
                "session-forked", f"a session on {self.device} cannot be used in a forked process", where=str(self.path)
            )
        # Never let go of: it would wait for threads that were not forked.
        self._of_parents.append(self._session)
        self._open()

    def _open(self) -> None:
        ort = load(self.device)
        options = ort.SessionOptions()
        # Threads that wait for work spin otherwise, and take the processor from the store that is measured.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        if self.threads:
            options.intra_op_num_threads = self.threads
        wanted = PROVIDERS[self.device]
        try:
            self._session: Any = ort.InferenceSession(str(self.path), options, providers=[wanted])
        except Exception as error:  # noqa: BLE001 - its own types are no part of what the library promises
            raise NotMeasured(
                "model-unreadable",
                f"the model cannot be opened: {(str(error).strip() or type(error).__name__).splitlines()[0]}",
                where=str(self.path),
                hint="Is the file whole? `gate models list --verify` holds it against its hash.",
            ) from None
        self._process = os.getpid()
        live = self.providers
        if not live or live[0] != wanted:
            raise NotMeasured(
                "provider-fell-back",
                f"{wanted} was asked for, and the session runs on {', '.join(live) or 'nothing'}",
                where=str(self.path),
                hint="`gate doctor` says what the device lacks." if wanted != CPU else "",
            )
